/** Something that is loaded again and again while the page is visible. */
export class Polled<T> {
  /** The last value; null: none has come yet. */
  value: T | null = $state.raw(null);
  /** Why the last attempt failed; null: it did not. The last value stays. */
  problem = $state.raw<unknown>(null);
  #load: () => Promise<T>;
  #turn = 0;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Load now. An answer that is overtaken by a later one is ignored. */
  async refresh(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    try {
      const value = await this.#load();
      if (turn === this.#turn) [this.value, this.problem] = [value, null];
    } catch (e) {
      if (turn === this.#turn) this.problem = e;
    }
  }

  /** Load now and then at intervals, also when the page becomes visible again; returns a function that stops it. */
  start(every_ms: number): () => void {
    const refresh = () => {
      if (document.visibilityState === 'visible') void this.refresh();
    };
    refresh();
    const timer = window.setInterval(refresh, every_ms);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      this.#turn += 1;
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }
}
