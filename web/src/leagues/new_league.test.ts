import { expect, test } from 'vitest';
import { matchesOf, newForm, problemsOf, requestOf, seatChoices } from './new_league';
import { fromField, toField } from './times';

const NOW = new Date(2026, 10, 20, 9, 5).getTime();
const HOUR_MS = 3_600_000;
const maze = { name: 'maze', fewest: 1, most: 6 };

test('a form that only gets a name is a league that can be opened', () => {
  const form = { ...newForm(maze, NOW), name: '  Friday ' };
  expect(problemsOf(form, NOW)).toEqual([]);
  expect(requestOf(form, { rows: 9 })).toEqual({
    name: 'Friday',
    game: 'maze',
    format: 'round-robin',
    seats: 2,
    deals: 1,
    rounds: 3,
    terms: { options: { rows: 9 }, limit_s: null, bank_s: 0, grace_s: 60 },
    deadline_ms: fromField('2026-11-21T10:00'),
    anonymous: false,
    team_size: 1,
    house: [],
  });
});

test('fields that were emptied have the usual values, and a freeze is sent if there is one', () => {
  const form = { ...newForm(maze, NOW), deals: null, rounds: null, bank: null, grace: null, teamSize: null };
  const sent = requestOf({ ...form, freeze: '2026-11-22T10:00' }, {});
  expect([sent.deals, sent.rounds, sent.team_size, sent.terms?.grace_s]).toEqual([1, 3, 1, 60]);
  expect(sent.freeze_ms).toBe(fromField('2026-11-22T10:00'));
});

test('matches are short if the game has such, except for rules that were chosen', () => {
  const form = newForm(maze, NOW);
  const sent = (isShort: boolean) =>
    requestOf({ ...form, isShort }, { rows: 9 }, { rows: 5, turns: 60 }).terms?.options;
  expect([sent(true), sent(false)]).toEqual([{ rows: 9, turns: 60 }, { rows: 9 }]);
});

test('a deadline in the past, a freeze before it, and a gauntlet against nobody are named', () => {
  const form = newForm(maze, NOW);
  expect(problemsOf({ ...form, deadline: toField(NOW - HOUR_MS) }, NOW)).toEqual(['past']);
  expect(problemsOf({ ...form, deadline: '' }, NOW)).toEqual(['past']);
  expect(problemsOf({ ...form, freeze: toField(NOW + HOUR_MS) }, NOW)).toEqual(['freezeEarly']);
  expect(problemsOf({ ...form, format: 'gauntlet' }, NOW)).toEqual(['houseNeeded']);
  expect(problemsOf({ ...form, format: 'gauntlet', house: [{ kind: 'bot', spec: 'euclid' }] }, NOW)).toEqual([]);
});

test('a match has at least two seats, and not more than can be listed', () => {
  expect(seatChoices(maze)).toEqual([2, 3, 4, 5, 6]);
  expect(seatChoices({ fewest: 3, most: 64 }).at(-1)).toBe(12);
});

test('the number of matches follows from the format', () => {
  const count = (format: Parameters<typeof matchesOf>[0]['format'], seats: number, entries: number, deals = 1) =>
    matchesOf({ format, seats, deals, rounds: 3 }, entries);
  expect([count('round-robin', 2, 8), count('round-robin', 4, 8, 3), count('round-robin', 4, 3)]).toEqual([28, 210, 0]);
  expect([count('gauntlet', 2, 8), count('gauntlet', 3, 5)]).toEqual([7, 6]);
  expect([count('swiss', 2, 9), count('swiss', 4, 20, 2)]).toEqual([12, 30]);
  expect([
    count('knock-out', 2, 8),
    count('knock-out', 2, 9),
    count('knock-out', 4, 16),
    count('knock-out', 3, 4),
  ]).toEqual([7, 8, 5, 2]);
});
