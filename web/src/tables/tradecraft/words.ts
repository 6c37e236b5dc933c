/** Items and amounts in words. */
import { t } from './texts';
import { shownAmount } from './amounts';
import { nameOf } from './bench';
import { isSome, stockOf, written, type Fraction, type Stock } from './fraction';
import type { Items } from './types';

/** An amount that is exact, however rare the fraction is. */
export function exact(amount: Fraction): string {
  const shown = shownAmount(written(amount));
  return /[.+<]/.test(shown) ? String(written(amount)) : shown;
}

/** "2 stick, 1 coal and ¼ charcoal". */
export function inWords(items: Items | Stock): string {
  const stock = items instanceof Map ? (items as Stock) : stockOf(items as Items);
  const all = [...stock].filter(([, amount]) => isSome(amount));
  return (
    t.tradecraft.and(all.map(([item, amount]) => t.tradecraft.some(exact(amount), nameOf(item)))) ||
    t.tradecraft.nothing
  );
}

/** An ingredient as the book writes it: an item, `#tag`, or `a|b`. */
export function slotWords(words: string): string {
  if (words.startsWith('#')) return t.tradecraft.anyOf(nameOf(words.slice(1)));
  const names = words.split('|').map(nameOf);
  return names.length > 3 ? t.tradecraft.either([...names.slice(0, 2), '…']) : t.tradecraft.either(names);
}

const NUMBERS = new Intl.NumberFormat('en');

/** "1,600". */
export function grouped(amount: Fraction | number): string {
  if (typeof amount === 'number') return NUMBERS.format(amount);
  return amount.d === 1n ? NUMBERS.format(amount.n) : exact(amount);
}
