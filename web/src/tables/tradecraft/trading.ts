/** The effects of a trade for the viewer: the hands after it, and the items that are then missing for the target. */
import type { Book } from './book';
import { compare, fraction, isSome, minus, plus, read, stockOf, ZERO, type Fraction, type Stock } from './fraction';
import type { Items, View } from './types';
import { missingOf, wayTo, type Need, type Others } from './way';

type Known = Pick<View, 'hand' | 'hands' | 'target' | 'gone'>;

export interface Trade {
  readonly partner: number;
  readonly gets: Items;
  readonly gives: Items;
}

export type Prospect =
  /** The target is in the hand. */
  { readonly is: 'held' } | { readonly is: 'missing'; readonly items: Stock };

/** A hand with some items more and some fewer. */
function changed(hand: Stock, more: Items, fewer: Items): Map<string, Fraction> {
  const after = new Map(hand);
  for (const [item, amount] of stockOf(more)) after.set(item, plus(after.get(item) ?? ZERO, amount));
  for (const [item, amount] of stockOf(fewer)) after.set(item, minus(after.get(item) ?? ZERO, amount));
  return new Map([...after].filter(([, amount]) => isSome(amount)));
}

/** The other hands that items can come from: those who have left do not trade. */
function othersOf(view: Known, seat: number, trade: Trade | null): Others {
  const all = view.hands.map((hand, each) => [each, stockOf(hand)] as const);
  const there = all.filter(([each]) => each !== seat && !view.gone.includes(each));
  return new Map(
    there.map(([each, hand]) => [each, each === trade?.partner ? changed(hand, trade.gives, trade.gets) : hand]),
  );
}

/** A way to the target from the hands as they are, or as they would be after a trade. */
export function wayFor(book: Book, view: Known, seat: number, trade: Trade | null = null): Need | null {
  const [item, amount] = Object.entries(view.target)[0] ?? [];
  if (item === undefined) return null;
  const hand = stockOf(view.hand);
  const own = trade === null ? hand : changed(hand, trade.gets, trade.gives);
  return wayTo(book, item, read(amount), own, othersOf(view, seat, trade));
}

export function prospectOf(book: Book, view: Known, seat: number, trade: Trade | null): Prospect | null {
  const way = wayFor(book, view, seat, trade);
  if (way === null) return null;
  return compare(way.held, way.needed) >= 0 ? { is: 'held' } : { is: 'missing', items: missingOf(way) };
}

/** How much is missing, as one number to compare by. */
export function sizeOf(items: Stock): Fraction {
  return [...items.values()].reduce(plus, fraction(0));
}
