/** Which lines of a long log are drawn. */

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
