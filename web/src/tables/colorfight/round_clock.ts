/** When the open round closes, as far as the viewer can know. */
import type { Moment, OpenAsk } from '../contract';
import type { Ask, View } from './types';

export interface RoundClock {
  /** In the time of performance.now(). */
  readonly until: number;
  readonly limitMs: number;
}

/** The clock of the viewer's own seat; null without one. */
export function ownClock(moment: Moment<View>, ask: OpenAsk<Ask> | null): RoundClock | null {
  if (ask === null || ask.until === null || ask.limitMs === null) return null;
  const own = moment.clocks.find((clock) => clock.seat === moment.seat);
  return { until: Math.min(ask.until, own?.until ?? Infinity), limitMs: ask.limitMs };
}

/** Rounds may be this much shorter or longer than the others, and are still played by a clock. */
const STEADY = 0.25;
const LEAST_ROUNDS = 3;

/** Learns the pace of a room from the rounds that were seen, for viewers who are not told its clock. */
export class PaceWatch {
  #turn = -1;
  #at = 0;
  #pauses: number[] = [];

  /** A position was shown at this time. Answers with the clock of the open round if the rounds keep a pace. */
  see(turn: number, now: number): RoundClock | null {
    if (turn !== this.#turn) {
      if (turn === this.#turn + 1) this.#pauses = [...this.#pauses, now - this.#at].slice(-LEAST_ROUNDS);
      else this.#pauses = [];
      this.#turn = turn;
      this.#at = now;
    }
    const limitMs = this.#pauses.reduce((sum, each) => sum + each, 0) / LEAST_ROUNDS;
    const isSteady = this.#pauses.every((each) => Math.abs(each - limitMs) <= STEADY * limitMs);
    if (this.#pauses.length < LEAST_ROUNDS || !isSteady) return null;
    return { until: this.#at + limitMs, limitMs };
  }
}
