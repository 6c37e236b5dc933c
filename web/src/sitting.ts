/** Take a seat: at the next table of a game, at a table by its id, or at a new table of one's own. */
import { someToken } from './accounts';
import { api, got, type Schemas } from './api/client';
import { keepSalt, newSalt } from './live/salt';
import { router } from './router.svelte';
import { store } from './storage';

/** Stated with a seat, so that the others see that a person plays. */
const ABOUT = { kind: 'person' };
/** Seconds that bots take for an answer at tables with people. */
export const PACE_S = 0.6;

export type NewTable = Schemas['NewTable'];

export function addressOf(match: string): string {
  return `/matches/${encodeURIComponent(match)}`;
}

function seated(seat: Schemas['Seated'], salt: string): void {
  keepSalt(seat.table, salt);
  router.go(addressOf(seat.table));
}

/** Sit down at the next table of a game; if `seats` is given, at one of that size. */
export async function playQuick(game: string, seats: number | null = null): Promise<void> {
  await someToken();
  const salt = newSalt();
  const params = { path: { name: game } };
  seated(await got(api.POST('/api/queue/{name}', { params, body: { salt, about: ABOUT, seats } })), salt);
}

export async function joinTable(table: string, key = '', name: string | null = null): Promise<void> {
  await someToken(name);
  const salt = newSalt();
  const params = { path: { table } };
  seated(await got(api.POST('/api/tables/{table}/join', { params, body: { salt, key, about: ABOUT } })), salt);
}

/** Open a table, sit down at it if wanted, and go there. */
export async function openTable(wanted: NewTable, sitDown: boolean): Promise<void> {
  await someToken();
  const made = await got(api.POST('/api/tables', { body: wanted }));
  if (made.key !== null) store(`key.${made.table.id}`, made.key);
  if (sitDown) await joinTable(made.table.id, made.key ?? '');
  else router.go(addressOf(made.table.id));
}
