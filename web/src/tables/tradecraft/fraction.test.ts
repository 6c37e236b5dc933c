import { expect, it } from 'vitest';
import {
  ceil,
  compare,
  floor,
  fraction,
  itemsOf,
  minus,
  over,
  plus,
  read,
  stockOf,
  times,
  typed,
  written,
} from './fraction';

it('counts exactly', () => {
  const [third, half] = [fraction(1, 3), fraction(2, 4)];
  expect([plus(third, half), minus(half, third), times(third, half), over(third, half)].map(written)).toEqual([
    '5/6',
    '1/6',
    '1/6',
    '2/3',
  ]);
  expect(compare(third, half)).toBeLessThan(0);
  expect([floor(fraction(17, 3)), ceil(fraction(17, 3)), ceil(fraction(2))].map(written)).toEqual([5, 6, 2]);
});

it('reads and writes hands as the referee does', () => {
  const hand = { coal: '7/8', stick: 3 };
  expect(itemsOf(stockOf(hand))).toEqual(hand);
  expect(written(read(`${'9'.repeat(40)}/7`))).toBe(`${'9'.repeat(40)}/7`);
});

it.each([
  ['3', 3],
  [' 1/2 ', '1/2'],
  ['0.5', '1/2'],
  ['1,25', '5/4'],
  ['6/3', 2],
])('understands %s', (text, amount) => expect(written(typed(text)!)).toBe(amount));

it.each(['', '0', '-1', '1/0', 'two', '1e3', '1/2/3', '<b>', '9999999999'])('does not take %s for an amount', (text) =>
  expect(typed(text)).toBeNull(),
);
