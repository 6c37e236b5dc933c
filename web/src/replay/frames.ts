/** Keeps frames of a match near the moment that is shown. However long the match, only so much is kept. */
import type { Audience, Frame, Piece } from './source';

/** Frames are fetched in windows of this many, and of fewer where they are large. */
const WINDOW = 50;
const LEAST_WINDOW = 4;
const WINDOW_SIZE = 750_000;
/** Kept frames, in characters of their JSON. */
const MOST_KEPT = 16_000_000;

type Fetch = (who: Audience, from: number, to: number) => Promise<Piece>;

interface Kept {
  readonly frame: Frame;
  readonly size: number;
}

export class FrameStore {
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>();
  readonly #coming = new Map<string, Promise<void>>();
  #size = 0;
  #window = WINDOW;

  constructor(
    private readonly fetch: Fetch,
    private readonly total: number,
    private readonly most = MOST_KEPT,
  ) {}

  /** How much is kept, in characters of JSON. */
  get size(): number {
    return this.#size;
  }

  /** How many frames the next window has. */
  get window(): number {
    return this.#window;
  }

  /** The frame if it is kept. */
  peek(who: Audience, n: number): Frame | undefined {
    const key = keyOf(who, n);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.frame;
  }

  async get(who: Audience, n: number): Promise<Frame> {
    for (let tries = 0; tries < 3; tries++) {
      const frame = this.peek(who, n);
      if (frame !== undefined) return frame;
      await this.#fetchWindow(who, n);
    }
    throw new Error(`no frame ${n}`);
  }

  /** Fetch what comes next in this direction, before it is needed. Failures show when it is. */
  prefetch(who: Audience, n: number, direction: 1 | -1): void {
    const ahead = n + direction * Math.ceil(this.#window / 2);
    if (ahead < 0 || ahead >= this.total || this.#kept.has(keyOf(who, ahead))) return;
    this.#fetchWindow(who, ahead).catch(() => undefined);
  }

  #fetchWindow(who: Audience, n: number): Promise<void> {
    const from = n - (n % this.#window);
    const to = Math.min(this.total, from + this.#window);
    const key = `${keyOf(who, from)} ${to}`;
    let coming = this.#coming.get(key);
    if (coming === undefined) {
      coming = this.#load(who, from, to, n).finally(() => this.#coming.delete(key));
      this.#coming.set(key, coming);
    }
    return coming;
  }

  /** Fetch a window; if it does not fit into one answer, at least the part with frame `n`. */
  async #load(who: Audience, from: number, to: number, n: number): Promise<void> {
    const piece = await this.fetch(who, from, to);
    this.#keep(who, piece);
    if (piece.next !== null && piece.next <= n) this.#keep(who, await this.fetch(who, n, to));
  }

  #keep(who: Audience, piece: Piece): void {
    if (piece.frames.length === 0) return;
    const size = piece.size / piece.frames.length;
    for (const frame of piece.frames) {
      const key = keyOf(who, frame.n);
      this.#drop(key);
      this.#kept.set(key, { frame, size });
      this.#size += size;
    }
    this.#window = Math.max(LEAST_WINDOW, Math.min(this.#window, Math.floor(WINDOW_SIZE / size)));
    this.#trim(piece.frames.length);
  }

  /** Drop the oldest frames, but never those that have just come. */
  #trim(newest: number): void {
    for (const key of this.#kept.keys()) {
      if (this.#size <= this.most || this.#kept.size <= newest) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#size -= kept.size;
    this.#kept.delete(key);
  }
}

function keyOf(who: Audience, n: number): string {
  return `${who ?? '-'} ${n}`;
}
