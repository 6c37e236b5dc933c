/** The choices that the viewer has made for a turn, shared by the board and the dock. */
import type { Cell, Slide } from './rules';

export class MazeDraft {
  /** The turn of the match that the choices are for; choices for another turn count as none. */
  turn = $state(-1);
  slide: Slide | null = $state.raw(null);
  /** Counter-clockwise. */
  degrees = $state(0);
  to: Cell | null = $state(null);
  /** Whether the viewer tried to send the choices, so that the page should say what is missing. */
  isTried = $state(false);
  /** The slide under the pointer, shown before it is chosen. */
  hovered: Slide | null = $state.raw(null);

  choose(turn: number, slide: Slide): void {
    this.#begin(turn);
    this.slide = slide;
  }

  /** Turn the spare by a quarter, counter-clockwise if `quarters` is positive. */
  turnSpare(turn: number, quarters: number): void {
    this.#begin(turn);
    this.degrees = (((this.degrees + 90 * quarters) % 360) + 360) % 360;
  }

  /** Choose a cell to walk to. Without a slide that is too early, and the page says so. */
  goTo(turn: number, cell: Cell): void {
    this.#begin(turn);
    this.to = cell;
    this.isTried = this.slide === null;
  }

  try(turn: number): void {
    this.#begin(turn);
    this.isTried = true;
  }

  #begin(turn: number): void {
    this.isTried = false;
    if (this.turn === turn) return;
    this.turn = turn;
    this.slide = null;
    this.degrees = 0;
    this.to = null;
  }
}
