import { expect, it } from 'vitest';
import { counted, FACTS, fanOf, heldOrder, pilesOf, runsOf } from './cards';
import { DRAWINGS } from './drawings';
import { t } from './texts';

it('lays out the cards of every game first, then the kingdom from cheap to dear', () => {
  const supply = { curse: 10, copper: 46, province: 8, market: 10, moat: 10, cellar: 0, estate: 8 };
  const { base, kingdom } = pilesOf(supply);
  expect(base.map(({ card }) => card)).toEqual(['copper', 'estate', 'province', 'curse']);
  expect(kingdom).toEqual([
    { card: 'cellar', count: 0 },
    { card: 'moat', count: 10 },
    { card: 'market', count: 10 },
  ]);
});

it('keeps piles of cards that it does not know', () => {
  expect(pilesOf({ chapel: 10, silver: 40 }).kingdom).toEqual([{ card: 'chapel', count: 10 }]);
});

it('has a picture and texts for each card', () => {
  expect(Object.keys(DRAWINGS).sort()).toEqual(Object.keys(FACTS).sort());
  for (const card of Object.keys(FACTS)) {
    expect(t.dominion.rules[card], card).toMatch(/\.$/);
    expect(t.dominion.brief[card]!.length, card).toBeGreaterThan(0);
  }
});

it('holds a hand as people do: actions, treasures, then victory cards', () => {
  const hand = ['copper', 'estate', 'smithy', 'gold', 'copper', 'curse', 'market'];
  expect(heldOrder(hand).map((place) => hand[place])).toEqual([
    'market',
    'smithy',
    'gold',
    'copper',
    'copper',
    'estate',
    'curse',
  ]);
});

it('puts equal cards together', () => {
  const cards = ['copper', 'smithy', 'copper', 'copper'];
  expect(counted(cards)).toEqual([
    { card: 'copper', count: 3 },
    { card: 'smithy', count: 1 },
  ]);
  expect(runsOf(cards).map(({ count }) => count)).toEqual([1, 1, 2]);
});

it('keeps a fan within its room', () => {
  for (const count of [1, 2, 5, 12, 30]) {
    const spots = fanOf(count, 350, 60);
    const width = spots.at(-1)!.x - spots[0]!.x + 60;
    expect(width).toBeLessThanOrEqual(350);
    expect(spots[0]!.turn).toBeCloseTo(-spots.at(-1)!.turn);
  }
  expect(fanOf(0, 350, 60)).toEqual([]);
});
