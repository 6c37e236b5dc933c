/** The part of the map that is shown, shared by the map, the overview and the buttons. */
import type { Cell } from './types';
import {
  centred,
  clamped,
  fitScale,
  isWhole,
  panned,
  showing,
  whole,
  zoomed,
  ZOOM_STEP,
  type Point,
  type Size,
  type Viewport,
} from './viewport';

/** A cell of this many pixels can be read, and hit by a finger together with its neighbours. */
const READABLE = 24;
const SMALL = 15;

export class MapState {
  viewport: Viewport = $state.raw({ x: 0, y: 0, scale: 1 });
  frame: Size = $state.raw({ width: 0, height: 0 });
  map: Size = $state.raw({ width: 1, height: 1 });

  get isWhole(): boolean {
    return isWhole(this.viewport, this.map, this.frame);
  }

  /** The frame has this size now. The first time, show the whole map, or the part around a cell if cells would be
   * small. */
  resize(frame: Size, around: Cell | null): void {
    const isFirst = this.frame.width === 0;
    const wasWhole = this.isWhole;
    this.frame = frame;
    if (isFirst && around !== null && fitScale(this.map, frame) < SMALL) this.centre(around, READABLE);
    else if (isFirst || wasWhole) this.fit();
    else this.viewport = clamped(this.viewport, this.map, frame);
  }

  fit(): void {
    this.viewport = whole(this.map, this.frame);
  }

  centre(cell: Cell, scale = Math.max(this.viewport.scale, READABLE)): void {
    const { x, y } = this.placeOf(cell);
    this.viewport = centred({ x: x + 0.5, y: y + 0.5 }, scale, this.map, this.frame);
  }

  /** Centre a point of the map, in cells. */
  moveTo(point: Point): void {
    this.viewport = centred(point, this.viewport.scale, this.map, this.frame);
  }

  zoom(factor: number, at: Point = { x: this.frame.width / 2, y: this.frame.height / 2 }): void {
    this.viewport = zoomed(this.viewport, factor, at, this.map, this.frame);
  }

  zoomIn(): void {
    this.zoom(ZOOM_STEP);
  }

  zoomOut(): void {
    this.zoom(1 / ZOOM_STEP);
  }

  pan(by: Point): void {
    this.viewport = panned(this.viewport, by, this.map, this.frame);
  }

  /** Move the map by no more than needed to show the cell. */
  reveal(cell: Cell): void {
    this.viewport = showing(this.placeOf(cell), this.viewport, this.map, this.frame);
  }

  placeOf(cell: Cell): Point {
    return { x: cell % this.map.width, y: Math.floor(cell / this.map.width) };
  }
}
