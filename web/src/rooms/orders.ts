/** Make and administer rooms. */
import { someToken } from '../accounts';
import { api, got, type Schemas } from '../api/client';
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

/** `password`: null if the room belongs to the user. */
export async function startRoom(name: string, password: string | null): Promise<void> {
  await got(api.POST('/api/rooms/{name}/start', { params: { path: { name } }, body: proof(password) }));
}

export async function restartRoom(name: string, password: string | null, settings: RoomChanges): Promise<void> {
  const body = { ...proof(password), settings };
  await got(api.POST('/api/rooms/{name}/restart', { params: { path: { name } }, body }));
}

export async function deleteRoom(name: string, password: string | null): Promise<void> {
  await got(api.DELETE('/api/rooms/{name}', { params: { path: { name } }, body: proof(password) }));
  keepKey(name, '');
}

function proof(password: string | null): Schemas['RoomOrder'] {
  return password === null ? {} : { admin_password: password };
}
