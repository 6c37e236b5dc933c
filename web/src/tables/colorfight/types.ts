import type { components } from '../../generated/colorfight';

export type View = components['schemas']['View'];
export type User = components['schemas']['User'];
export type Ask = components['schemas']['Orders'];
export type Action = components['schemas']['Command'];
/** A cell's number: y * width + x. */
export type Cell = number;
