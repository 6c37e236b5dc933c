/** Where things lie in the thumbnail, a drawing of 588 by 292. */

export const WIDTH = 588;
export const HEIGHT = 292;

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The middle of each seat's bid: `nearest` is below, the others follow clockwise around the felt. */
export function bidSpots(seats: number, nearest = 0): Spot[] {
  return Array.from({ length: seats }, (_, seat) => {
    const angle = Math.PI / 2 + ((seat - nearest) * 2 * Math.PI) / seats;
    return { x: WIDTH / 2 + 226 * squared(Math.cos(angle)), y: HEIGHT / 2 + 101 * squared(Math.sin(angle)) };
  });
}

/** Pushes points of a circle outwards along the longer axis, so that corners of the table are used. */
function squared(value: number): number {
  return Math.sign(value) * Math.abs(value) ** 0.8;
}

export interface Card extends Spot {
  readonly width: number;
  readonly turn: number;
}

/** A row of cards in the middle, fanned out a little. x and y are the upper left corner. */
export function fan(count: number): Card[] {
  const room = count < 5 ? 340 : 380;
  const width = Math.min(78, Math.floor(room / Math.max(1, count)) - 7);
  const height = width * 1.36;
  return Array.from({ length: count }, (_, i) => {
    const off = i - (count - 1) / 2;
    const x = WIDTH / 2 + off * (width + 7) - width / 2;
    return { x, y: HEIGHT / 2 - height / 2 + off * off * 2.5, width, turn: off * 2.4 };
  });
}

/** The viewer's own cards as a row of small chips; x and y are the upper left corner. */
export function chips(count: number, y: number): Spot[] {
  return Array.from({ length: count }, (_, i) => ({ x: WIDTH / 2 - count * 16 + 2 + i * 32, y }));
}
