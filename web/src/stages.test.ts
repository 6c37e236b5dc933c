import { expect, test } from 'vitest';
import { opensStage, underHeading } from './stages';

test('the last of several lines opens the new stage', () => {
  expect([0, 1, 2].map((i) => opensStage(i, [1, 1, null]))).toEqual([false, false, true]);
  expect(opensStage(1, [0, 0])).toBe(true); // such as "Ada begins her turn"
});

test('lines about everybody stay together', () => {
  expect([0, 1, 2, 3].map((i) => opensStage(i, [null, 1, null, null]))).toEqual([false, false, true, true]);
});

test('a move that ends a round belongs to that round', () => {
  expect(opensStage(0, [2])).toBe(false);
  expect(opensStage(0, [null])).toBe(true);
});

test('a line does not repeat the heading above it', () => {
  expect(underHeading('Auction 2: estates 22 29', 'Auction 2')).toBe('Estates 22 29');
  expect(underHeading('Auction 2: estates 22 29', 'Auction 20')).toBe('Auction 2: estates 22 29');
  expect(underHeading('Auction 2: estates 22 29', null)).toBe('Auction 2: estates 22 29');
});
