import type { GameTable } from '../contract';
import { t } from './texts';
import Board from './Board.svelte';
import Dock from './Dock.svelte';
import { MazeDraft } from './draft.svelte';
import './maze.css';
import type { Action, Ask, View } from './rules';
import { tutorial } from './tutorial';

const table: GameTable<View, Ask, Action, MazeDraft> = {
  Board,
  Dock,
  newDraft: () => new MazeDraft(),
  heading: (view) => t.maze.heading(view),
  tutorial,
};
export default table;
