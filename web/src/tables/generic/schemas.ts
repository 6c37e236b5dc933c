/** The schemas of games, loaded once each. */
import { api, got } from '../../api/client';
import { GameSchema, type SchemaDocument } from './schema';

const loaded = new Map<string, GameSchema>();

export async function loadSchema(game: string): Promise<GameSchema> {
  const known = loaded.get(game);
  if (known !== undefined) return known;
  const document = await got(api.GET('/api/games/{name}/schema', { params: { path: { name: game } } }));
  const schema = new GameSchema(document as SchemaDocument);
  loaded.set(game, schema);
  return schema;
}

/** The schema of a game whose table has been loaded; an empty one for another game. */
export function schemaOf(game: string): GameSchema {
  return loaded.get(game) ?? new GameSchema({});
}
