/** Where marks lie along the time line of a replay. */
import type { Mark } from './source';

/** Positions in percent. */
export interface Tick {
  readonly left: number;
  /** Empty if there is no room for it. */
  readonly words: string;
}

export interface Sign {
  readonly n: number;
  readonly left: number;
  readonly kind: 'fault' | 'lead' | 'left';
  readonly seat: number | null;
  readonly words: string;
}

/** Least distances in percent. */
const TICK_GAP = 0.6;
const LABEL_GAP = 4;
const HEADING_GAP = 12;
const SIGN_GAP = 2;

export function leftOf(n: number, total: number): number {
  return total <= 1 ? 0 : (100 * n) / (total - 1);
}

/** "Auction 4" is the heading "Auction" and the number 4. */
export function splitPart(words: string): { heading: string; number: string } {
  const found = /^(.*?)\s*(\d+)$/.exec(words);
  return found === null ? { heading: words, number: '' } : { heading: found[1] ?? '', number: found[2] ?? '' };
}

/** Headings where the kind of part changes, and ticks with numbers for the parts, as many as there is room for. */
export function partTicks(marks: readonly Mark[], total: number): { headings: Tick[]; ticks: Tick[] } {
  const headings: Tick[] = [];
  const ticks: Tick[] = [];
  let heading = '';
  let labelled = -Infinity;
  for (const mark of marks) {
    if (mark.kind !== 'part') continue;
    const left = leftOf(mark.n, total);
    const part = splitPart(mark.words);
    if (part.heading !== heading && left - (headings.at(-1)?.left ?? -Infinity) >= HEADING_GAP) {
      heading = part.heading;
      headings.push({ left, words: heading });
    }
    if (left - (ticks.at(-1)?.left ?? -Infinity) < TICK_GAP) continue;
    const hasRoom = left - labelled >= LABEL_GAP && left <= 100 - LABEL_GAP / 2;
    if (hasRoom) labelled = left;
    ticks.push({ left, words: hasRoom ? part.number : '' });
  }
  return { headings, ticks };
}

/** Signs for faults, new leaders and leaving. Where they would overlap, the first stays, and a fault before others. */
export function signs(marks: readonly Mark[], total: number): Sign[] {
  const found: Sign[] = [];
  for (const { n, kind, seat, words } of marks) {
    if (kind === 'part') continue;
    const sign = { n, kind, seat, words, left: leftOf(n, total) };
    const before = found.at(-1);
    if (before === undefined || sign.left - before.left >= SIGN_GAP) found.push(sign);
    else if (before.kind === 'lead' && kind !== 'lead') found[found.length - 1] = sign;
  }
  return found;
}

/** The part that frame `n` belongs to. Marks are in the order of their frames. */
export function partAt(parts: readonly Mark[], n: number): string | null {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.n <= n) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1]?.words ?? null;
}
