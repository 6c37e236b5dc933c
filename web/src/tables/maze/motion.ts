/** The movements between two moments, so that the board can show them. */
import type { LogEvent } from '../contract';
import { step, centre, type Point } from './geometry';
import {
  carried,
  cellOf,
  lineOf,
  reachable,
  slid,
  tilesOf,
  wayTo,
  type Cell,
  type Gems,
  type Moved,
  type Slide,
  type View,
} from './rules';

export interface Motion {
  readonly seat: number;
  readonly slide: Slide;
  /** The cells of the line that slid. */
  readonly line: readonly Cell[];
  /** The tile that was pushed off. */
  readonly off: { readonly glyph: string; readonly gems: Gems };
  /** The walk of the avatar, both ends included. */
  readonly way: readonly Cell[];
}

export const SLIDE_MS = 150;
export const WALK_MS = 200;

/** The move between two views; null if they are not the position before and after exactly one move. */
export function motionOf(before: View | null, after: View, events: readonly LogEvent[]): Motion | null {
  const moves = events.map((each) => each.event).filter(isMoved);
  const [moved] = moves;
  if (before === null || moved === undefined || moves.length > 1 || before.turn + 1 !== after.turn) return null;
  const slide: Slide = { index: moved.index, direction: moved.direction };
  const board = tilesOf(before);
  const tiles = slid(board, slide, moved.degrees);
  const at = before.avatars[moved.seat]?.at;
  const to = cellOf(moved.to, after);
  const isSame = tiles.glyphs.join('') === after.tiles.join('') && tiles.columns === after.columns;
  if (!isSame || at === undefined || to === null) return null;
  const way = wayTo(reachable(tiles, carried(before, cellOf(at, before) ?? 0, slide)), to) ?? [to];
  const off = { glyph: tiles.spare, gems: tiles.spareGems };
  return { seat: moved.seat, slide, line: lineOf(after, slide), off, way };
}

export function isMoved(event: { readonly type: string }): event is Moved {
  return event.type === 'Moved';
}

/** An offset from the final place, and when it is reached, from 0 to 1. */
export interface Frame extends Point {
  readonly offset: number;
}

/** How the avatar of a seat gets to the cell where it stands now: with its line, and then on foot. */
export function frames(motion: Motion, seat: number, cell: Cell, columns: number, withSlide: boolean): Frame[] {
  const slideMs = withSlide ? SLIDE_MS : 0;
  const isWalker = seat === motion.seat;
  const way = isWalker ? motion.way : [cell];
  const first = way[0] ?? cell;
  const end = centre(cell, columns);
  const total = slideMs + WALK_MS;
  const made: Frame[] = [];
  if (withSlide && motion.line.includes(first)) {
    const { x, y } = step(motion.slide.direction);
    const from = centre(first, columns);
    made.push({ x: from.x - x - end.x, y: from.y - y - end.y, offset: 0 });
  }
  way.forEach((each, i) => {
    const at = centre(each, columns);
    const done = way.length === 1 ? 0 : i / (way.length - 1);
    made.push({ x: at.x - end.x, y: at.y - end.y, offset: (slideMs + WALK_MS * done) / total });
  });
  return made.length > 1 ? made : [];
}
