import { expect, it } from 'vitest';
import { bidSpots, chips, fan, HEIGHT, WIDTH } from './thumbnail';

it('keeps everything on the felt, for all numbers of seats', () => {
  for (const seats of [3, 4, 5, 6]) {
    for (const { x, y } of bidSpots(seats)) {
      expect(x).toBeGreaterThan(60);
      expect(x).toBeLessThan(WIDTH - 60);
      expect(y).toBeGreaterThan(40);
      expect(y).toBeLessThan(HEIGHT - 40);
    }
    const cards = fan(seats);
    expect(cards[0]!.x).toBeGreaterThan(90);
    expect(cards.at(-1)!.x + cards.at(-1)!.width).toBeLessThan(WIDTH - 90);
  }
});

it('draws the viewer below', () => {
  const spots = bidSpots(4, 2);
  expect(spots[2]!.y).toBe(Math.max(...spots.map(({ y }) => y)));
});

it('centres the chips', () => {
  const row = chips(3, 10);
  expect(row[0]!.x + row[2]!.x + 28).toBe(WIDTH);
});
