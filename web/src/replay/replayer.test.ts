import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Replayer } from './replayer.svelte';
import type { Audience, Frame, Piece, ReplaySource, Timeline } from './source';

const players = ['Ada', 'Bob', 'Cyd'].map((name) => ({ name, kind: 'bot' as const }));
const timeline: Timeline = {
  match: 'm',
  game: 'forsale',
  version: 1,
  players,
  total: 120,
  end: null,
  label: null,
  scores: [],
  marks: [],
  log: [],
  hidden: false,
};

function frame(n: number, who: Audience): Frame {
  return { n, by: null, ms: 0, part: null, view: { n, who }, events: [], fault: null, answer: null };
}

/** A source whose answers the test may hold back. */
class Source {
  gate: Promise<void> = Promise.resolve();
  isDown = false;

  async frames(who: Audience, from: number, to: number): Promise<Piece> {
    await this.gate;
    if (this.isDown) throw new Error('down');
    return { frames: Array.from({ length: to - from }, (_, i) => frame(from + i, who)), next: null, size: 1000 };
  }

  timeline(who: Audience): Promise<Timeline> {
    return Promise.resolve({ ...timeline, log: [{ n: 0, seat: who, words: `log of ${who}` }] });
  }
}

let source: Source;
const replayerAt = (at: number, viewer: Audience | 'all' = null) =>
  new Replayer(source as unknown as ReplaySource, timeline, at, viewer);

beforeEach(() => {
  vi.useFakeTimers();
  source = new Source();
});
afterEach(() => void vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);

test('a link to a moment shows that moment', async () => {
  const replayer = replayerAt(38, 1);
  await settle();
  expect(replayer.shown).toMatchObject({ n: 38, viewer: 1, views: [{ who: 1 }] });
  expect(replayer.timeline.log[0]?.words).toBe('log of 1');
});

test('a moment or seat that does not exist is the nearest one that does', async () => {
  const replayer = replayerAt(1000, 7);
  await settle();
  expect(replayer.shown).toMatchObject({ n: 119, viewer: null });
  replayer.go(-5);
  expect(replayer.at).toBe(0);
});

test('a step to a frame that is kept is shown at once', async () => {
  const replayer = replayerAt(3);
  await settle();
  replayer.step(1);
  expect(replayer.shown?.n).toBe(4);
  replayer.step(-1);
  expect(replayer.shown?.n).toBe(3);
});

test('of two jumps the last one is shown, whatever comes first', async () => {
  const replayer = replayerAt(0);
  await settle();
  let open = () => {};
  source.gate = new Promise((resolve) => (open = resolve));
  replayer.go(110);
  replayer.go(2);
  expect(replayer.shown?.n).toBe(2);
  open();
  await settle();
  expect(replayer.shown?.n).toBe(2);
});

test('a view is loading until it is the view of the wanted viewer', async () => {
  const replayer = replayerAt(0);
  expect(replayer.isLoading).toBe(true);
  await settle();
  expect(replayer.isLoading).toBe(false);
  replayer.see(1);
  expect(replayer.shown?.viewer).toBe(null);
  expect(replayer.isLoading).toBe(true);
  await settle();
  expect(replayer.shown?.viewer).toBe(1);
  expect(replayer.isLoading).toBe(false);
});

test('everything has a view of each seat', async () => {
  const replayer = replayerAt(5, 'all');
  await settle();
  expect(replayer.shown?.views.map(({ who, frame }) => [who, frame.n])).toEqual([
    [0, 5],
    [1, 5],
    [2, 5],
  ]);
});

test('playing shows every move, faster at a higher speed, and stops at the end', async () => {
  const replayer = replayerAt(100);
  await settle();
  replayer.play();
  await vi.advanceTimersByTimeAsync(3000);
  expect(replayer.shown?.n).toBe(103);
  replayer.setSpeed(8);
  await vi.advanceTimersByTimeAsync(1000);
  expect(replayer.shown?.n).toBe(111);
  await vi.advanceTimersByTimeAsync(5000);
  expect(replayer).toMatchObject({ at: 119, isPlaying: false });
  replayer.play();
  expect(replayer.at).toBe(0);
  replayer.close();
});

test('playing waits for frames that have not come', async () => {
  const replayer = replayerAt(0);
  await settle();
  let open = () => {};
  source.gate = new Promise((resolve) => (open = resolve));
  replayer.go(99); // the third window has not come
  replayer.play();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(replayer.at).toBeLessThanOrEqual(100);
  open();
  await vi.advanceTimersByTimeAsync(1000);
  expect(replayer.shown?.n).toBeGreaterThanOrEqual(100);
  replayer.close();
});

test('a moment that cannot be loaded says so, stops playing, and can be tried again', async () => {
  const replayer = replayerAt(0);
  await settle();
  source.isDown = true;
  replayer.go(60);
  await settle();
  expect(replayer.problem?.message).toBe('down');
  expect(replayer.shown?.n).toBe(0);
  source.isDown = false;
  replayer.retry();
  await settle();
  expect(replayer.problem).toBeNull();
  expect(replayer.shown?.n).toBe(60);
});
