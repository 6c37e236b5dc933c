/** The values of Dominion that the table reads and sends. */
import type { components } from '../../generated/dominion';
import type { LogEvent, TableProps } from '../contract';
import type { Draft } from './draft.svelte';

type Schemas = components['schemas'];

export type View = Schemas['View'];
export type Area = Schemas['Area'];
export type Ask = Schemas['AnyAsk'];
export type Action = Schemas['AnyAction'];
export type Play = Schemas['Play'];
export type Buy = Schemas['Buy'];
export type Options = Schemas['Options'];
export type DominionEvent = Schemas['AnyEvent'];

export type Props = TableProps<View, Ask, Action, Draft>;
/** The facts that a move needs. */
export type Table = Pick<Props, 'moment' | 'turn' | 'draft'>;

/** The events of a moment; those of this table are all of this game. */
export function eventsOf(events: readonly LogEvent[]): DominionEvent[] {
  return events.map(({ event }) => event as DominionEvent);
}
