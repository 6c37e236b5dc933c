import { expect, test } from 'vitest';
import { FrameStore } from './frames';
import type { Audience, Frame, Piece } from './source';

function frame(n: number): Frame {
  return { n, by: null, ms: 0, part: null, view: { n }, events: [], fault: null, answer: null };
}

/** An arena with frames of the given size; it gives at most `most` at once. */
class Arena {
  readonly asked: [Audience, number, number][] = [];

  constructor(
    readonly total: number,
    readonly size = 100,
    readonly most = 100,
  ) {}

  readonly fetch = (who: Audience, from: number, to: number): Promise<Piece> => {
    this.asked.push([who, from, to]);
    const end = Math.min(to, from + this.most);
    const frames = Array.from({ length: end - from }, (_, i) => frame(from + i));
    return Promise.resolve({ frames, next: end < to ? end : null, size: frames.length * this.size });
  };
}

test('one request brings a window, and each of its frames at once', async () => {
  const arena = new Arena(500);
  const store = new FrameStore(arena.fetch, 500);
  expect((await store.get(null, 277)).n).toBe(277);
  expect(arena.asked).toEqual([[null, 250, 300]]);
  expect(store.peek(null, 250)?.n).toBe(250);
  expect(store.peek(null, 299)?.n).toBe(299);
  expect(store.peek(1, 277)).toBeUndefined();
});

test('the last window ends with the match', async () => {
  const arena = new Arena(507);
  await new FrameStore(arena.fetch, 507).get(2, 506);
  expect(arena.asked).toEqual([[2, 500, 507]]);
});

test('two who want the same window share a request', async () => {
  const arena = new Arena(100);
  const store = new FrameStore(arena.fetch, 100);
  await Promise.all([store.get(null, 1), store.get(null, 2)]);
  expect(arena.asked).toHaveLength(1);
});

test('a frame that did not fit into the answer is asked for by itself', async () => {
  const arena = new Arena(100, 100, 10);
  const store = new FrameStore(arena.fetch, 100);
  expect((await store.get(null, 45)).n).toBe(45);
  expect(arena.asked).toEqual([
    [null, 0, 50],
    [null, 45, 50],
  ]);
});

test('the next window is fetched before it is needed, in the direction of play', async () => {
  const arena = new Arena(200);
  const store = new FrameStore(arena.fetch, 200);
  await store.get(null, 100);
  store.prefetch(null, 110, 1);
  expect(arena.asked).toHaveLength(1);
  store.prefetch(null, 130, 1);
  expect(arena.asked.at(-1)).toEqual([null, 150, 200]);
  store.prefetch(null, 110, -1);
  expect(arena.asked.at(-1)).toEqual([null, 50, 100]);
});

test('windows are smaller where frames are large', async () => {
  const arena = new Arena(500, 100_000);
  const store = new FrameStore(arena.fetch, 500);
  await store.get(null, 0);
  expect(store.window).toBe(7);
});

test('20,000 frames take no more memory than allowed', async () => {
  const arena = new Arena(20_000, 5000);
  const store = new FrameStore(arena.fetch, 20_000, 1_000_000);
  let most = 0;
  for (let n = 0; n < 20_000; n++) {
    expect((await store.get(null, n)).n).toBe(n);
    most = Math.max(most, store.size);
  }
  expect(most).toBeLessThanOrEqual(1_000_000);
  expect(arena.asked).toHaveLength(400);
});

test('a failed request is tried again by the next who wants it', async () => {
  const arena = new Arena(10);
  let isDown = true;
  const store = new FrameStore((...range) => (isDown ? Promise.reject(new Error('down')) : arena.fetch(...range)), 10);
  await expect(store.get(null, 3)).rejects.toThrow('down');
  isDown = false;
  expect((await store.get(null, 3)).n).toBe(3);
});
