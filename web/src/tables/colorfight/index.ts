import { t } from './texts';
import type { GameTable } from '../contract';
import Board from './Board.svelte';
import Charts from './Charts.svelte';
import Dock from './Dock.svelte';
import { ColorfightDraft } from './draft.svelte';
import { tutorial } from './tutorial';
import type { Action, Ask, View } from './types';

const table: GameTable<View, Ask, Action, ColorfightDraft> = {
  Board,
  Dock,
  Below: Charts,
  newDraft: () => new ColorfightDraft(),
  heading: (view) => t.colorfight.heading(view),
  tutorial,
};
export default table;
