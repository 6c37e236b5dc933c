/** Views for tests. */
import type { User, View } from './types';

/** A map of 3 by 3: seat 0 has its home at the top left and the middle, seat 1 its home at the bottom right. */
export function viewOf(user: Partial<User>, more: Partial<View> = {}): View {
  const usual: User = {
    type: 'User',
    energy: 100,
    gold: 0,
    energy_source: 10,
    gold_source: 10,
    tech_level: 1,
    cells: 1,
    dead: false,
  };
  return {
    type: 'View',
    turn: 0,
    max_turn: 9,
    width: 3,
    height: 3,
    ruleset: 'seed',
    owner: [1, 0, 0, 0, 1, 0, 0, 0, 2],
    building: 'h       h',
    level: Array<number>(9).fill(1),
    force_field: Array<number>(9).fill(0),
    attack_cost: [1000, 40, 60, 80, 100, 120, 140, 160, 1000],
    gold: [10, 1, 2, 3, 3, 5, 6, 7, 10],
    energy: [10, 9, 8, 7, 7, 5, 4, 3, 10],
    natural_gold: [1, 1, 2, 3, 3, 5, 6, 7, 8],
    natural_energy: [1, 9, 8, 7, 7, 5, 4, 3, 2],
    natural_cost: [10, 40, 60, 80, 100, 120, 140, 160, 180],
    users: [{ ...usual, cells: 2, ...user }, usual],
    over: false,
    ...more,
  };
}
