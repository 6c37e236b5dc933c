/** The parts of a game's table, and their properties. The same components draw live matches, replays,
 * thumbnails and the spectator's view; they know nothing but views. */
import type { Component } from 'svelte';

export type PlayerKind = 'person' | 'bot' | 'model' | 'program';

export interface Player {
  readonly name: string;
  readonly kind: PlayerKind;
}

/** An event in words, as this viewer may see it. */
export interface LogEvent {
  readonly n: number;
  readonly seat: number | null;
  readonly words: readonly string[];
  readonly event: { readonly type: string };
}

/** A running clock that this viewer may see. `until` and `bankUntil` are in the time of performance.now(). */
export interface SeatClock {
  readonly seat: number;
  readonly until: number;
  readonly bankMs: number;
}

/** One moment of a match as one viewer may see it. */
export interface Moment<View = unknown> {
  readonly game: string;
  readonly players: readonly Player[];
  /** The viewer's seat; null for a spectator. */
  readonly seat: number | null;
  readonly view: View;
  /** The options of the match, if they are known. */
  readonly options?: object;
  /** The events between the moment before and this one, so that a table can show what moved. */
  readonly events: readonly LogEvent[];
  readonly clocks: readonly SeatClock[];
}

/** A decision that the viewer has to make now. */
export interface OpenAsk<Ask = unknown> {
  readonly id: number;
  readonly attempt: number;
  readonly ask: Ask;
  /** When time is up, in the time of performance.now(); null: no limit. */
  readonly until: number | null;
  readonly limitMs: number | null;
}

/** Why the referee did not take the viewer's last answer. */
export interface Refusal<Action = unknown> {
  readonly kind: string;
  readonly code: string;
  readonly words: string;
  /** The answer that was refused, if the viewer sent one. */
  readonly action: Action | null;
  /** The action that the referee played instead; null: the viewer is asked again. */
  readonly cost: unknown;
}

/** The hands of the viewer: what is asked, and how to answer. Reactive. */
export interface Turn<Ask = unknown, Action = unknown> {
  /** null: nothing is asked now. */
  readonly ask: OpenAsk<Ask> | null;
  readonly refusal: Refusal<Action> | null;
  /** Whether an answer has been sent and nothing has come back yet. */
  readonly isSending: boolean;
  answer(action: Action): void;
  /** Answer again, in games whose rounds stay open until all have answered: the referee takes the later answer. */
  replace?(action: Action): void;
  /** A free question, in games that answer some; rejects if the connection is lost. */
  query(question: object): Promise<unknown>;
}

export interface TableProps<View = unknown, Ask = unknown, Action = unknown, Draft = unknown> {
  readonly moment: Moment<View>;
  /** null for spectators, replays and thumbnails. */
  readonly turn: Turn<Ask, Action> | null;
  /** The unsent choice of the viewer; shared by board and dock. */
  readonly draft: Draft;
  /** A thumbnail: no controls, no focusable elements, few words. */
  readonly small?: boolean;
}

/** One step of a tutorial: a position, drawn by the board, and a text beside it. */
export interface TutorialStep<View = unknown> {
  readonly view: View;
  readonly players: readonly Player[];
  readonly title: string;
  readonly text: string;
}

// The table of each game has types of its own, so the registry cannot name them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Loose = any;

/** Everything that the page needs to know about a game. Each game is a chunk of its own: `tables/NAME/index.ts`. */
export interface GameTable<View = Loose, Ask = Loose, Action = Loose, Draft = Loose> {
  readonly Board: Component<TableProps<View, Ask, Action, Draft>>;
  /** The viewer's hand and actions. Shown only to seated players, pinned to the bottom edge on phones. */
  readonly Dock: Component<TableProps<View, Ask, Action, Draft>>;
  /** Shown below the table over the whole width, such as charts. */
  readonly Below?: Component<TableProps<View, Ask, Action, Draft>>;
  newDraft(): Draft;
  /** A few words beside the title, such as "Part I, buying · round 4 of 7". */
  heading(view: View): string;
  readonly tutorial: readonly TutorialStep<View>[];
  /** More ways to play, shown on the page of the game; only games with a venue have any. */
  readonly Venue?: Component;
}

/** The component that draws a game in a small picture. It has the properties of a board, and `small`. */
export interface SmallTable {
  readonly Picture: Component<TableProps<Loose, Loose, Loose, Loose>>;
  newDraft(): unknown;
  /** The stage of the match in a few words, such as "turn 11". */
  heading(view: Loose): string;
}
