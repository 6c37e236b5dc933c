/** Exact fractions. The referee counts in them, so the page does, too. */
import type { Amount, Items } from './types';

export interface Fraction {
  readonly n: bigint;
  /** Above 0, and without a common divisor with `n`. */
  readonly d: bigint;
}

export const ZERO: Fraction = { n: 0n, d: 1n };
export const ONE: Fraction = { n: 1n, d: 1n };

function divisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

export function fraction(n: bigint | number, d: bigint | number = 1n): Fraction {
  const [above, below] = [BigInt(n), BigInt(d)];
  const by = divisor(above, below) || 1n;
  return { n: above / by, d: below / by };
}

/** An amount as the referee writes it: 3 or "3/2". */
export function read(amount: Amount | undefined): Fraction {
  if (amount === undefined) return ZERO;
  const [above = '0', below = '1'] = String(amount).split('/');
  return fraction(BigInt(above), BigInt(below));
}

export function written({ n, d }: Fraction): Amount {
  return d === 1n ? Number(n) : `${n}/${d}`;
}

export const plus = (a: Fraction, b: Fraction) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
export const minus = (a: Fraction, b: Fraction) => fraction(a.n * b.d - b.n * a.d, a.d * b.d);
export const times = (a: Fraction, b: Fraction) => fraction(a.n * b.n, a.d * b.d);
export const over = (a: Fraction, b: Fraction) => fraction(a.n * b.d, a.d * b.n);
/** Below 0 if a is less than b, 0 if they are equal. */
export const compare = (a: Fraction, b: Fraction) => Number(a.n * b.d - b.n * a.d);
export const least = (a: Fraction, b: Fraction) => (compare(a, b) <= 0 ? a : b);
export const isWhole = ({ d }: Fraction) => d === 1n;
export const isSome = ({ n }: Fraction) => n > 0n;
/** Without what is behind the point. */
export const floor = ({ n, d }: Fraction) => fraction(n / d);
export const ceil = ({ n, d }: Fraction) => fraction((n + d - 1n) / d);

/** Items of a hand with their amounts. */
export type Stock = ReadonlyMap<string, Fraction>;

export function stockOf(items: Items): Map<string, Fraction> {
  return new Map(Object.entries(items).map(([item, amount]) => [item, read(amount)]));
}

export function itemsOf(stock: Stock): Items {
  return Object.fromEntries(
    [...stock].filter(([, amount]) => isSome(amount)).map(([i, amount]) => [i, written(amount)]),
  );
}

/** An amount as it was typed: "3", "1/2" or "0.5"; null if it is none, or not above 0. */
export function typed(text: string): Fraction | null {
  const found = /^\s*(\d{1,9})(?:\s*\/\s*(\d{1,6})|[.,](\d{1,4}))?\s*$/.exec(text);
  if (found === null) return null;
  const [, whole = '0', below, behind] = found;
  if (below !== undefined && BigInt(below) === 0n) return null;
  const amount =
    behind !== undefined
      ? fraction(BigInt(whole + behind), 10n ** BigInt(behind.length))
      : fraction(BigInt(whole), BigInt(below ?? '1'));
  return isSome(amount) ? amount : null;
}
