/** The seats of the user's clients, asked for again and again while somebody looks. */
import { api, got, type Schemas } from '../api/client';

const EVERY_MS = 2000;

export class OwnSeats {
  all: readonly Schemas['OwnSeat'][] = $state.raw([]);
  /** Whether the arena has answered. */
  isKnown = $state(false);
  /** Why it did not answer the last time; null: it did. */
  problem = $state.raw<unknown>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor() {
    void this.#ask();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    try {
      if (!document.hidden) {
        this.all = (await got(api.GET('/api/me/seats'))).seats;
        this.isKnown = true;
        this.problem = null;
      }
    } catch (e) {
      this.problem = e;
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#ask(), EVERY_MS);
  }
}
