import type { components } from '../../generated/dominion';

export type View = components['schemas']['View'];
