import { expect, test, vi } from 'vitest';

const GRACE = { name: 'Grace', token: 'ordinary', isGuest: false, scopes: ['play', 'host'], isAdmin: true };
const HOST = { name: 'Grace', token: 'of the host', expires_ms: Date.now() + 60_000 };
/** The tokens of the requests so far. */
const sent: (string | null)[] = [];
let answer = () => Response.json({});

const stored = (value: unknown) => ({ getItem: () => JSON.stringify(value), removeItem: () => undefined });
vi.stubGlobal('localStorage', stored(GRACE));
vi.stubGlobal('sessionStorage', stored(HOST));
const timers = { setTimeout: () => 0, clearTimeout: () => undefined };
vi.stubGlobal('window', { location: { origin: 'http://arena' }, addEventListener: () => undefined, ...timers });
vi.stubGlobal('fetch', (request: Request) => {
  sent.push(request.headers.get('authorization'));
  return Promise.resolve(answer());
});
const { deleteRoom, restartRoom, startRoom } = await import('./orders');

async function tokensOfOrders(): Promise<(string | null)[]> {
  await startRoom('den', null);
  await restartRoom('den', null, {});
  await deleteRoom('den', null);
  return sent.splice(0);
}

test('rooms are administered with the token of the host page, as long as this tab has one', async () => {
  expect(await tokensOfOrders()).toEqual(Array(3).fill('Bearer of the host'));
  answer = () => Response.json({ code: 'bad_token' }, { status: 401 });
  await expect(startRoom('den', null)).rejects.toThrow();
  answer = () => Response.json({});
  sent.splice(0);
  expect(await tokensOfOrders()).toEqual(Array(3).fill('Bearer ordinary'));
});
