/** Bids, change, coins and totals: what the table works out from a view and an ask. */
import type { Sale } from './memory';
import type { BidOrPass, Options, View } from './types';

/** The amounts that the rules allow, as a range; null: there is none. */
export interface Range {
  readonly lowest: number;
  readonly highest: number;
}

export function legalRange({ record, coins }: BidOrPass): Range | null {
  return coins > record ? { lowest: record + 1, highest: coins } : null;
}

/** The amounts of the raise row: the record, which is not enough, and the legal amounts after it. At most `most`, which
 * is enough for the coins of a usual match. */
export function raiseRow(ask: BidOrPass, most = 20): number[] {
  const first = Math.max(1, ask.record);
  const count = Math.min(most, Math.max(0, ask.coins - first + 1));
  return Array.from({ length: count }, (_, i) => first + i);
}

/** The coins that passing gives back; two numbers if the rounding of half a coin is not known. */
export function change(bid: number, rounding: Options['refund_rounding'] | null): readonly number[] {
  const down = Math.floor(bid / 2);
  if (bid % 2 === 0 || rounding === 'down') return [down];
  return rounding === 'up' ? [down + 1] : [down, down + 1];
}

/** Coins as stacks: the height of each stack, at most `height`, and at most `most` stacks. */
export function coinStacks(coins: number, height = 5, most = 4): number[] {
  const stacks: number[] = [];
  for (let left = coins; left > 0 && stacks.length < most; left -= height) stacks.push(Math.min(height, left));
  return stacks;
}

/** An estate that was sold, its seat and its cheque. */
export interface Pair {
  readonly seat: number;
  readonly estate: number;
  readonly cheque: number;
}

/** The pairs of a sale, the best estate first. */
export function pairsOf(sale: Pick<Sale, 'estates' | 'cheques'>): Pair[] {
  return sale.estates
    .map((estate, seat) => ({ seat, estate, cheque: sale.cheques[seat] ?? 0 }))
    .sort((a, b) => b.estate - a.estate);
}

export interface Total {
  readonly cheques: number;
  /** null: hidden. */
  readonly coins: number | null;
}

/** The money of the viewer's own seat; null for a spectator. */
export function ownTotal(view: View): Total | null {
  if (view.seat === null) return null;
  return { cheques: view.cheques.reduce((sum, each) => sum + each, 0), coins: view.coins[view.seat] ?? null };
}

export interface Around {
  readonly top: readonly number[];
  readonly bottom: readonly number[];
}

/** Where the seats are drawn. A seated viewer is below, all others above in the order of seats; spectators see a larger
 * table from the side, clockwise. */
export function seatsAround(count: number, viewer: number | null): Around {
  if (viewer !== null) {
    return { top: Array.from({ length: count - 1 }, (_, i) => (viewer + 1 + i) % count), bottom: [] };
  }
  const seats = Array.from({ length: count }, (_, i) => i);
  if (count <= 3) return { top: seats, bottom: [] };
  const half = Math.ceil(count / 2);
  return { top: seats.slice(0, half), bottom: seats.slice(half).reverse() };
}
