/** The table of For Sale. */
import { t } from './texts';
import type { GameTable } from '../contract';
import Board from './Board.svelte';
import Dock from './Dock.svelte';
import { Draft } from './draft.svelte';
import { TUTORIAL } from './tutorial';
import type { Action, Ask, View } from './types';

const table: GameTable<View, Ask, Action, Draft> = {
  Board,
  Dock,
  newDraft: () => new Draft(),
  heading: (view) => t.forsale.heading(view.part, view.round, view.rounds),
  tutorial: TUTORIAL,
};
export default table;
