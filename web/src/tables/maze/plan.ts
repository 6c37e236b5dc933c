/** The unsent turn of the viewer, and its effects. */
import type { Moment, Turn } from '../contract';
import type { MazeDraft } from './draft.svelte';
import {
  carried,
  cellOf,
  illegal,
  lastOf,
  reachable,
  slid,
  spotOf,
  tilesOf,
  undoes,
  wayTo,
  type Action,
  type Ask,
  type Cell,
  type Illegal,
  type Slide,
  type Tiles,
  type View,
} from './rules';

/** Why a plan cannot be sent. `no_slide` and `no_cell`: something is still missing. */
export type Obstacle = Illegal | 'no_slide' | 'no_cell';

export interface Plan {
  readonly slide: Slide | null;
  readonly degrees: number;
  /** The board after the slide; without a slide the board as it is. */
  readonly tiles: Tiles;
  /** Where the viewer's avatar stands after the slide. */
  readonly from: Cell;
  /** Empty if there is no slide, or if it is illegal. */
  readonly reached: ReadonlyMap<Cell, Cell>;
  readonly to: Cell | null;
  /** null if there is no way to `to`. */
  readonly way: readonly Cell[] | null;
  /** null: the move is legal. */
  readonly obstacle: Obstacle | null;
}

const NOTHING: ReadonlyMap<Cell, Cell> = new Map();

/** Whether the viewer has to move now, and the view shows that position already. */
export function canMove({ view, seat }: Moment<View>, turn: Turn<Ask, Action> | null): boolean {
  const isAsked = turn !== null && turn.ask?.ask.type === 'TakeTurn' && !turn.isSending;
  return isAsked && view.phase === 'play' && seat !== null && view.order[0] === seat;
}

/** The plan for `slide`, by default the one that was chosen. A draft of an earlier turn counts as empty. */
export function planOf(view: View, seat: number, draft: MazeDraft, slide: Slide | null = chosen(view, draft)): Plan {
  const isFresh = draft.turn === view.turn;
  const [degrees, to] = isFresh ? [draft.degrees, draft.to] : [0, null];
  const board = tilesOf(view);
  const at = cellOf(view.avatars[seat]?.at ?? [0, 0], view) ?? 0;
  const last = lastOf(view);
  if (slide === null) {
    return { slide, degrees, tiles: board, from: at, reached: NOTHING, to, way: null, obstacle: 'no_slide' };
  }
  const tiles = slid(board, slide, degrees);
  const from = carried(view, at, slide);
  const reached = undoes(slide, last) ? NOTHING : reachable(tiles, from);
  const way = to === null || to === from ? null : wayTo(reached, to);
  return { slide, degrees, tiles, from, reached, to, way, obstacle: obstacleOf() };

  function obstacleOf(): Obstacle | null {
    if (slide === null) return 'no_slide';
    if (undoes(slide, last)) return 'undo';
    return to === null ? 'no_cell' : illegal(board, at, last, slide, degrees, to);
  }
}

function chosen(view: View, draft: MazeDraft): Slide | null {
  return draft.turn === view.turn ? draft.slide : null;
}

/** Send a legal plan. An illegal one is not sent, because it would cost the seat: the draft says why instead. */
export function send(plan: Plan, draft: MazeDraft, view: View, turn: Turn<Ask, Action> | null): void {
  draft.try(view.turn);
  if (plan.obstacle !== null || plan.slide === null || plan.to === null) return;
  const [row, column] = spotOf(plan.to, view.columns);
  turn?.answer({ type: 'Move', ...plan.slide, degrees: plan.degrees, row, column });
}
