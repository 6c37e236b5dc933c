/** The last turn of each seat, put together from the moments that were shown. A table that was shown only some of them
 * says less, and never something wrong. */
import type { LogEvent } from '../contract';
import { eventsOf, type View } from './types';

export interface TurnSummary {
  /** The seat's own turns, counted from 1. */
  readonly turn: number;
  readonly played: readonly string[];
  /** Gained without buying. */
  readonly gained: readonly string[];
  readonly bought: readonly string[];
  readonly trashed: readonly string[];
}

export interface Memory {
  /** The number of the last event. */
  readonly n: number | null;
  /** The turn that is being played, if it was seen from its beginning. */
  readonly open: TurnSummary | null;
  /** By seat. */
  readonly last: Readonly<Record<number, TurnSummary>>;
}

export const NOTHING: Memory = { n: null, open: null, last: {} };

function emptyTurn(turn: number): TurnSummary {
  return { turn, played: [], gained: [], bought: [], trashed: [] };
}

/** Whether nothing has happened yet; the first turn begins without an event. */
function isStart(view: View): boolean {
  const turns = view.areas.reduce((sum, area) => sum + area.turns, 0);
  return turns === 1 && view.actions === 1 && view.played.length === 0;
}

/** The memory after a moment with this view and these events. */
export function remember(memory: Memory, view: View, events: readonly LogEvent[]): Memory {
  const first = events[0]?.n;
  if (first === undefined) return isStart(view) ? { n: 0, open: emptyTurn(1), last: {} } : { ...memory, n: null };
  let open = memory.n !== null && first - memory.n === 1 ? memory.open : null;
  const last = { ...memory.last };
  for (const event of eventsOf(events)) {
    if (event.type === 'TurnBegan') open = emptyTurn(event.turn);
    else if (event.type === 'Played') open = open && { ...open, played: [...open.played, ...event.cards] };
    else if (event.type === 'Trashed') open = open && { ...open, trashed: [...open.trashed, event.card] };
    else if (event.type === 'Gained')
      open = open && {
        ...open,
        ...(event.bought ? { bought: [...open.bought, event.card] } : { gained: [...open.gained, event.card] }),
      };
    else if (event.type === 'CleanedUp') {
      if (open !== null) last[event.seat] = open;
      open = null;
    }
  }
  return { n: events.at(-1)?.n ?? null, open, last };
}

/** The last turn that a seat has finished, if it was seen. */
export function lastTurnOf(memory: Memory, view: View, seat: number): TurnSummary | null {
  const turns = view.areas[seat]?.turns ?? 0;
  const finished = view.turn === seat && !view.over ? turns - 1 : turns;
  const last = memory.last[seat];
  return last?.turn === finished ? last : null;
}

/** This turn as the view tells it; what was trashed is known only if the whole turn was seen. */
export function thisTurnOf(memory: Memory, view: View): TurnSummary {
  const turn = view.areas[view.turn]?.turns ?? 0;
  const gained = [...view.gained];
  for (const card of view.bought) gained.splice(gained.indexOf(card), 1);
  const trashed = memory.open?.turn === turn ? memory.open.trashed : [];
  return { turn, played: view.played, gained, bought: view.bought, trashed };
}
