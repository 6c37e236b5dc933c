import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pacer } from './pacer';

let shown: number[];
let pacer: Pacer<number>;

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  pacer = new Pacer<number>((item) => shown.push(item));
});

afterEach(() => {
  vi.useRealTimers();
});

test('the first item is shown at once, the next ones a step apart', () => {
  [1, 2, 3].forEach((item) => pacer.add(item));
  vi.advanceTimersByTime(1);
  expect(shown).toEqual([1]);
  vi.advanceTimersByTime(200);
  expect(shown).toEqual([1]);
  vi.advanceTimersByTime(40);
  expect(shown).toEqual([1, 2]);
  vi.advanceTimersByTime(240);
  expect(shown).toEqual([1, 2, 3]);
  expect(pacer.isIdle).toBe(true);
});

test('an item that comes after a pause is not held back', () => {
  pacer.add(1);
  vi.advanceTimersByTime(5000);
  pacer.add(2);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual([1, 2]);
});

test('many items go faster, so that none waits for long', () => {
  const items = Array.from({ length: 20_000 }, (_unused, i) => i);
  items.forEach((item) => pacer.add(item));
  vi.advanceTimersByTime(600);
  expect(shown.length).toBeGreaterThan(5000);
  expect(shown.length).toBeLessThan(15_000);
  vi.advanceTimersByTime(650);
  expect(shown).toEqual(items);
});

test('a flush shows everything in order, and nothing is shown after a stop', () => {
  [1, 2, 3].forEach((item) => pacer.add(item));
  pacer.flush();
  expect(shown).toEqual([1, 2, 3]);
  pacer.add(4);
  pacer.stop();
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual([1, 2, 3]);
});

test('items that come at a pace of their own are not held back', () => {
  for (let item = 1; item <= 50; item++) {
    pacer.add(item);
    vi.advanceTimersByTime(200);
    expect(shown.at(-1)).toBe(item);
  }
});
