/** The tables by game. A game without a table of its own gets the generic one, made from its schema. */
import type { GameTable } from './contract';

const TABLES: Record<string, () => Promise<{ default: GameTable }>> = {
  forsale: () => import('./forsale'),
  maze: () => import('./maze'),
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

/** Whether a game has a table of its own. */
export function hasOwnTable(game: string): boolean {
  return game in TABLES;
}
