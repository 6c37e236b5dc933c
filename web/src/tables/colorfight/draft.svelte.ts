/** The orders that the viewer is about to send, and the cell that is looked at. Shared by the board and the dock. */
import type { LogEvent } from '../contract';
import { judge, withOrder, type Order, type Problem } from './rules';
import type { Cell, View } from './types';

/** An order that was not carried out, or brought nothing. */
export interface Setback {
  readonly cell: Cell | null;
  /** The order, or the referee's whole line if the order is not one that this page sends. */
  readonly order: Order | string;
  readonly why: { readonly words: string } | { readonly problem: Problem | 'not_taken' };
}

/** The orders that were sent in a round. */
interface Sent {
  readonly turn: number;
  readonly orders: readonly Order[];
  readonly lists: number;
}

const FAILED = /^([abu]) (\d+) (\d+) ?(\w*) failed, (.+)\.$/;

export class ColorfightDraft {
  orders: readonly Order[] = $state.raw([]);
  selected: Cell | null = $state(null);
  /** The list that the referee has for the open round. */
  sent: Sent | null = $state.raw(null);
  /** The errors of the last round. */
  setbacks: readonly Setback[] = $state.raw([]);
  /** Orders that were taken from the list, because they are no longer possible. */
  dropped: readonly Setback[] = $state.raw([]);
  /** The cell that the board is asked to show, and a number that makes every request a new one. */
  wish: { readonly cell: Cell; readonly n: number } | null = $state.raw(null);
  #turn = -1;

  add(order: Order): void {
    this.orders = withOrder(this.orders, order);
  }

  remove(place: number): void {
    this.orders = this.orders.filter((_, i) => i !== place);
  }

  clear(): void {
    this.orders = [];
    this.dropped = [];
  }

  /** Select a cell and ask the board to show it. */
  show(cell: Cell): void {
    this.selected = cell;
    this.wish = { cell, n: (this.wish?.n ?? 0) + 1 };
  }

  /** Whether a list was sent in this round. */
  isSent(turn: number): boolean {
    return this.sent?.turn === turn;
  }

  /** Whether the list differs from the one that the referee has. */
  isChanged(turn: number): boolean {
    const { orders, sent } = this;
    if (sent === null || sent.turn !== turn) return orders.length > 0;
    return orders.length !== sent.orders.length || orders.some((order, i) => order !== sent.orders[i]);
  }

  markSent(turn: number): void {
    const lists = this.isSent(turn) ? this.sent!.lists + 1 : 1;
    this.sent = { turn, orders: this.orders, lists };
    this.dropped = [];
  }

  /** A new position has come. After a round, orders that were sent are done with, and others stay if they are still
   * possible. */
  advance(view: View, seat: number, events: readonly LogEvent[]): void {
    if (view.turn <= this.#turn) return;
    const [isFirst, isNext] = [this.#turn < 0, view.turn === this.#turn + 1];
    this.#turn = view.turn;
    if (isFirst) return;
    const sent = this.sent?.orders ?? [];
    this.sent = null;
    const failed = failuresOf(events, seat, view.width, view.height);
    this.setbacks = [...failed, ...(isNext ? lostAttacks(sent, failed, view, seat) : [])];
    this.#keep(
      this.orders.filter((order) => !sent.includes(order)),
      view,
      seat,
    );
  }

  #keep(orders: readonly Order[], view: View, seat: number): void {
    const kept: Order[] = [];
    const dropped: Setback[] = [];
    for (const order of orders) {
      const { problem } = judge(view, seat, [...kept, order]).orders.at(-1)!;
      if (problem === null) kept.push(order);
      else dropped.push({ cell: order.cell, order, why: { problem } });
    }
    this.orders = view.over ? [] : kept;
    this.dropped = view.over ? [] : dropped;
  }
}

/** The errors that the referee told the seat, with their cells as far as they have one. */
export function failuresOf(
  events: readonly LogEvent[],
  seat: number,
  width: number,
  height: number,
): readonly Setback[] {
  const lines = events.flatMap(({ event }) => (isFailed(event) && event.seat === seat ? event.words : []));
  return lines.map((line) => {
    const found = FAILED.exec(line);
    const [, letter, x, y, what, words = ''] = found ?? [];
    if (found === null || Number(x) >= width || Number(y) >= height)
      return { cell: null, order: line, why: { words: '' } };
    const cell = Number(y) * width + Number(x);
    return { cell, order: orderOf(letter, cell, what), why: { words } };
  });
}

function orderOf(letter: string | undefined, cell: Cell, what: string | undefined): Order {
  if (letter === 'a') return { kind: 'attack', cell, energy: Number(what) };
  return letter === 'b' ? { kind: 'build', cell, building: what === 'e' ? 'e' : 'g' } : { kind: 'upgrade', cell };
}

interface Failed {
  readonly type: 'Failed';
  readonly seat: number;
  readonly words: readonly string[];
}

function isFailed(event: { readonly type: string }): event is Failed {
  return event.type === 'Failed';
}

/** Attacks that were carried out and did not take the cell: others spent at least as much on it. */
function lostAttacks(sent: readonly Order[], failed: readonly Setback[], view: View, seat: number): Setback[] {
  return sent
    .filter((order) => order.kind === 'attack' && view.owner[order.cell] !== seat + 1)
    .filter((order) => !failed.some((each) => each.cell === order.cell))
    .map((order) => ({ cell: order.cell, order, why: { problem: 'not_taken' as const } }));
}
