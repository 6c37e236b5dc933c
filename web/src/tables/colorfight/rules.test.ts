import { describe, expect, it } from 'vitest';
import cases from './cases.json';
import {
  centreOf,
  isInReach,
  judge,
  neighboursOf,
  optionsAt,
  targetsOf,
  upgradePrice,
  withOrder,
  written,
  type Order,
  type Position,
  type Problem,
} from './rules';
import { viewOf } from './testing';

/** The referee's texts for each problem. */
const TEXTS: Record<string, Problem> = {
  'The energy spent is less than attack cost': 'below_cost',
  'Do not have enough energy to attack': 'no_energy',
  'No valid surrounding cell to attack': 'no_neighbour',
  'You need to build on your own cell': 'not_yours',
  'There is a building on this cell already': 'has_building',
  'Not enough gold': 'no_gold',
  'You need to upgrade on your own cell': 'not_yours',
  'You can not upgrade empty cell': 'no_building',
  'Level is already at maximum': 'best_level',
  'You need to upgrade home first': 'home_first',
  'Not enough energy': 'no_energy',
};

function read(order: string, width: number): Order {
  const [letter, x, y, what] = order.split(' ');
  const cell = Number(y) * width + Number(x);
  if (letter === 'a') return { kind: 'attack', cell, energy: Number(what) };
  if (letter === 'b') return { kind: 'build', cell, building: what as 'e' | 'g' };
  return { kind: 'upgrade', cell };
}

describe('a list of orders', () => {
  it.each(cases.map((each, i) => [i, each] as const))('is judged as the referee does, case %i', (_, each) => {
    const position = each.view as unknown as Position;
    const orders = each.orders.map((order) => read(order, position.width));
    const { orders: judged, left } = judge(position, 0, orders);
    expect(judged.map(({ problem }) => problem)).toEqual(
      each.failed.map((text) => (text === null ? null : (TEXTS[text] ?? text))),
    );
    expect(left).toEqual(each.left);
    expect(orders.map((order) => written(order, position.width))).toEqual(each.orders);
  });

  it('has one attack and one building for a cell, and any number of upgrades', () => {
    const first: Order[] = [
      { kind: 'attack', cell: 1, energy: 5 },
      { kind: 'build', cell: 2, building: 'e' },
    ];
    expect(withOrder(first, { kind: 'attack', cell: 1, energy: 9 })[0]).toEqual({ kind: 'attack', cell: 1, energy: 9 });
    expect(withOrder(first, { kind: 'build', cell: 2, building: 'g' })).toHaveLength(2);
    expect(withOrder(first, { kind: 'attack', cell: 3, energy: 9 })).toHaveLength(3);
    const upgrade: Order = { kind: 'upgrade', cell: 0 };
    expect(withOrder(withOrder([], upgrade), upgrade)).toHaveLength(2);
  });
});

describe('what can be done on a cell', () => {
  const view = viewOf({ energy: 300, gold: 150, tech_level: 1 });

  it('is an attack beside own land, with the energy that the list leaves', () => {
    expect(optionsAt(view, 0, [], 1).attack).toEqual({ least: 40, most: 300, problem: null });
    const orders: Order[] = [{ kind: 'attack', cell: 3, energy: 280 }];
    expect(optionsAt(view, 0, orders, 1).attack).toEqual({ least: 40, most: 20, problem: 'no_energy' });
    expect(optionsAt(view, 0, orders, 3).attack.most).toBe(300); // its own order can be changed
    expect(optionsAt(view, 0, [], 8).attack.problem).toBe('no_neighbour');
    expect(optionsAt(view, 0, [], 8).upgrade).toBeNull();
  });

  it('is a building on own empty land, which can be upgraded in the same round', () => {
    const { builds, upgrade, isOwn } = optionsAt(view, 0, [], 4);
    expect(isOwn).toBe(true);
    expect(builds.map(({ problem, gain }) => [problem, gain])).toEqual([
      [null, 7],
      [null, 3],
    ]);
    expect(upgrade).toBeNull();
    const planned = optionsAt(view, 0, [{ kind: 'build', cell: 4, building: 'e' }], 4);
    expect(planned.builds[1]?.problem).toBeNull(); // it replaces the other building
    expect(planned.upgrade).toMatchObject({ level: 2, problem: 'home_first' });
  });

  it('is an upgrade of a home, for as long as there is gold and energy', () => {
    const rich = viewOf({ energy: 4000, gold: 3000, tech_level: 1 });
    expect(optionsAt(rich, 0, [], 0).upgrade).toMatchObject({ level: 2, problem: null });
    const once: Order[] = [{ kind: 'upgrade', cell: 0 }];
    expect(optionsAt(rich, 0, once, 0).upgrade).toMatchObject({ level: 3, problem: null });
    expect(optionsAt(rich, 0, [...once, ...once], 0).upgrade).toMatchObject({ level: 4, problem: 'no_energy' });
  });
});

it('knows prices, neighbours, targets and homes', () => {
  const view = viewOf({});
  expect(upgradePrice('seed', 'e', 3)).toEqual({ gold: 800, energy: 800 });
  expect(upgradePrice('classic', 'g', 1)).toEqual({ gold: 200, energy: 0 });
  expect(upgradePrice('classic', 'h', 2)).toEqual({ gold: 2000, energy: 2000 });
  expect(neighboursOf(0, 3, 3)).toEqual([3, 1]);
  expect(neighboursOf(4, 3, 3)).toEqual([1, 7, 3, 5]);
  expect(isInReach(view, 0, 8)).toBe(false);
  expect(targetsOf(view, 0).sort()).toEqual([1, 3, 5, 7]);
  expect([centreOf(view, 0), centreOf(view, 1), centreOf(view, 2)]).toEqual([0, 8, null]);
});
