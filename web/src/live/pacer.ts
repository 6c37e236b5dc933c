/** Hands on items one after the other, so that people can follow bots that answer at once. The more items wait, the
 * faster they go. */

const STEP_MS = 220;
/** No item waits longer than this, however many there are. */
const MOST_BEHIND_MS = 1200;
/** Items that would follow each other faster than this are shown together. */
const FRAME_MS = 16;

export class Pacer<T> {
  #waiting: T[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the last item was shown. */
  #last = -Infinity;
  /** When everything that waits has to be shown. */
  #due = 0;

  constructor(
    private readonly show: (item: T) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether everything has been shown. */
  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  add(item: T): void {
    this.#waiting.push(item);
    this.#due = this.now() + MOST_BEHIND_MS;
    if (this.#timer === undefined) this.#next();
  }

  /** Show everything now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const item of this.#waiting.splice(0)) this.show(item);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #next(): void {
    const step = Math.min(STEP_MS, Math.max(0, this.#due - this.now()) / this.#waiting.length);
    const together = Math.max(1, Math.ceil(FRAME_MS / step));
    const early = this.#last + Math.max(step, FRAME_MS) - this.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#last = this.now();
        for (const item of this.#waiting.splice(0, together)) this.show(item);
        if (!this.isIdle) this.#next();
      },
      Math.max(0, early),
    );
  }
}
