/** The state of a replay: which moment is shown, to whom, and whether it plays. */
import type { LogEvent, Moment } from '../tables/contract';
import { FrameStore } from './frames';
import type { Audience, Frame, ReplaySource, Timeline } from './source';

/** The audience: a spectator (null), a seat, or all seats beside each other. */
export type Viewer = Audience | 'all';

export const SPEEDS = [1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

/** How long a move is shown at speed 1. */
const STEP_MS = 1000;

/** A moment that has been loaded. */
export interface Shown {
  readonly n: number;
  readonly viewer: Viewer;
  /** One for each view: more than one if all seats are shown. */
  readonly views: readonly { readonly who: Audience; readonly frame: Frame }[];
}

export class Replayer {
  /** The moment that is wanted; it is shown as soon as its frames have come. */
  at = $state(0);
  viewer: Viewer = $state(null);
  shown: Shown | null = $state.raw(null);
  timeline: Timeline;
  isPlaying = $state(false);
  speed: Speed = $state(1);
  problem: Error | null = $state.raw(null);

  readonly store: FrameStore;
  #load = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #direction: 1 | -1 = 1;

  constructor(
    private readonly source: ReplaySource,
    timeline: Timeline,
    at = 0,
    viewer: Viewer = null,
  ) {
    this.timeline = $state.raw(timeline);
    this.store = new FrameStore((who, from, to) => source.frames(who, from, to), timeline.total);
    this.viewer = this.#known(viewer);
    void this.#show(at);
    if (this.viewer !== null && this.viewer !== 'all') void this.#fetchLog();
  }

  get last(): number {
    return this.timeline.total - 1;
  }

  /** Whether the wanted moment, or the wanted viewer's view of it, is not shown yet. */
  get isLoading(): boolean {
    return this.shown?.n !== this.at || this.shown.viewer !== this.viewer;
  }

  /** Show a moment and stop playing. */
  go(n: number): void {
    this.pause();
    void this.#show(n);
  }

  step(by: 1 | -1): void {
    this.go(this.at + by);
  }

  see(viewer: Viewer): void {
    this.viewer = this.#known(viewer);
    void this.#show(this.at);
    void this.#fetchLog();
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Play on, from the start if the end is shown. */
  play(): void {
    if (this.last === 0) return;
    this.isPlaying = true;
    if (this.at >= this.last) void this.#show(0);
    this.#schedule();
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  setSpeed(speed: Speed): void {
    this.speed = speed;
    if (this.isPlaying) this.#schedule();
  }

  retry(): void {
    void this.#show(this.at);
  }

  close(): void {
    this.pause();
    this.#load += 1;
  }

  #known(viewer: Viewer): Viewer {
    return typeof viewer === 'number' && !(viewer in this.timeline.players) ? null : viewer;
  }

  #audiences(): Audience[] {
    return this.viewer === 'all' ? this.timeline.players.map((_, seat) => seat) : [this.viewer];
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#playOn(), STEP_MS / this.speed);
  }

  /** The next move, as soon as it has come. None is left out. */
  async #playOn(): Promise<void> {
    await this.#show(this.at + 1);
    if (this.problem !== null || this.at >= this.last) this.pause();
    else if (this.isPlaying) this.#schedule();
  }

  async #show(wanted: number): Promise<void> {
    const n = Math.max(0, Math.min(this.last, Math.round(wanted) || 0));
    this.#direction = n < this.at ? -1 : 1;
    this.at = n;
    this.problem = null;
    const load = ++this.#load;
    const [viewer, audiences] = [this.viewer, this.#audiences()];
    try {
      const kept = audiences.map((who) => this.store.peek(who, n));
      const frames = kept.every((frame) => frame !== undefined)
        ? kept
        : await Promise.all(audiences.map((who) => this.store.get(who, n)));
      if (load !== this.#load) return;
      this.shown = { n, viewer, views: audiences.map((who, i) => ({ who, frame: frames[i]! })) };
      for (const who of audiences) this.store.prefetch(who, n, this.#direction);
    } catch (e) {
      if (load === this.#load) this.problem = e instanceof Error ? e : new Error(String(e));
    }
  }

  /** The log as the viewer was told it. All seats together have the spectator's. */
  async #fetchLog(): Promise<void> {
    const { viewer } = this;
    try {
      const timeline = await this.source.timeline(viewer === 'all' ? null : viewer);
      if (this.viewer === viewer) this.timeline = timeline;
    } catch {
      // the log that is shown stays
    }
  }
}

/** A frame as a table draws it. */
export function momentOf(frame: Frame, who: Audience, timeline: Timeline): Moment {
  const events = frame.events.map((each) => ({ ...each, n: frame.n })) as LogEvent[];
  return { game: timeline.game, players: timeline.players, seat: who, view: frame.view, events, clocks: [] };
}
