/** Which stage of a match, such as "Auction 4", a line of its log belongs to. */

/** Whether a line opens the new stage that began with an input; `seats` says whom each line of the input tells about. The
 * lines that ended the old stage come first. The last line opens the new one, together with the lines before it if none
 * of them is about a seat. A single line about a seat tells what the seat did, and belongs to the old stage. */
export function opensStage(index: number, seats: readonly (number | null)[]): boolean {
  const last = seats.length - 1;
  if (last === 0 && seats[0] !== null) return false;
  return index === last || seats.slice(index).every((seat) => seat === null);
}

/** The words of a line below the heading of its stage: without the name of the stage, if they begin with it. */
export function underHeading(words: string, stage: string | null): string {
  if (stage === null || !words.startsWith(`${stage}: `)) return words;
  const rest = words.slice(stage.length + 2);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
