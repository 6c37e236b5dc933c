import type { GameTable } from '../contract';
import { t } from './texts';
import Board from './Board.svelte';
import Dock from './Dock.svelte';
import { TradeDraft } from './draft.svelte';
import Halls from './Halls.svelte';
import { tutorial } from './tutorial';
import type { Action, Ask, View } from './types';

const table: GameTable<View, Ask, Action, TradeDraft> = {
  Board,
  Dock,
  newDraft: () => new TradeDraft(),
  heading: (view) => t.tradecraft.stage(view),
  tutorial,
  Venue: Halls,
};
export default table;
