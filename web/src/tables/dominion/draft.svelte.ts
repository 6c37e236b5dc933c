/** The unsent choice of the viewer. Board and dock share it. */
import type { OpenAsk } from '../contract';
import type { Pending } from './turn';
import type { View } from './types';

/** A move that the page does not send, because it cannot succeed. */
export interface Problem {
  readonly code: string;
  readonly card: string | null;
}

export class Draft {
  /** The action card that asks for choices. */
  pending: Pending | null = $state.raw(null);
  /** Under attack, the places of the cards to discard, in order. */
  discard: readonly number[] = $state.raw([]);
  /** The cards to buy, in order. */
  tray: readonly string[] = $state.raw([]);
  /** The places of treasures that are not played with the buy. */
  kept: readonly number[] = $state.raw([]);
  /** The card to put on top of the discard pile. */
  top: string | null = $state(null);
  /** Whether the turn ends as soon as the buy is done. */
  endsTurn = $state(false);
  problem: Problem | null = $state.raw(null);
  /** Whether a dock shows the viewer's hand, so that the board need not. */
  isDocked = $state(false);
  /** The view and the question of the last answer, so that no old position is answered again. */
  sent: { readonly view: View; readonly ask: OpenAsk } | null = $state.raw(null);

  /** Where arrow keys lead from one part of the table to the other. */
  supplyElement: HTMLElement | null = null;
  handElement: HTMLElement | null = null;

  #turn = -1;
  #hand = '';

  /** Forget what belongs to an earlier turn or another hand. */
  follow(view: View): void {
    const turn = view.seat === null ? -1 : view.turn * 1000 + (view.areas[view.turn]?.turns ?? 0);
    const hand = view.hand.join();
    if (turn !== this.#turn) {
      this.tray = [];
      this.endsTurn = false;
    }
    if (turn !== this.#turn || hand !== this.#hand) {
      this.pending = null;
      this.discard = [];
      this.kept = [];
      this.top = null;
      this.problem = null;
    }
    this.#turn = turn;
    this.#hand = hand;
  }

  begin(card: string, place: number): void {
    this.problem = null;
    this.pending = { card, place, discard: [], trash: null, gain: null };
  }

  choose(change: Partial<Pending>): void {
    this.problem = null;
    if (this.pending !== null) this.pending = { ...this.pending, ...change };
  }

  refuse(code: string, card: string | null = null): void {
    this.problem = { code, card };
  }

  /** Take the card at this index of the tray back. */
  putBack(index: number): void {
    this.problem = null;
    this.tray = this.tray.filter((_, each) => each !== index);
  }
}

/** With the value if it was missing, without it if it was there. */
export function toggled<T>(values: readonly T[], value: T): T[] {
  return values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
}
