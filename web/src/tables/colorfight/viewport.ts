/** The part of the map that is shown: its top left corner in cells, and the size of a cell in pixels. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The largest cell in pixels, and the largest of a map that is shown as a whole. */
const MOST_SCALE = 120;
const MOST_FIT = 72;
/** A step of the buttons and keys. */
export const ZOOM_STEP = 1.5;

/** The size of a cell at which the whole map is shown. */
export function fitScale(map: Size, frame: Size): number {
  return Math.max(0.5, Math.min(frame.width / map.width, frame.height / map.height, MOST_FIT));
}

/** The nearest viewport that shows nothing but the map. A map that is smaller than the frame is in the middle. */
export function clamped(view: Viewport, map: Size, frame: Size): Viewport {
  const scale = Math.min(Math.max(view.scale, fitScale(map, frame)), MOST_SCALE);
  return {
    x: kept(view.x, map.width, frame.width / scale),
    y: kept(view.y, map.height, frame.height / scale),
    scale,
  };
}

function kept(start: number, length: number, shown: number): number {
  return shown >= length ? (length - shown) / 2 : Math.min(Math.max(start, 0), length - shown);
}

export function whole(map: Size, frame: Size): Viewport {
  return clamped({ x: 0, y: 0, scale: 0 }, map, frame);
}

/** The viewport with this point of the map, in cells, in its middle. */
export function centred(at: Point, scale: number, map: Size, frame: Size): Viewport {
  const x = at.x - frame.width / scale / 2;
  const y = at.y - frame.height / scale / 2;
  return clamped({ x, y, scale }, map, frame);
}

/** Zoom by a factor. The cell at this point of the frame, in pixels, stays where it is. */
export function zoomed(view: Viewport, factor: number, at: Point, map: Size, frame: Size): Viewport {
  const { scale } = clamped({ ...view, scale: view.scale * factor }, map, frame);
  const x = view.x + at.x / view.scale - at.x / scale;
  const y = view.y + at.y / view.scale - at.y / scale;
  return clamped({ x, y, scale }, map, frame);
}

/** Move the map by so many pixels. */
export function panned(view: Viewport, by: Point, map: Size, frame: Size): Viewport {
  return clamped({ ...view, x: view.x - by.x / view.scale, y: view.y - by.y / view.scale }, map, frame);
}

/** Pinch: the map follows two fingers from where they were to where they are. */
export function pinched(
  view: Viewport,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
  map: Size,
  frame: Size,
): Viewport {
  const [from, to] = [middle(before), middle(after)];
  const moved = panned(view, { x: to.x - from.x, y: to.y - from.y }, map, frame);
  return zoomed(moved, distance(after) / Math.max(1, distance(before)), to, map, frame);
}

function middle([a, b]: readonly [Point, Point]): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function distance([a, b]: readonly [Point, Point]): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** The viewport moved as little as possible so that a cell is shown, with a cell around it. */
export function showing(cell: Point, view: Viewport, map: Size, frame: Size): Viewport {
  const [columns, rows] = [frame.width / view.scale, frame.height / view.scale];
  const x = Math.min(Math.max(view.x, cell.x + 2 - columns), cell.x - 1);
  const y = Math.min(Math.max(view.y, cell.y + 2 - rows), cell.y - 1);
  return x === view.x && y === view.y ? view : clamped({ ...view, x, y }, map, frame);
}

/** The cell at a point of the frame, in pixels; null outside the map. */
export function cellAt(at: Point, view: Viewport, map: Size): number | null {
  const x = Math.floor(view.x + at.x / view.scale);
  const y = Math.floor(view.y + at.y / view.scale);
  return x < 0 || y < 0 || x >= map.width || y >= map.height ? null : y * map.width + x;
}

/** The columns and rows that are shown, at least in part; the ends are not among them. */
export function shownCells(view: Viewport, map: Size, frame: Size): { from: Point; to: Point } {
  return {
    from: { x: Math.max(0, Math.floor(view.x)), y: Math.max(0, Math.floor(view.y)) },
    to: {
      x: Math.min(map.width, Math.ceil(view.x + frame.width / view.scale)),
      y: Math.min(map.height, Math.ceil(view.y + frame.height / view.scale)),
    },
  };
}

/** Whether the whole map is shown. */
export function isWhole(view: Viewport, map: Size, frame: Size): boolean {
  return view.scale <= fitScale(map, frame) * 1.001;
}

/** Numbers along an edge that leave room for each other: every column, every second, fifth, tenth and so on. */
export function axisStep(scale: number, room: number): number {
  return [1, 2, 5, 10, 20, 50].find((step) => step * scale >= room) ?? 100;
}
