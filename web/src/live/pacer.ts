/** Hands on items one after the other, so that people can follow bots that answer at once. The more items wait, the
 * faster they go. Items that come at a pace of their own, such as the rounds of a room, are not held back. */

const STEP_MS = 220;
/** No item waits longer than this, however many there are. */
const MOST_BEHIND_MS = 1200;
/** Items that would follow each other faster than this are shown together. */
const FRAME_MS = 16;
/** Items that come at least so far apart keep their own pace, */
const OWN_PACE_MS = 90;
/** and are shown a little faster than they come, so that none is left behind. */
const CATCH_UP = 0.8;

interface Waiting<T> {
  readonly item: T;
  /** The longest pause before it. */
  readonly step: number;
}

export class Pacer<T> {
  #waiting: Waiting<T>[] = [];
  /** When the last item came. */
  #came = -Infinity;
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
    const apart = this.now() - this.#came;
    this.#came = this.now();
    this.#waiting.push({ item, step: apart < OWN_PACE_MS ? STEP_MS : Math.min(STEP_MS, CATCH_UP * apart) });
    this.#due = this.now() + MOST_BEHIND_MS;
    if (this.#timer === undefined) this.#next();
  }

  /** Show everything now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { item } of this.#waiting.splice(0)) this.show(item);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #next(): void {
    const own = this.#waiting[0]?.step ?? STEP_MS;
    const step = Math.min(own, Math.max(0, this.#due - this.now()) / this.#waiting.length);
    const together = Math.max(1, Math.ceil(FRAME_MS / step));
    const early = this.#last + Math.max(step, FRAME_MS) - this.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#last = this.now();
        for (const { item } of this.#waiting.splice(0, together)) this.show(item);
        if (!this.isIdle) this.#next();
      },
      Math.max(0, early),
    );
  }
}
