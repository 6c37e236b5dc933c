import { expect, it } from 'vitest';
import { COSTS, emblemOf, fanOf, pilesOf } from './cards';

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

it('has an emblem of its own for each card with a cost', () => {
  const emblems = Object.keys(COSTS).map((card) => emblemOf(card));
  expect(new Set(emblems).size).toBe(emblems.length);
  expect(emblems).not.toContain(emblemOf('chapel'));
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
