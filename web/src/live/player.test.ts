import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser, FakeSocket } from '../../tests/fake_browser';
import { PlayerConnection } from './player.svelte';
import { saltFor } from './salt';

const hello = { type: 'hello', protocol: 1, server: 'parlour', game: 'g', version: 1, commit: 'c', salted: false };
const seat = { type: 'seat', game: 'g', match: 'm', seat: 0, players: ['Ada', 'Bob'], options: {}, header: 'h' };
const ask = (id: number, attempt = 1) => ({
  type: 'ask',
  id,
  attempt,
  limit_ms: 1000,
  bank_ms: 0,
  last_ms: null,
  ask: { type: 'Choose', choices: null, waits: true, span: null },
  view: {},
});
const fault = (id: number, cost: object | null) => ({
  type: 'fault',
  id,
  kind: 'illegal',
  code: 'illegal',
  words: 'bid 3: must be above 4',
  cost,
});
const event = { type: 'event', event: { type: 'Moved' } };
const bid = { type: 'Bid', amount: 3 };

beforeEach(() => {
  vi.useFakeTimers();
  fakeBrowser();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function sitDown(): PlayerConnection {
  const player = new PlayerConnection('g', 'm', 'token', saltFor('m'));
  FakeSocket.last.accept().tell(hello, seat);
  return player;
}

function answersSent(): unknown[] {
  return FakeSocket.last.sent.filter((message) => (message as { type: string }).type === 'answer');
}

test('an ask is answered once, and an event shows that the answer was taken', () => {
  const player = sitDown();
  FakeSocket.last.tell(ask(1));
  player.answer(bid);
  player.answer(bid);
  expect(answersSent()).toEqual([{ type: 'answer', id: 1, action: bid }]);
  expect(player.isSending).toBe(true);
  FakeSocket.last.tell(event);
  expect([player.isSending, player.ask, player.refusal]).toEqual([false, null, null]);
});

test('an answer can be replaced while the round is open, and the page hears if it came too late', () => {
  const player = sitDown();
  const other = { ...bid, amount: 9 };
  FakeSocket.last.tell(ask(1));
  player.answer(bid);
  player.replace(other);
  expect(answersSent()).toEqual([
    { type: 'answer', id: 1, action: bid },
    { type: 'answer', id: 1, action: other },
  ]);
  FakeSocket.last.tell(event, ask(2), { ...fault(2, null), kind: 'unasked', code: 'stale' });
  expect([player.refusal?.code, player.ask?.id]).toEqual(['stale', 2]);
});

test('a refusal has its reason and the refused answer, and stays beside the next attempt', () => {
  const player = sitDown();
  FakeSocket.last.tell(ask(1));
  player.answer(bid);
  FakeSocket.last.tell(fault(1, null), ask(2, 2));
  expect(player.refusal).toMatchObject({ words: 'bid 3: must be above 4', action: bid, cost: null });
  expect([player.ask?.attempt, player.isSending]).toEqual([2, false]);
});

test('after the last attempt nothing is asked any more, and the reason stays', () => {
  const player = sitDown();
  FakeSocket.last.tell(ask(1));
  player.answer(bid);
  FakeSocket.last.tell(fault(1, { type: 'Pass' }));
  expect([player.ask, player.refusal?.cost]).toEqual([null, { type: 'Pass' }]);
  FakeSocket.last.tell(ask(2));
  expect([player.ask?.id, player.refusal?.cost]).toEqual([2, { type: 'Pass' }]);
  player.answer(bid);
  expect(player.refusal).toBeNull();
});

test('a lost connection takes the ask away until it comes again', () => {
  const player = sitDown();
  FakeSocket.last.tell(ask(1));
  player.answer(bid);
  FakeSocket.last.close();
  expect([player.ask, player.isSending, player.state]).toEqual([null, false, 'waiting']);
  vi.advanceTimersByTime(400);
  FakeSocket.last.accept().tell(hello, seat, ask(1));
  expect(player.ask?.id).toBe(1);
});

test('a seat that is played elsewhere is not fought over, but can be taken back', () => {
  const player = sitDown();
  FakeSocket.last.tell({ type: 'error', code: 'replaced', words: 'another connection' }).close();
  vi.advanceTimersByTime(60_000);
  expect([player.problem?.code, FakeSocket.made.length]).toEqual(['replaced', 1]);
  player.takeOver();
  FakeSocket.last.accept().tell(hello, seat, ask(1));
  expect([player.problem, player.ask?.id]).toEqual([null, 1]);
});

test('a question is answered, or rejected when the connection is lost', async () => {
  const player = sitDown();
  const first = player.query({ type: 'Price' });
  FakeSocket.last.tell({ type: 'reply', id: 1, answer: { price: 5 } });
  expect(await first).toEqual({ price: 5 });
  const second = player.query({ type: 'Price' });
  FakeSocket.last.close();
  await expect(second).rejects.toThrow();
});

test('a room is entered by its name and key, and a lost connection leads back to the same match', () => {
  const entrance = { table: 'den', name: 'guest-1', about: { join_key: 'sesame' } };
  const player = new PlayerConnection('g', 'm', 'token', saltFor('m'), entrance);
  expect(FakeSocket.last.url).toMatch(/\/play\/g\/den$/);
  FakeSocket.last.accept();
  expect(FakeSocket.last.sent[0]).toMatchObject({ name: 'guest-1', about: { kind: 'person', join_key: 'sesame' } });
  expect(player.isSeated).toBe(false);
  FakeSocket.last.tell(hello, seat);
  expect(player.isSeated).toBe(true);
  FakeSocket.last.close();
  vi.advanceTimersByTime(1000);
  expect(FakeSocket.last.url).toMatch(/\/play\/g\/m$/);
});

test('a seat in the next match of the room is left to the page of that match', () => {
  const player = new PlayerConnection('g', 'm', 'token', saltFor('m'), { table: 'den', name: 'Ada', about: {} });
  FakeSocket.last.accept().tell(hello, { ...seat, match: 'next' });
  expect([player.hasMoved, player.isSeated, player.state]).toEqual([true, false, 'closed']);
});
