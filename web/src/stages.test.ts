import { expect, test } from 'vitest';
import { opensStage } from './stages';

test('the last of several lines opens the new stage', () => {
  expect([0, 1, 2].map((i) => opensStage(i, 3, i === 2 ? null : 1))).toEqual([false, false, true]);
  expect(opensStage(1, 2, 0)).toBe(true); // such as "Ada begins her turn"
});

test('a move that ends a round belongs to that round', () => {
  expect(opensStage(0, 1, 2)).toBe(false);
  expect(opensStage(0, 1, null)).toBe(true);
});
