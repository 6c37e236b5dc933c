/** Which stage of a match, such as "Auction 4", a line of its log belongs to. */

/** Whether a line opens the new stage that began with an input. The lines that ended the old stage come first: the last
 * line opens the new one, unless it is the only line and tells what a seat did. */
export function opensStage(index: number, lines: number, seat: number | null): boolean {
  return index === lines - 1 && (lines > 1 || seat === null);
}
