/** The tables by game. A game without a table of its own gets the generic one, made from its schema. */
import type { GameTable, SmallTable } from './contract';

const TABLES: Record<string, () => Promise<{ default: GameTable }>> = {
  dominion: () => import('./dominion'),
  colorfight: () => import('./colorfight'),
  forsale: () => import('./forsale'),
  maze: () => import('./maze'),
  tradecraft: () => import('./tradecraft'),
};

/** Small pictures of their own; the others are drawn by the table of the game. */
const THUMBNAILS: Record<string, () => Promise<{ default: Omit<SmallTable, 'newDraft'> }>> = {
  dominion: () => import('./dominion/thumbnail'),
  colorfight: () => import('./colorfight/thumbnail'),
  tradecraft: () => import('./tradecraft/thumbnail'),
};

const loaded = new Map<string, Promise<GameTable>>();

/** The generic table knows the schema of its game when it is shown. */
async function generic(game: string): Promise<GameTable> {
  const { tableFor } = await import('./generic');
  return tableFor(game);
}

export function tableOf(game: string): Promise<GameTable> {
  let table = loaded.get(game);
  if (table === undefined) {
    table = TABLES[game]?.().then((module) => module.default) ?? generic(game);
    table.catch(() => loaded.delete(game)); // so that it is tried again when the network is back
    loaded.set(game, table);
  }
  return table;
}

/** The component that draws small pictures of a game. */
export async function thumbnailOf(game: string): Promise<SmallTable> {
  const own = THUMBNAILS[game];
  if (own !== undefined) return { ...(await own()).default, newDraft: () => undefined };
  const { Board, heading, newDraft } = await tableOf(game);
  return { Picture: Board, heading, newDraft };
}

/** Whether a game has a table of its own. */
export function hasOwnTable(game: string): boolean {
  return game in TABLES;
}
