/** The part of the rules that the table needs: slides, turns, reachable cells, and whether a move is legal. The referee
 * decides; this answers before anything is sent. Numbers such as 3.6 are those of the rules of Maze. */
import type { components } from '../../generated/maze';

type Schemas = components['schemas'];
export type View = Schemas['View'];
export type Ask = Schemas['SetUp'] | Schemas['TakeTurn'] | Schemas['Hear'];
export type Move = Schemas['Move'];
export type Action = Move | Schemas['Pass'] | Schemas['Ack'];
export type Moved = Schemas['Moved'];
export type Direction = Move['direction'];
export type Gems = readonly [string, string];
/** A row and a column, both counted from 0. */
export type Spot = readonly [number, number];
/** Cell i is in row floor(i / columns) and column i % columns. */
export type Cell = number;

export interface Slide {
  readonly index: number;
  readonly direction: Direction;
}

const NORTH = 1;
const EAST = 2;
const SOUTH = 4;
const WEST = 8;

/** The open sides of a tile by its glyph (1.2). */
const SHAPES: Record<string, number> = {
  '│': NORTH | SOUTH,
  '─': EAST | WEST,
  '┐': SOUTH | WEST,
  '└': NORTH | EAST,
  '┌': EAST | SOUTH,
  '┘': NORTH | WEST,
  '┬': EAST | SOUTH | WEST,
  '├': NORTH | EAST | SOUTH,
  '┴': NORTH | EAST | WEST,
  '┤': NORTH | SOUTH | WEST,
  '┼': NORTH | EAST | SOUTH | WEST,
};
export const GLYPHS: readonly string[] = Object.keys(SHAPES);

const GLYPH_OF = new Map(Object.entries(SHAPES).map(([glyph, shape]) => [shape, glyph]));
const OPPOSITE: Record<Direction, Direction> = { LEFT: 'RIGHT', RIGHT: 'LEFT', UP: 'DOWN', DOWN: 'UP' };

export function isRow(direction: Direction): boolean {
  return direction === 'LEFT' || direction === 'RIGHT';
}

export function isSameSlide(a: Slide | null, b: Slide | null): boolean {
  return a?.index === b?.index && a?.direction === b?.direction;
}

/** The same line in the opposite direction. */
export function reverse(slide: Slide): Slide {
  return { index: slide.index, direction: OPPOSITE[slide.direction] };
}

/** The glyph after a turn counter-clockwise (3.3). */
export function turned(glyph: string, degrees: number): string {
  let shape = SHAPES[glyph] ?? 0;
  for (let i = 0; i < degrees; i += 90) shape = (shape >> 1) | ((shape & NORTH) << 3);
  return GLYPH_OF.get(shape) ?? glyph;
}

/** The tiles of a board with their gems, row by row, and the spare. */
export interface Tiles {
  readonly rows: number;
  readonly columns: number;
  readonly glyphs: readonly string[];
  readonly gems: readonly Gems[];
  readonly spare: string;
  readonly spareGems: Gems;
}

export function tilesOf(view: View): Tiles {
  const { rows, columns, gems, spare, spare_gems: spareGems } = view;
  return { rows, columns, glyphs: view.tiles.flatMap((row) => [...row]), gems, spare, spareGems };
}

export function cellOf(spot: Spot, board: { rows: number; columns: number }): Cell | null {
  const [row, column] = spot;
  const isOn = row >= 0 && row < board.rows && column >= 0 && column < board.columns;
  return isOn ? row * board.columns + column : null;
}

export function spotOf(cell: Cell, columns: number): Spot {
  return [Math.floor(cell / columns), cell % columns];
}

/** Whether a tile never moves (1.4). */
export function isFixed(cell: Cell, columns: number): boolean {
  const [row, column] = spotOf(cell, columns);
  return row % 2 === 1 && column % 2 === 1;
}

/** All slides (1.4), clockwise around the board from the top left. */
export function slides(rows: number, columns: number): Slide[] {
  const evenRows = evenBelow(rows);
  const evenColumns = evenBelow(columns);
  return [
    ...evenColumns.map((index): Slide => ({ index, direction: 'DOWN' })),
    ...evenRows.map((index): Slide => ({ index, direction: 'LEFT' })),
    ...[...evenColumns].reverse().map((index): Slide => ({ index, direction: 'UP' })),
    ...[...evenRows].reverse().map((index): Slide => ({ index, direction: 'RIGHT' })),
  ];
}

