import type { components } from '../../generated/tradecraft';

export type View = components['schemas']['View'];
/** Items and how many of each: a whole number, or a fraction such as "3/2". */
export type Items = View['hand'];
export type Amount = Items[string];
