/** Make and administer rooms. */
import { someToken } from '../accounts';
import { api, got, type Schemas } from '../api/client';
import { asHost, gotAsHost } from '../host/client';
import { hostSession } from '../host/session.svelte';
import { load, store } from '../storage';
import type { RoomChanges } from './settings';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The address of a room's page. */
export function addressOfRoom(name: string): string {
  return `/rooms/${encodeURIComponent(name)}`;
}

/** The key that this browser last joined the room with, or set for it. */
export function keyOf(room: string): string {
  return load(`room.${room}`, isText) ?? '';
}

export function keepKey(room: string, key: string): void {
  store(`room.${room}`, key === '' ? null : key);
}

export async function makeRoom(wanted: Schemas['NewRoom']): Promise<void> {
  await someToken();
  await got(api.POST('/api/rooms', { body: wanted }));
  keepKey(wanted.name, wanted.join_key ?? '');
}

/** The token of the host's page, if this tab has one, administers all rooms; any other, those of its account. */
const administration = () =>
  hostSession.token === null ? { client: api, answered: got } : { client: asHost, answered: gotAsHost };

/** `password`: null if the user needs none. */
export async function startRoom(name: string, password: string | null): Promise<void> {
  const { client, answered } = administration();
  await answered(client.POST('/api/rooms/{name}/start', { params: { path: { name } }, body: proof(password) }));
}

export async function restartRoom(name: string, password: string | null, settings: RoomChanges): Promise<void> {
  const { client, answered } = administration();
  const body = { ...proof(password), settings };
  await answered(client.POST('/api/rooms/{name}/restart', { params: { path: { name } }, body }));
}

export async function deleteRoom(name: string, password: string | null): Promise<void> {
  const { client, answered } = administration();
  await answered(client.DELETE('/api/rooms/{name}', { params: { path: { name } }, body: proof(password) }));
  keepKey(name, '');
}

function proof(password: string | null): Schemas['RoomOrder'] {
  return password === null ? {} : { admin_password: password };
}