function evenBelow(count: number): number[] {
  return Array.from({ length: Math.ceil(count / 2) }, (_, i) => 2 * i);
}

/** The cells of a line, from the tile that is pushed off to the gap at the other end. Empty if there is no such line. */
export function lineOf({ rows, columns }: { rows: number; columns: number }, { index, direction }: Slide): Cell[] {
  if (index < 0 || index >= (isRow(direction) ? rows : columns)) return [];
  const cells = isRow(direction)
    ? Array.from({ length: columns }, (_, column) => index * columns + column)
    : Array.from({ length: rows }, (_, row) => row * columns + index);
  return direction === 'RIGHT' || direction === 'DOWN' ? cells.reverse() : cells;
}

/** The tiles after a slide with the turned spare (3.2, 3.3). */
export function slid(board: Tiles, slide: Slide, degrees: number): Tiles {
  const cells = lineOf(board, slide);
  const glyphs = [...board.glyphs];
  const gems = [...board.gems];
  const off = cells[0];
  const gap = cells.at(-1);
  if (off === undefined || gap === undefined) return board;
  for (let i = 0; i + 1 < cells.length; i++) {
    glyphs[cells[i]!] = board.glyphs[cells[i + 1]!]!;
    gems[cells[i]!] = board.gems[cells[i + 1]!]!;
  }
  glyphs[gap] = turned(board.spare, degrees);
  gems[gap] = board.spareGems;
  return { ...board, glyphs, gems, spare: board.glyphs[off]!, spareGems: board.gems[off]! };
}

/** The cell of an avatar after a slide (3.4). */
export function carried(board: { rows: number; columns: number }, cell: Cell, slide: Slide): Cell {
  const cells = lineOf(board, slide);
  const place = cells.indexOf(cell);
  if (place === -1) return cell;
  return place === 0 ? cells.at(-1)! : cells[place - 1]!;
}

/** The cells that are connected with this one (1.5). */
function neighbours({ rows, columns, glyphs }: Tiles, cell: Cell): Cell[] {
  const [row, column] = spotOf(cell, columns);
  const isOpen = (at: Cell, side: number) => ((SHAPES[glyphs[at] ?? ''] ?? 0) & side) !== 0;
  const joins = (to: Cell, out: number, back: number) => isOpen(cell, out) && isOpen(to, back);
  const found: Cell[] = [];
  if (row > 0 && joins(cell - columns, NORTH, SOUTH)) found.push(cell - columns);
  if (column + 1 < columns && joins(cell + 1, EAST, WEST)) found.push(cell + 1);
  if (row + 1 < rows && joins(cell + columns, SOUTH, NORTH)) found.push(cell + columns);
  if (column > 0 && joins(cell - 1, WEST, EAST)) found.push(cell - 1);
  return found;
}

/** All cells that can be reached, the start included; each with the cell before it on a shortest way. */
export function reachable(board: Tiles, start: Cell): ReadonlyMap<Cell, Cell> {
  const before = new Map<Cell, Cell>([[start, start]]);
  for (const cell of before.keys()) {
    // A map also visits the keys that are added meanwhile, so this is a search in breadth.
    for (const next of neighbours(board, cell)) if (!before.has(next)) before.set(next, cell);
  }
  return before;
}

/** The cells of a shortest way, both ends included; null if there is none. */
export function wayTo(reached: ReadonlyMap<Cell, Cell>, to: Cell): Cell[] | null {
  const way = [to];
  for (;;) {
    const last = way.at(-1)!;
    const before = reached.get(last);
    if (before === undefined) return null;
    if (before === last) return way.reverse();
    way.push(before);
  }
}

/** Why a move is not legal: the referee's code. */
export type Illegal = 'undo' | 'stays' | 'unreachable';

/** Check a move of a line that exists to a cell of the board, from `at` (3.5, 3.6); null if it is legal. */
export function illegal(
  board: Tiles,
  at: Cell,
  last: Slide | null,
  slide: Slide,
  degrees: number,
  to: Cell,
): Illegal | null {
  if (undoes(slide, last)) return 'undo';
  const from = carried(board, at, slide);
  if (to === from) return 'stays';
  return reachable(slid(board, slide, degrees), from).has(to) ? null : 'unreachable';
}

/** Whether a slide would reverse the last one (3.6). */
export function undoes(slide: Slide, last: Slide | null): boolean {
  return last !== null && isSameSlide(slide, reverse(last));
}

export function lastOf(view: View): Slide | null {
  return view.last === null ? null : { index: view.last[0], direction: view.last[1] };
}
