import { expect, it } from 'vitest';
import { t } from './texts';
import { DRAWINGS } from './drawings';
import { TUTORIAL } from './tutorial';

it('draws and names all thirty estates', () => {
  for (let value = 1; value <= 30; value++) {
    expect(DRAWINGS[value]?.length, `drawing of ${value}`).toBeGreaterThan(2);
  }
  expect(new Set(t.forsale.estates).size).toBe(30);
});

it('shows both parts and the end of one match, from one seat', () => {
  expect(TUTORIAL.map(({ view }) => view.part)).toEqual([1, 1, 1, 1, 2, 3]);
  for (const { view, players } of TUTORIAL) {
    expect(view.seat).toBe(0);
    expect(players).toHaveLength(view.coins.length);
  }
});
