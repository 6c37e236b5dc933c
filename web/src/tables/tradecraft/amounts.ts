/** Amounts of items for people: "3/2" is 1½. */
import type { Amount } from './types';

const SIGNS: Readonly<Record<string, string>> = {
  '1/2': '½',
  '1/3': '⅓',
  '2/3': '⅔',
  '1/4': '¼',
  '3/4': '¾',
  '1/5': '⅕',
  '2/5': '⅖',
  '3/5': '⅗',
  '4/5': '⅘',
  '1/6': '⅙',
  '5/6': '⅚',
  '1/8': '⅛',
  '3/8': '⅜',
  '5/8': '⅝',
  '7/8': '⅞',
};
const MOST_DIGITS = 3;

/** An amount in at most about five characters. A fraction without a sign of its own becomes a decimal number. */
export function shownAmount(amount: Amount): string {
  const [above = '0', below = '1'] = String(amount).split('/');
  const [n, d] = [BigInt(above), BigInt(below)];
  const whole = n / d;
  if (String(whole).length > MOST_DIGITS) return `${'9'.repeat(MOST_DIGITS)}+`;
  const rest = n % d;
  if (rest === 0n) return String(whole);
  const sign = SIGNS[`${rest}/${d}`];
  if (sign !== undefined) return whole === 0n ? sign : `${whole}${sign}`;
  const hundredths = (rest * 100n) / d;
  return hundredths === 0n && whole === 0n ? '<0.01' : `${whole}.${String(hundredths).padStart(2, '0')}`;
}
