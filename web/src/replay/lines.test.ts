import { expect, test } from 'vitest';
import { lineAt, partOfLine, windowAround } from './lines';

const lines = [0, 0, 3, 3, 3, 8].map((n) => ({ n }));

test('the current line is the last of its moment, or of the one before', () => {
  expect([0, 1, 3, 7, 8, 99].map((n) => lineAt(lines, n))).toEqual([1, 1, 4, 4, 5, 5]);
  expect(lineAt([], 3)).toBe(0);
  expect(lineAt([{ n: 4 }], 3)).toBe(0);
});

test('a few hundred lines of many are drawn, with the current one among them', () => {
  for (const current of [0, 49, 50, 10_000, 19_999]) {
    const { from, to } = windowAround(current, 20_000, { before: 0, after: 0 });
    expect(from).toBeLessThanOrEqual(current);
    expect(to).toBeGreaterThan(current);
    expect(to - from).toBeLessThanOrEqual(250);
  }
  expect(windowAround(500, 20_000, { before: 200, after: 0 })).toEqual({ from: 200, to: 650 });
});

test('the lines that end a stage stand under its heading', () => {
  const lines = [
    { n: 4, seat: 0 },
    { n: 5, seat: 1 },
    { n: 5, seat: 2 },
    { n: 5, seat: null },
    { n: 6, seat: 0 },
  ];
  expect([1, 2, 3].map((i) => partOfLine(lines, i, 'Auction 1', 'Auction 2'))).toEqual([
    'Auction 1',
    'Auction 1',
    'Auction 2',
  ]);
  expect(partOfLine(lines, 0, 'Auction 1', 'Auction 1')).toBe('Auction 1');
  expect(partOfLine(lines, 4, null, 'Auction 2')).toBe('Auction 2');
});
