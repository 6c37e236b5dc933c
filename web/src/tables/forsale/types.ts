/** The values of For Sale that the table reads and sends. */
import type { components } from '../../generated/forsale';
import type { LogEvent } from '../contract';

type Schemas = components['schemas'];

export type View = Schemas['View'];
export type BidOrPass = Schemas['BidOrPass'];
export type ChooseEstate = Schemas['ChooseEstate'];
export type Ask = BidOrPass | ChooseEstate;
export type Action = Schemas['Bid'] | Schemas['Pass'] | Schemas['Sell'];
export type Options = Schemas['Options'];
export type ForSaleEvent = Schemas['EventMessage']['event'];

/** The events of a moment; those of this table are all of this game. */
export function eventsOf(events: readonly LogEvent[]): ForSaleEvent[] {
  return events.map(({ event }) => event as ForSaleEvent);
}
