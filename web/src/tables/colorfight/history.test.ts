import { expect, it } from 'vitest';
import { short } from '../../numbers';
import { History, scaleTo, turnTicks } from './history';
import { viewOf } from './testing';

const at = (turn: number, gold: number) => viewOf({ gold, energy: 2 * gold }, { turn });

it('remembers each round once, in the order of the rounds', () => {
  const history = new History();
  expect(history.see(at(5, 50))).toBe(true);
  expect(history.see(at(7, 70))).toBe(true);
  expect(history.see(at(6, 60))).toBe(true);
  expect(history.see(at(6, 61))).toBe(false);
  expect(history.lines('gold')[0]).toEqual([
    [5, 50],
    [6, 60],
    [7, 70],
  ]);
  expect(history.lines('energy')[0]?.at(-1)).toEqual([7, 140]);
  expect(history.lines('cells')).toHaveLength(2);
  expect([history.first, history.last]).toEqual([5, 7]);
  expect(history.hasGaps).toBe(true);
});

it('begins the line of a late player where the player came', () => {
  const history = new History();
  const full = at(1, 10);
  history.see({ ...full, turn: 0, users: full.users.slice(0, 1) });
  expect(history.see({ ...full, turn: 0 })).toBe(true); // somebody joined before the round was played
  history.see(full);
  expect(history.lines('gold').map((line) => line.length)).toEqual([2, 2]);
});

it('draws long matches with few points, the last one always', () => {
  const history = new History();
  for (let turn = 0; turn <= 5000; turn++) history.see(at(turn, turn));
  const line = history.lines('gold')[0]!;
  expect(line.length).toBeLessThan(260);
  expect(line.at(-1)).toEqual([5000, 5000]);
  expect(history.hasGaps).toBe(false);
});

it('has round numbers at its axes', () => {
  expect(scaleTo(73_709)).toEqual({ top: 90_000, ticks: [0, 30_000, 60_000, 90_000] });
  expect(scaleTo(0).top).toBe(3);
  expect(turnTicks(500)).toEqual([0, 100, 200, 300, 400, 500]);
  expect(turnTicks(6)).toEqual([0, 2, 4, 6]);
  expect([short(950), short(1240), short(30_000)]).toEqual(['950', '1.2k', '30k']);
});
