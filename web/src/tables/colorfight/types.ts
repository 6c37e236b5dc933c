import type { components } from '../../generated/colorfight';

export type View = components['schemas']['View'];
