import { expect, test, vi } from 'vitest';

const message = (n: number, name: string) => ({ n, ms: n, seat: 0, name, text: String(n) });
/** The messages of the arena. */
const arena = [message(1, 'Ada')];

vi.stubGlobal('localStorage', { getItem: () => null });
vi.stubGlobal('window', {
  location: { origin: 'http://arena' },
  addEventListener: () => undefined,
  matchMedia: () => ({ matches: false }),
});
vi.stubGlobal('fetch', (request: Request) => {
  const after = Number(new URL(request.url).searchParams.get('after'));
  if (request.method === 'GET')
    return Promise.resolve(Response.json({ messages: arena.filter(({ n }) => n > after), closed: null }));
  arena.push(message(arena.length + 1, 'Bob'));
  return Promise.resolve(Response.json(arena.at(-1), { status: 201 }));
});
const { Chat } = await import('./chat.svelte');

test('a message that came just before an own one is not missed after the match', async () => {
  const chat = new Chat('match');
  const numbers = () => chat.messages.map(({ n }) => n);
  await chat.load();
  expect(numbers()).toEqual([1]);
  arena.push(message(2, 'Ada'));
  await chat.say('three');
  expect(numbers()).toEqual([1, 3]);
  await chat.loadNew();
  expect(numbers()).toEqual([1, 2, 3]);
  chat.take(message(4, 'Ada'));
  expect(numbers()).toEqual([1, 2, 3, 4]);
});
