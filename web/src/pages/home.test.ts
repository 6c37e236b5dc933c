import { expect, it } from 'vitest';
import type { Schemas } from '../api/client';
import { botTable, liveOf, played, ranked, waitingAt } from './home';

type Match = Schemas['MatchInfo'];
type Seat = Match['seats'][number];

function seat(n: number, kind: Seat['kind'], name: string | null, rank: number | null = null): Seat {
  return { seat: n, kind, name, score: null, rank };
}

function match(id: string, seats: Seat[], game = 'maze'): Match {
  return { id, game, seats, state: 'running' } as Match;
}

const ROOM = match('room', [], 'colorfight');
const BOTS = match('bots', [seat(0, 'bot', 'nash'), seat(1, 'bot', 'euclid')]);
const PEOPLE = match('people', [seat(0, 'bot', 'nash'), seat(1, 'open', 'Ada')]);

it('takes a room without players for no match that is being played', () => {
  expect(played([ROOM, BOTS]).map(({ id }) => id)).toEqual(['bots']);
});

it('prefers a match with people', () => {
  expect(liveOf([BOTS, PEOPLE, match('other', [seat(0, 'bot', 'x')], 'forsale')], 'maze').map(({ id }) => id)).toEqual([
    'people',
    'bots',
  ]);
});

it('puts the winner first, and seats without a rank last', () => {
  const over = match('over', [seat(0, 'open', 'A'), seat(1, 'open', 'B', 2), seat(2, 'open', 'C', 1)]);
  expect(ranked(over).map(({ name }) => name)).toEqual(['C', 'B', 'A']);
});

it('says which person waits at an open table', () => {
  const open = match('open', [seat(0, 'bot', 'nash'), seat(1, 'open', 'Ada'), seat(2, 'open', null)]);
  expect(waitingAt(open)).toEqual({ name: 'Ada', taken: 2 });
  expect(waitingAt(match('x', [seat(0, 'bot', 'nash'), seat(1, 'open', null)]))).toEqual({ name: null, taken: 1 });
});

it('seats bots of different strengths, as many as the game takes', () => {
  const game = { name: 'duel', fewest: 2, most: 2, bots: ['random', 'hard'], short: { rounds: 3 } };
  expect(botTable(game)).toMatchObject({
    game: 'duel',
    seats: [{ spec: 'hard' }, { spec: 'random' }],
    terms: { options: { rounds: 3 } },
  });
});
