/** Which lines of a long log are drawn, and under which heading. */
import { opensStage } from '../stages';

/** Lines before and after the current one. */
const BEFORE = 100;
const AFTER = 150;

/** The position of the last line that belongs to frame `n` or an earlier one; 0 if there is none. */
export function lineAt(lines: readonly { readonly n: number }[], n: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.n <= n) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The lines around the current one, moved in steps so that a step of the replay seldom changes them. */
export function windowAround(
  current: number,
  total: number,
  more: { readonly before: number; readonly after: number },
): { from: number; to: number } {
  const middle = current - (current % 50);
  return {
    from: Math.max(0, middle - BEFORE - more.before),
    to: Math.min(total, middle + AFTER + more.after),
  };
}

interface LogLine {
  readonly n: number;
  readonly seat: number | null;
}

/** The stage that a line belongs to, given the stages before and after its frame. */
export function partOfLine(
  lines: readonly LogLine[],
  index: number,
  before: string | null,
  after: string | null,
): string | null {
  const line = lines[index];
  if (line === undefined || before === null || before === after) return after;
  let first = index;
  let last = index;
  while (lines[first - 1]?.n === line.n) first -= 1;
  while (lines[last + 1]?.n === line.n) last += 1;
  const seats = lines.slice(first, last + 1).map(({ seat }) => seat);
  return opensStage(index - first, seats) ? after : before;
}
