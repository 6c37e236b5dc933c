/** Where things are drawn, in units of the board's drawing. */
import { isRow, spotOf, type Cell, type Direction, type Slide } from './rules';

/** The side of a tile, and the distance from one tile to the next. */
export const TILE = 100;
export const PITCH = 105;
/** The width of the border with the arrows. */
export const RIM = 54;
/** From the edge of the bed to the first tile. */
const EDGE = 8;

export interface Size {
  readonly rows: number;
  readonly columns: number;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The length of the bed for this many tiles. */
export function bed(count: number): number {
  return count * PITCH - (PITCH - TILE) + 2 * EDGE;
}

/** The length of the whole drawing, border included. */
export function whole(count: number): number {
  return bed(count) + 2 * RIM;
}

/** Where a row or column of tiles begins. */
export function start(index: number): number {
  return RIM + EDGE + index * PITCH;
}

export function middle(index: number): number {
  return start(index) + TILE / 2;
}

export function centre(cell: Cell, columns: number): Point {
  const [row, column] = spotOf(cell, columns);
  return { x: middle(column), y: middle(row) };
}

/** The step of a tile when its line slides. */
export function step(direction: Direction): Point {
  if (isRow(direction)) return { x: direction === 'RIGHT' ? PITCH : -PITCH, y: 0 };
  return { x: 0, y: direction === 'DOWN' ? PITCH : -PITCH };
}

export interface ArrowPlace extends Point {
  /** In degrees; the arrow is drawn as pointing to the right. */
  readonly turn: number;
  readonly label: Point;
}

/** An arrow stands where the spare goes in, and points into the board. */
export function arrow({ index, direction }: Slide, { rows, columns }: Size): ArrowPlace {
  const along = middle(index);
  const [near, label] = [RIM - 22, RIM - 44];
  switch (direction) {
    case 'RIGHT':
      return { x: near, y: along, turn: 0, label: { x: label, y: along + 6 } };
    case 'LEFT':
      return { x: whole(columns) - near, y: along, turn: 180, label: { x: whole(columns) - label, y: along + 6 } };
    case 'DOWN':
      return { x: along, y: near, turn: 90, label: { x: along, y: label + 10 } };
    case 'UP':
      return { x: along, y: whole(rows) - near, turn: -90, label: { x: along, y: whole(rows) - label + 5 } };
  }
}

/** A way as a path that follows the bends of the corridors. */
export function wayPath(way: readonly Cell[], columns: number): string {
  const points = way.map((cell) => centre(cell, columns));
  const [first] = points;
  if (first === undefined) return '';
  let path = `M${first.x} ${first.y}`;
  for (let i = 1; i < points.length; i++) {
    const [before, here, after] = [points[i - 1]!, points[i]!, points[i + 1]];
    path += `L${(before.x + here.x) / 2} ${(before.y + here.y) / 2}`;
    if (after === undefined) path += `L${here.x} ${here.y}`;
    else if (before.x !== after.x && before.y !== after.y) {
      path += `Q${here.x} ${here.y} ${(here.x + after.x) / 2} ${(here.y + after.y) / 2}`;
    }
  }
  return path;
}

/** The avatars of a cell stand side by side. */
export function standing(place: number, count: number): Point {
  if (count === 1) return { x: 0, y: 0 };
  const perRow = count === 2 ? 2 : Math.ceil(count / 2);
  const [row, column] = [Math.floor(place / perRow), place % perRow];
  const rows = Math.ceil(count / perRow);
  return { x: (column - (perRow - 1) / 2) * 36, y: (row - (rows - 1) / 2) * 36 };
}
