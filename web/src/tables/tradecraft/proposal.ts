/** The sides of a proposal as they are typed, and why a line cannot be sent. The referee checks a proposal again. */
import { compare, isWhole, read, typed } from './fraction';
import type { Items } from './types';

export type Side = 'offer' | 'request';

/** The typed amounts, by item. */
export type Typed = Readonly<Record<string, string>>;

export type Problem = 'not_a_number' | 'fraction' | 'too_many';

/** Why a line cannot be traded; null: it can. */
export function problemOf(item: string, text: string, hand: Items): Problem | null {
  const amount = typed(text);
  if (amount === null) return 'not_a_number';
  if (!isWhole(amount)) return 'fraction';
  return compare(amount, read(hand[item])) > 0 ? 'too_many' : null;
}

/** The lines of a side that cannot be sent. */
export function problemsOf(side: Typed, hand: Items): Map<string, Problem> {
  const lines = Object.entries(side).map(([item, text]) => [item, problemOf(item, text, hand)] as const);
  return new Map(lines.filter((line): line is readonly [string, Problem] => line[1] !== null));
}

/** The items of a side whose lines are all right. */
export function sideOf(side: Typed): Record<string, number> {
  const lines = Object.entries(side).map(([item, text]) => [item, typed(text)] as const);
  return Object.fromEntries(
    lines.flatMap(([item, amount]) => (amount === null ? [] : [[item, Number(amount.n / amount.d)]])),
  );
}

/** A side with one item more or fewer; a line of none is taken out. */
export function changed(side: Typed, item: string, by: number): Typed {
  const now = typed(side[item] ?? '');
  const whole = now === null ? 0 : Number(now.n / now.d);
  const { [item]: _, ...others } = side;
  return whole + by > 0 ? { ...side, [item]: String(whole + by) } : others;
}
