import { expect, test } from 'vitest';
import { bracketOf, heightOf } from './bracket';
import { RankChanges } from './changes.svelte';
import type { Slot, Standing } from './forms';
import { currentRound, latest, roundsOf, upNext } from './schedule';

/** A match; `ranks` by entry, or none if it has no result. */
function slot(n: number, round: number, entries: string, state: Slot['state'] = 'over', ranks = '12'): Slot {
  const seats = [...entries].map((entry, i) => ({
    entry,
    name: entry.toUpperCase(),
    score: null,
    rank: state === 'over' ? Number(ranks[i]) : null,
    absent: false,
  }));
  return { n, round, state, match: null, attempt: 1, seats, is_hidden: false };
}

const standing = (entry: string, rank: number | null): Standing => ({
  rank,
  entry,
  name: entry,
  alias: null,
  points: 0,
  mean: 0,
  matches: 0,
  wins: 0,
  faults: 0,
  absences: 0,
  state: 'in',
});

test('matches are grouped by round, and the first round that is not over is shown', () => {
  const rounds = roundsOf([slot(1, 1, 'ab'), slot(2, 1, 'cd', 'walkover'), slot(3, 2, 'ac', 'running')]);
  expect(rounds.map(({ number, slots, settled }) => [number, slots.length, settled])).toEqual([
    [1, 2, 2],
    [2, 1, 0],
  ]);
  expect(currentRound(rounds)).toBe(2);
  expect(currentRound(rounds.slice(0, 1))).toBe(1);
  expect(currentRound([])).toBe(1);
});

test('next come the matches in play, then those that wait, then those that are planned', () => {
  const slots = [
    slot(1, 1, 'ab'),
    slot(2, 1, 'cd', 'planned'),
    slot(3, 1, 'ac', 'waiting'),
    slot(4, 1, 'bd', 'running'),
    slot(5, 1, 'ad', 'planned'),
  ];
  expect(upNext(slots, 3).map((each) => each.n)).toEqual([4, 3, 2]);
  expect(latest([...slots, slot(6, 1, 'ac')], 2).map((each) => each.n)).toEqual([6, 1]);
});

test('a bracket draws ties between those they come from, whatever the order of the matches', () => {
  const first = [slot(1, 1, 'ab'), slot(2, 1, 'cd'), slot(3, 1, 'ef'), slot(4, 1, 'gh')];
  const second = [slot(5, 2, 'ae'), slot(6, 2, 'cg', 'over', '21')];
  const rounds = bracketOf([...first, ...second, slot(7, 3, 'ag')], 'a');
  expect(rounds.map((round) => round.ties.map((tie) => tie.sides.map((side) => side.entry).join('')))).toEqual([
    ['ab', 'ef', 'cd', 'gh'],
    ['ae', 'cg'],
    ['ag'],
  ]);
  expect(rounds.map((round) => round.ties.map((tie) => tie.y))).toEqual([[0.5, 1.5, 2.5, 3.5], [1, 3], [2]]);
  expect(rounds[2]!.ties[0]!.from).toEqual([0, 1]);
  expect(rounds.flatMap((round) => round.ties).map((tie) => tie.sides.filter((side) => side.goesOn)[0]!.entry)).toEqual(
    ['a', 'e', 'c', 'g', 'a', 'g', 'a'],
  );
  expect(heightOf(rounds)).toBe(4);
});

test('several deals of a pair are one tie, and a bye has no line', () => {
  const rounds = bracketOf([
    slot(1, 1, 'bc', 'over', '12'),
    slot(2, 1, 'cb', 'over', '12'),
    slot(3, 1, 'bc', 'over', '11'),
    slot(4, 2, 'ab', 'running'),
  ]);
  expect(rounds[0]!.ties[0]!.sides.map((side) => side.wins)).toEqual([1.5, 1.5]);
  const [final] = rounds[1]!.ties;
  expect([final!.from, final!.y, final!.isOn, final!.isOver]).toEqual([[0], 0.5, true, false]);
  expect(final!.sides.map((side) => [side.wins, side.goesOn])).toEqual([
    [null, false],
    [null, false],
  ]);
});

test('ties never cover one another, and nothing is drawn of nothing', () => {
  const rounds = bracketOf([slot(1, 1, 'ab'), slot(2, 2, 'cd'), slot(3, 2, 'ae')]);
  expect(rounds[1]!.ties.map((tie) => tie.y)).toEqual([0.5, 1.5]);
  expect(bracketOf([])).toEqual([]);
  expect(heightOf([])).toBe(1);
});

test('places up and down are marked until something moves again', () => {
  const changes = new RankChanges();
  changes.see([standing('a', 1), standing('b', 2), standing('c', 3)]);
  expect(changes.by.size).toBe(0);
  changes.see([standing('c', 1), standing('a', 2), standing('b', 2), standing('d', 4)]);
  expect([...changes.by]).toEqual([
    ['c', 2],
    ['a', -1],
  ]);
  changes.see([standing('c', 1), standing('a', 2), standing('b', 2), standing('d', null)]);
  expect(changes.by.get('c')).toBe(2);
});
