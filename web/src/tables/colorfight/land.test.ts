import { describe, expect, it } from 'vitest';
import { areasOf, gridOf, homesOf, minesOf, shadeOf, standings, wellsOf } from './land';

const LAND = {
  width: 3,
  height: 2,
  owner: [1, 1, 0, 2, 0, 0],
  building: 'he h g',
  natural_gold: [1, 2, 1, 9, 1, 5],
  natural_energy: [1, 1, 1, 1, 1, 1],
};

describe('the map', () => {
  it('has one path for each owner and shade, with neighbours in one piece', () => {
    expect(areasOf(LAND)).toEqual([
      { seat: 0, shade: 0, path: 'M0 0h2v1h-2Z' },
      { seat: null, shade: 0, path: 'M2 0h1v1h-1ZM1 1h1v1h-1Z' },
      { seat: 1, shade: 2, path: 'M0 1h1v1h-1Z' },
      { seat: null, shade: 1, path: 'M2 1h1v1h-1Z' },
    ]);
  });

  it('covers every cell once, however large it is', () => {
    const size = 60;
    const cells = size * size;
    const owner = Array.from({ length: cells }, (_, cell) => (cell * 7) % 5);
    const natural = Array.from({ length: cells }, (_, cell) => cell % 11);
    const areas = areasOf({
      width: size,
      height: size,
      owner,
      building: ' '.repeat(cells),
      natural_gold: natural,
      natural_energy: natural,
    });
    const lengths = areas.flatMap(({ path }) => [...path.matchAll(/h(\d+)v/g)].map((found) => Number(found[1])));
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(cells);
    expect(areas.length).toBeLessThanOrEqual(5 * 3);
  });

  it('marks homes with their owners, wells and mines', () => {
    expect(homesOf(LAND)).toEqual([
      { seat: 0, x: 0.5, y: 0.5 },
      { seat: 1, x: 0.5, y: 1.5 },
    ]);
    expect(wellsOf(LAND).match(/M/g)).toHaveLength(1);
    expect(minesOf(LAND)).toMatch(/^M2.5 1.22l/);
  });

  it('has a line on each side of each row and column', () => {
    expect(gridOf(3, 2).match(/M/g)).toHaveLength(7);
  });

  it('shades land by the better of its yields', () => {
    expect([shadeOf(1, 2), shadeOf(5, 1), shadeOf(1, 10)]).toEqual([0, 1, 2]);
  });
});

it('orders the seats by gold, the dead last', () => {
  const user = { type: 'User' as const, energy: 0, energy_source: 0, gold_source: 0, tech_level: 1 };
  const users = [
    { ...user, gold: 900, cells: 0, dead: true },
    { ...user, gold: 20, cells: 3, dead: false },
    { ...user, gold: 20, cells: 4, dead: false },
  ];
  expect(standings({ users }).map(({ seat }) => seat)).toEqual([2, 1, 0]);
});
