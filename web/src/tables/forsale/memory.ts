/** Facts of the events that a view does not repeat: cards taken in this auction, the last sale, the own choice.
 * A table that was given no events draws the same position with fewer words. */
import type { LogEvent } from '../contract';
import { eventsOf, type View } from './types';

export interface Taken {
  readonly seat: number;
  readonly estate: number;
  readonly paid: number;
}

export interface Sale {
  readonly round: number;
  readonly estates: readonly number[];
  readonly cheques: readonly number[];
}

export interface Memory {
  readonly part: number;
  readonly round: number;
  /** In this auction, the cheapest first. */
  readonly taken: readonly Taken[];
  /** The sale before this one. */
  readonly sale: Sale | null;
  /** The estate that the viewer has laid face down. */
  readonly chosen: number | null;
}

export const NOTHING: Memory = { part: 0, round: 0, taken: [], sale: null, chosen: null };

/** The memory after a moment with this view and these events. Safe for moments in any order. */
export function remember(memory: Memory, view: View, events: readonly LogEvent[]): Memory {
  let { taken, chosen } = isSameRound(memory, view) ? memory : NOTHING;
  let sale = memory.sale;
  for (const event of eventsOf(events)) {
    switch (event.type) {
      case 'EstatesOpened':
        taken = [];
        break;
      case 'Passed':
        taken = [...taken.filter((each) => each.seat !== event.seat), event];
        break;
      case 'ChequesOpened':
        chosen = null;
        break;
      case 'Chose':
        if (event.seat === view.seat) chosen = event.estate;
        break;
      case 'Sold':
        sale = { round: roundOf(view), estates: event.estates, cheques: event.cheques };
        chosen = null;
        break;
    }
  }
  return {
    part: view.part,
    round: view.round,
    taken: stillTrue(taken, view),
    sale: sale !== null && fits(sale, view) ? sale : null,
    chosen: view.part === 2 && chosen !== null && view.hand.includes(chosen) ? chosen : null,
  };
}

function isSameRound(memory: Memory, view: View): boolean {
  return memory.part === view.part && memory.round === view.round;
}

/** The round of the last sale before this view. */
function roundOf(view: View): number {
  return view.part === 3 ? view.round : view.round - 1;
}

function fits(sale: Sale, view: View): boolean {
  return view.part !== 1 && sale.round === roundOf(view) && sale.round > 0;
}

function stillTrue(taken: readonly Taken[], view: View): Taken[] {
  if (view.part !== 1) return [];
  return taken
    .filter(({ seat, estate }) => !view.inside.includes(seat) && !view.market.includes(estate))
    .sort((a, b) => a.estate - b.estate);
}

/** The empty places of the market, from the left; null: it is not known what lay there. */
export function gaps(memory: Memory, view: View): (Taken | null)[] {
  const count = Math.max(0, view.coins.length - view.market.length);
  const known = count === 0 ? [] : memory.taken.slice(-count);
  return [...Array.from({ length: count - known.length }, () => null), ...known];
}
