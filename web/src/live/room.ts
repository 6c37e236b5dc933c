/** The additions of a room to the live page of its current match. */
import type { Snippet } from 'svelte';
import type { Moment, Player } from '../tables/contract';
import type { End } from './messages';

/** How a spectator joins the match. */
export interface Entering {
  /** Ask for a seat, with facts that the room wants to know, such as its key. */
  enter(about: Record<string, string>): Promise<void>;
  isBusy: boolean;
  /** Why no seat was given; empty: nothing was refused. */
  problem: string;
}

export interface LiveRoom {
  readonly name: string;
  /** The heading of the page. */
  readonly title: string;
  /** The address of the room's page, which is copied to invite others. */
  readonly address: string;
  /** Shown beside the heading. */
  readonly facts: Snippet<[Moment]>;
  /** Shown to spectators in place of the hand. */
  readonly entrance: Snippet<[Entering]>;
  /** Shown when the match is over. */
  readonly ending: Snippet<[End, readonly Player[], number | null]>;
  /** The room has begun another match, in which the viewer has a seat. */
  moved(): void;
}
