import { describe, expect, it } from 'vitest';
import { checkOf, craftOf, mostBatches, scraps, search, usesOf } from './bench';
import { Book, type RecipeBook } from './book';
import cases from './cases.json';
import { fraction, over, floor, isSome, itemsOf, read, stockOf, times, written } from './fraction';
import type { Items } from './types';

const book = new Book(cases.book as unknown as RecipeBook);

/** The recipe with this name. */
function recipe(name: string) {
  const found = book.recipes.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

describe.each(cases.hands as unknown as { hand: Items; parts: Items; whole: Items }[])('a hand', (each) => {
  const hand = stockOf(each.hand);

  it('makes whole products of the recipes that the rules say it can', () => {
    for (const one of book.recipes) {
      const count = fraction(one.count);
      const expected = over(floor(times(read(each.parts[one.name]), count)), count);
      expect([one.name, mostBatches(book, one, hand)]).toEqual([one.name, expected]);
    }
  });

  it('makes whole batches of the recipes that the rules say it can', () => {
    for (const one of book.recipes)
      expect([one.name, written(mostBatches(book, one, hand, true))]).toEqual([one.name, each.whole[one.name] ?? 0]);
  });

  it('has what the most batches need', () => {
    for (const one of book.recipes) {
      const most = mostBatches(book, one, hand);
      if (isSome(most)) expect([one.name, craftOf(book, one, most, hand).isPossible]).toEqual([one.name, true]);
    }
  });
});

it('names the ingredients and exactly the fuel', () => {
  const hand = stockOf({ cobblestone: 4, coal: '7/8' });
  const craft = craftOf(book, recipe('stone_from_smelting'), fraction(2), hand);
  expect(checkOf(craft)).toEqual({ type: 'Check', input: { cobblestone: 2, coal: '1/4' }, output: { stone: 2 } });
  expect(itemsOf(craft.left)).toEqual({ cobblestone: 2, coal: '5/8', stone: 2 });
  expect([written(craft.fire!.ticks), craft.fire!.fuel, craft.fire!.each]).toEqual([400, 'coal', 1600]);
});

it('burns what leaves the smallest rest, or what was chosen', () => {
  const hand = stockOf({ cobblestone: 4, lava_bucket: 1, coal: 1, oak_planks: 1 });
  const fuel = (...chosen: string[]) =>
    craftOf(book, recipe('stone_from_smelting'), fraction(1), hand, new Set(chosen)).fire!.fuel;
  expect([fuel(), fuel('coal')]).toEqual(['oak_planks', 'coal']);
});

it('burns a part of the logs that become charcoal', () => {
  const craft = craftOf(book, recipe('charcoal_from_smelting'), fraction(1), stockOf({ oak_log: 3 }));
  expect(checkOf(craft)).toMatchObject({ input: { oak_log: '5/3' }, output: { charcoal: 1 } });
});

it('takes the chosen kind first, and a mix if that is not enough', () => {
  const hand = stockOf({ birch_planks: 1, oak_planks: 1 });
  const sticks = recipe('stick_from_planks');
  expect(itemsOf(craftOf(book, sticks, fraction(1, 2), hand).input)).toEqual({ birch_planks: 1 });
  expect(itemsOf(craftOf(book, sticks, fraction(1, 2), hand, new Set(['oak_planks'])).input)).toEqual({
    oak_planks: 1,
  });
  expect(itemsOf(craftOf(book, sticks, fraction(1), hand).input)).toEqual({ birch_planks: 1, oak_planks: 1 });
});

it('gives containers back', () => {
  const craft = craftOf(book, recipe('cake'), fraction(1), stockOf({ milk_bucket: 3, sugar: 2, egg: 1, wheat: 3 }));
  expect(itemsOf(craft.returns)).toEqual({ bucket: 3 });
  expect(itemsOf(craft.left)).toEqual({ bucket: 3, cake: 1 });
});

it('says what is lacking', () => {
  const torch = craftOf(book, recipe('redstone_torch'), fraction(3), stockOf({ stick: 3, redstone: 1 }));
  expect(torch.isPossible).toBe(false);
  expect(torch.slots.map(({ slot, lacking }) => [slot.words, written(lacking)])).toEqual([
    ['redstone', 2],
    ['stick', 0],
  ]);
  const stone = craftOf(book, recipe('stone_from_smelting'), fraction(1), stockOf({ cobblestone: 1 }));
  expect([stone.isPossible, written(stone.fire!.lacking)]).toEqual([false, 200]);
});

it('refuses a part of a batch where only whole ones are allowed', () => {
  const hand = stockOf({ oak_planks: 2 });
  const craft = craftOf(book, recipe('stick_from_planks'), fraction(1, 2), hand, new Set(), true);
  expect([craft.isPartial, craft.isPossible]).toEqual([true, false]);
});

it('finds recipes by any part of a name, the best first', () => {
  const hand = stockOf({ cobblestone: 4, coal: 1, stick: 1 });
  const names = (words: string) => search(book, words, hand, false, 50).map((hit) => hit.recipe.product);
  expect(names('sto')[0]).toBe('stone');
  expect(names('Redstone  T')).toEqual(['redstone_torch']);
  expect(names('<img src=x>')).toEqual([]);
  expect(names('')).toContain('lever');
  expect(names('')).not.toContain('cake');
  expect(search(book, 'redstone torch', hand, false, 1)[0]?.lacking[0]?.slot.words).toBe('redstone');
});

it('finds what an item is good for', () => {
  const hits = usesOf(book, 'coal', stockOf({ coal: 1, stick: 1 }), false, 5);
  expect(hits[0]?.recipe.product).toBe('torch');
});

it('tells what is lost at the end of a turn', () => {
  expect(itemsOf(scraps(stockOf({ coal: '7/8', stick: '17/3', stone: 2 })))).toEqual({ coal: '7/8', stick: '2/3' });
});
