import { expect, it } from 'vitest';
import { Book, type RecipeBook } from './book';
import cases from './cases.json';
import { fraction, itemsOf, stockOf, written } from './fraction';
import type { Items } from './types';
import { isReady, missingOf, wayTo, type Need } from './way';

const book = new Book(cases.book as unknown as RecipeBook);

function way(target: string, hand: Items, ...others: Items[]): Need {
  const there = new Map(others.map((each, i) => [i + 1, stockOf(each)]));
  return wayTo(book, target, fraction(1), stockOf(hand), there);
}

const named = (need: Need): unknown[] => [need.item, written(need.needed), need.parts.map(named)];

it('works backwards from the target', () => {
  const hand = { cobblestone: 4, coal: 1, stick: 3, redstone: 1 };
  const found = way('comparator', hand, { redstone: 3, quartz: 3 });
  expect(found.parts.map((part) => part.item).sort()).toEqual(['quartz', 'redstone_torch', 'stone']);
  expect(itemsOf(missingOf(found))).toEqual({ redstone: 2, quartz: 1 });
  const stone = found.parts.find((part) => part.item === 'stone')!;
  expect(isReady(stone)).toBe(true);
  expect(stone.parts.map((part) => [part.item, written(part.needed), part.isFuel])).toEqual([
    ['cobblestone', 3, false],
    ['coal', '3/8', true],
  ]);
  expect(isReady(found)).toBe(false);
});

it('names those who hold what is missing', () => {
  const found = way('torch', { coal: 1 }, { bread: 1 }, { stick: 2 });
  const stick = found.parts.find((part) => part.item === 'stick')!;
  expect(stick.holders.map(({ seat, amount }) => [seat, written(amount)])).toEqual([[2, 2]]);
});

it('does not count the same item twice', () => {
  const found = way('comparator', { stone: 3, stick: 3, redstone: 3, quartz: 1 });
  expect(isReady(found)).toBe(true);
  expect(isReady(way('comparator', { stone: 3, stick: 3, redstone: 2, quartz: 1 }))).toBe(false);
});

it('asks for the target itself if somebody holds it and it cannot be made', () => {
  expect(named(way('cake', {}, { cake: 1 }))).toEqual(['cake', 1, []]);
});

it('says what is missing even if nobody has it', () => {
  expect(itemsOf(missingOf(way('torch', { stick: 1 })))).toEqual({ torch: 1 });
});
