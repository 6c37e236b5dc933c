/** Fingers and the mouse on the map: one drags it, two zoom it, and a short press selects a cell. */
import type { MapState } from './map_state.svelte';
import { pinched, type Point } from './viewport';

/** A press that moves less than this, in pixels, is a click. */
const CLICK = 5;

interface Press {
  readonly start: Point;
  at: Point;
}

export class Gestures {
  readonly #presses = new Map<number, Press>();
  /** Whether the press has become a drag. */
  #isDrag = false;

  constructor(
    private readonly map: MapState,
    private readonly click: (at: Point) => void,
  ) {}

  get isDragging(): boolean {
    return this.#isDrag && this.#presses.size > 0;
  }

  down(id: number, at: Point): void {
    if (this.#presses.size === 0) this.#isDrag = false;
    this.#presses.set(id, { start: at, at });
    if (this.#presses.size > 1) this.#isDrag = true;
  }

  /** True if the press drags the map. */
  move(id: number, at: Point): boolean {
    const press = this.#presses.get(id);
    if (press === undefined) return false;
    if (!this.#isDrag && Math.hypot(at.x - press.start.x, at.y - press.start.y) < CLICK) return false;
    this.#isDrag = true;
    const before = [...this.#presses.values()].map((each) => each.at);
    const from = press.at;
    press.at = at;
    const after = [...this.#presses.values()].map((each) => each.at);
    if (before.length === 1) this.map.pan({ x: at.x - from.x, y: at.y - from.y });
    else this.#pinch(before, after);
    return true;
  }

  up(id: number): void {
    const press = this.#presses.get(id);
    this.#presses.delete(id);
    if (press !== undefined && !this.#isDrag) this.click(press.at);
  }

  cancel(id: number): void {
    this.#presses.delete(id);
    this.#isDrag = true;
  }

  #pinch(before: readonly Point[], after: readonly Point[]): void {
    const { map } = this;
    const [a, b, c, d] = [before[0]!, before[1]!, after[0]!, after[1]!];
    map.viewport = pinched(map.viewport, [a, b], [c, d], map.map, map.frame);
  }
}
