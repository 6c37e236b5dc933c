/** The tables by game. A game without a table of its own gets the generic one, made from its schema. */
import type { GameTable } from './contract';

const TABLES: Record<string, () => Promise<{ default: GameTable }>> = {
  forsale: () => import('./forsale'),
  maze: () => import('./maze'),
};

const loaded = new Map<string, Promise<GameTable>>();

export function tableOf(game: string): Promise<GameTable> {
  let table = loaded.get(game);
  if (table === undefined) {
    table = (TABLES[game] ?? (() => import('./generic')))().then((module) => module.default);
    table.catch(() => loaded.delete(game)); // so that it is tried again when the network is back
    loaded.set(game, table);
  }
  return table;
}

/** Whether a game has a table of its own. */
export function hasOwnTable(game: string): boolean {
  return game in TABLES;
}
