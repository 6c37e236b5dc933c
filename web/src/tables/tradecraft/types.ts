import type { components } from '../../generated/tradecraft';

type Schemas = components['schemas'];
export type View = Schemas['View'];
export type Ask = Schemas['AnyAsk'];
export type Action = Schemas['AnyAction'];
export type Propose = Schemas['Propose'];
export type Proposed = Schemas['Proposed'];
export type Check = Schemas['Check'];
export type Checked = Schemas['Checked'];
export type Applied = Schemas['Applied'];
/** Items and how many of each: a whole number, or a fraction such as "3/2". */
export type Items = View['hand'];
export type Amount = Items[string];
