/** The table of a game without one of its own, made from the game's schema. */
import type { GameTable } from '../contract';
import Board from './Board.svelte';
import Dock from './Dock.svelte';
import { GenericDraft } from './draft.svelte';
import { loadSchema } from './schemas';
import { headingOf } from './shapes';

export async function tableFor(game: string): Promise<GameTable> {
  const schema = await loadSchema(game);
  return { Board, Dock, newDraft: () => new GenericDraft(), heading: (view) => headingOf(schema, view), tutorial: [] };
}
