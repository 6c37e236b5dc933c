import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeBrowser, fakeBrowser, FakeSocket } from '../../tests/fake_browser';
import { MatchFeed } from './feed.svelte';

let browser: FakeBrowser;

const begin = {
  type: 'begin',
  match: 'm',
  game: 'g',
  seat: null,
  players: [{ name: 'Ada', kind: 'person' }],
  options: {},
};
const event = (n: number) => ({ type: 'event', n, seat: 0, words: [`event ${n}`], event: { type: 'Moved' } });
const view = (n: number) => ({ type: 'view', n, part: 'Round 1', view: { n }, clocks: [] });
const over = { type: 'over', end: { type: 'Result', scores: [1], ranks: [1] }, head: '' };
const numbers = (feed: MatchFeed) => feed.log.map((line) => line.n);

beforeEach(() => {
  vi.useFakeTimers();
  browser = fakeBrowser();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watch(): MatchFeed {
  const feed = new MatchFeed('m', null);
  FakeSocket.last.accept().tell(begin, view(0));
  return feed;
}

test('a token is sent in the first message and never in the address', () => {
  const feed = new MatchFeed('m', 'secret');
  FakeSocket.last.accept();
  expect(FakeSocket.last.url).toBe('ws://arena.test/watch/m/me?full=true');
  expect(FakeSocket.last.sent).toEqual([{ type: 'hello', token: 'secret' }]);
  feed.close();
});

test('the first position is shown at once, and later ones with their events, one after the other', () => {
  const feed = watch();
  expect(feed.moment?.view).toEqual({ n: 0 });
  FakeSocket.last.tell(event(1), view(1), event(2), event(3), view(3));
  expect(feed.isBehind).toBe(true);
  vi.advanceTimersByTime(5000);
  expect(feed.moment?.view).toEqual({ n: 3 });
  expect(feed.moment?.events.map((each) => each.n)).toEqual([2, 3]);
  expect([numbers(feed), feed.isBehind]).toEqual([[1, 2, 3], false]);
});

test('events that come again after a reconnection are logged once, even those that were still waiting', () => {
  const feed = watch();
  FakeSocket.last.tell(event(1), view(1), event(2), view(2), event(3));
  FakeSocket.last.close();
  vi.advanceTimersByTime(0);
  vi.advanceTimersByTime(400);
  FakeSocket.last.accept().tell(begin, event(1), event(2), event(3), event(4), view(4));
  vi.advanceTimersByTime(5000);
  expect(numbers(feed)).toEqual([1, 2, 3, 4]);
});

test('a hidden page shows everything at once', () => {
  const feed = watch();
  browser.document.hidden = true;
  FakeSocket.last.tell(event(1), view(1), event(2), view(2));
  expect(numbers(feed)).toEqual([1, 2]);
});

test('an earlier moment can be looked at while the match goes on', () => {
  const feed = watch();
  FakeSocket.last.tell(event(1), view(1), event(2), view(2));
  vi.advanceTimersByTime(5000);
  feed.look(1);
  expect(feed.past?.view).toEqual({ n: 1 });
  feed.look(null);
  expect(feed.past).toBe(null);
});

test('the end shows all that was waiting, and closes the connection', () => {
  const feed = watch();
  FakeSocket.last.tell(event(1), view(1), event(2), view(2), over);
  expect([numbers(feed), feed.end?.type, feed.state]).toEqual([[1, 2], 'Result', 'closed']);
});

test('a server that stops is a problem until it is back', () => {
  const feed = watch();
  FakeSocket.last.tell({ type: 'error', code: 'parked', words: 'later' }).close();
  expect(feed.problem?.words).toBe('later');
  vi.advanceTimersByTime(400);
  FakeSocket.last.accept().tell(begin, view(0));
  expect([feed.problem, feed.state]).toEqual([null, 'open']);
});

test('a refused watcher does not come again', () => {
  const feed = new MatchFeed('m', 'token');
  FakeSocket.last.accept().tell({ type: 'error', code: 'not_yours', words: 'no seat' });
  vi.advanceTimersByTime(60_000);
  expect([feed.problem?.code, FakeSocket.made.length]).toEqual(['not_yours', 1]);
});
