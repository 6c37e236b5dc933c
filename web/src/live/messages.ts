/** Messages of the live feed and of protocol 1. */
import type { LogEvent, Player } from '../tables/contract';

export interface Result {
  readonly type: 'Result';
  readonly scores: readonly number[];
  readonly ranks: readonly number[];
}

export interface Void {
  readonly type: 'Void';
  readonly code: string;
  readonly words: string;
}

export type End = Result | Void;

export type FeedMessage =
  | { type: 'waiting'; game: string; seats: WaitingSeat[] }
  | { type: 'dropped' }
  | { type: 'begin'; match: string; game: string; seat: number | null; players: Player[]; options: object }
  | ({ type: 'event' } & LogEvent)
  | { type: 'view'; n: number; part: string | null; view: object; clocks: FeedClock[] }
  | { type: 'over'; end: End; head: string }
  | { type: 'error'; code: string; words: string };

export interface FeedClock {
  readonly seat: number;
  readonly left_ms: number;
  /** null: unknown. */
  readonly bank_ms: number | null;
}

/** A seat of a table whose match has not begun. */
export interface WaitingSeat {
  readonly kind: string;
  /** null: the seat is free. */
  readonly name: string | null;
}
