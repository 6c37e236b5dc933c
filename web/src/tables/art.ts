/** How the drawings on cards are made: shapes of one line weight in flat colours. */

/** The colour of a shape; Art.svelte knows the colours. `tint` and its shades are chosen by the drawing's user. */
export type Paint =
  | 'beam'
  | 'brick'
  | 'cloth'
  | 'coin'
  | 'copper'
  | 'dark'
  | 'fine'
  | 'leaf'
  | 'lit'
  | 'plank'
  | 'roof'
  | 'shade'
  | 'slate'
  | 'slit'
  | 'thatch'
  | 'tint'
  | 'tint-bright'
  | 'tint-deep'
  | 'wall'
  | 'wood';

/** A shape and the path of its outline, drawn in order. */
export type Shape = readonly [paint: Paint, path: string];

export type Tint =
  'black' | 'blue' | 'copper' | 'gold' | 'green' | 'pink' | 'purple' | 'red' | 'stone' | 'teal' | 'white' | 'wood';

/** The shape of each seat, about 12 units wide around the origin. */
export const SEAT_SHAPES: readonly string[] = [
  'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0Z',
  'M-5.3-5.3h10.6v10.6h-10.6Z',
  'M0-6L6.3 5.1H-6.3Z',
  'M0-6.9L6.9 0L0 6.9L-6.9 0Z',
  'M0-6.6L6.3-2L3.9 5.4H-3.9L-6.3-2Z',
  'M0-6.6L5.7-3.3V3.3L0 6.6L-5.7 3.3V-3.3Z',
];

/** A name that fits into so many letters. */
export function shortened(name: string, most: number): string {
  const letters = [...name];
  return letters.length <= most ? name : `${letters.slice(0, most - 1).join('')}…`;
}
