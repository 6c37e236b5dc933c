import { expect, test } from 'vitest';
import { partAt, partTicks, signs, splitPart } from './axis';
import type { Mark } from './source';

function part(n: number, words: string): Mark {
  return { n, kind: 'part', seat: null, words };
}

function mark(n: number, kind: Mark['kind']): Mark {
  return { n, kind, seat: 1, words: `${kind} at ${n}` };
}

test('the number of a part is told apart from its kind', () => {
  expect(splitPart('Auction 4')).toEqual({ heading: 'Auction', number: '4' });
  expect(splitPart('Setup')).toEqual({ heading: 'Setup', number: '' });
});

test('each kind of part has one heading', () => {
  const marks = [part(0, 'Auction 1'), part(20, 'Auction 2'), part(50, 'Sale 1'), part(70, 'Sale 2')];
  const { headings, ticks } = partTicks(marks, 101);
  expect(headings).toEqual([
    { left: 0, words: 'Auction' },
    { left: 50, words: 'Sale' },
  ]);
  expect(ticks.map((tick) => tick.words)).toEqual(['1', '2', '1', '2']);
});

test('500 rounds have no more ticks and labels than there is room for', () => {
  const marks = Array.from({ length: 500 }, (_, i) => part(i * 2, `Round ${i + 1}`));
  const { headings, ticks } = partTicks(marks, 1000);
  expect(headings).toHaveLength(1);
  expect(ticks.length).toBeLessThan(170);
  expect(ticks.filter((tick) => tick.words !== '').length).toBeLessThan(26);
});

test('signs do not cover each other, and a fault is shown rather than a new leader', () => {
  const marks = [mark(10, 'lead'), part(10, 'Round 2'), mark(11, 'fault'), mark(12, 'lead'), mark(500, 'left')];
  expect(signs(marks, 1000).map(({ n, kind }) => [n, kind])).toEqual([
    [11, 'fault'],
    [500, 'left'],
  ]);
});

test('a match of one frame has its marks at the start', () => {
  expect(signs([mark(0, 'fault')], 1)[0]?.left).toBe(0);
});

test('the part of a moment is the last one that began before it', () => {
  const parts = [part(0, 'a'), part(5, 'b'), part(9, 'c')];
  expect([0, 4, 5, 8, 9, 100].map((n) => partAt(parts, n))).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
  expect(partAt([], 3)).toBeNull();
  expect(partAt([part(3, 'a')], 2)).toBeNull();
});
