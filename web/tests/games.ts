/** The real schemas of games, and moments of real matches, for tests. */
import { readFileSync } from 'node:fs';
import { GameSchema, type SchemaDocument } from '../src/tables/generic/schema';

const ROOT = new URL('../../', import.meta.url);

function json(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, ROOT), 'utf-8'));
}

/** The schema of one of our games, or of Liar's Dice, which is a package of its own. */
export function schemaFor(game: string): GameSchema {
  const path = game === 'liarsdice' ? 'web/tests/schemas/liarsdice.json' : `docs/schemas/${game}.json`;
  return new GameSchema(json(path) as SchemaDocument);
}

/** A view and an ask of seat 0. */
export function momentOf(game: string): { view: Record<string, unknown>; ask: Record<string, unknown> } {
  return json(`web/tests/moments/${game}.json`) as ReturnType<typeof momentOf>;
}
