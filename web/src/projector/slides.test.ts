import { expect, test } from 'vitest';
import {
  isTopical,
  type LeagueShown,
  type Match,
  moved,
  placeAfter,
  scaleToFit,
  secondsOf,
  slidesOf,
  type Standing,
} from './slides';

const seat = (name: string | null, kind: Match['seats'][number]['kind'] = 'bot') => ({
  seat: 0,
  kind,
  name,
  score: null,
  rank: null,
});
const match = (id: string, game: string, ...seats: Match['seats']): Match => ({ id, game, seats });
const row: Standing = { name: 'Ada', matches: 2, wins: 1.5, mean_rank: 1.2 };
const keys = (...told: Parameters<typeof slidesOf>) => slidesOf(...told).map((slide) => slide.key);

test('matches come first, those with people before those of bots, and then the standings', () => {
  const running = [
    match('b', 'maze', seat('euclid')),
    match('a', 'maze', seat('Ada', 'open'), seat('euclid')),
    match('empty', 'maze', seat(null, 'open')),
    match('other', 'dominion', seat('random')),
  ];
  const standings = new Map([
    ['maze', [row]],
    ['forsale', []],
  ]);
  expect(keys(['maze', 'forsale'], running, standings)).toEqual(['match a', 'match b', 'standings maze']);
});

test('if nothing is played, there are the address, the standings and recorded matches', () => {
  expect(keys(['maze', 'forsale'], [], new Map([['maze', [row]]]))).toEqual([
    'join',
    'standings maze',
    'example maze',
    'example forsale',
  ]);
});

const league = (id: string, game: string, more: object = {}): LeagueShown['league'] =>
  ({ id, game, state: 'running', ended_ms: null, ...more }) as LeagueShown['league'];

test('leagues come before the wins of the week, if their game is shown', () => {
  const shown = [league('l', 'maze'), league('other', 'dominion')].map((each) => ({
    league: each,
    standings: [],
    slots: [],
  }));
  const standings = new Map([['maze', [row]]]);
  const played = [match('a', 'maze', seat('x'))];
  const keysOf = (running: Match[]) => slidesOf(['maze'], running, standings, shown).map((slide) => slide.key);
  expect(keysOf(played)).toEqual(['match a', 'league l', 'standings maze']);
  expect(keysOf([])).toEqual(['join', 'league l', 'standings maze', 'example maze']);
});

test('a league is shown until a day after its end', () => {
  const day = 86_400_000;
  const ended = league('l', 'maze', { state: 'over', ended_ms: 5 });
  expect([day, day + 5].map((now) => isTopical(ended, now))).toEqual([true, false]);
  expect(isTopical(league('l', 'maze', { state: 'cancelled', ended_ms: 5 }), 6)).toBe(false);
  expect(isTopical(league('l', 'maze', { state: 'open' }), 6)).toBe(true);
});

test('a slide stays where it is when others come and go', () => {
  const before = slidesOf(['maze'], [match('a', 'maze', seat('x')), match('b', 'maze', seat('x'))], new Map());
  const after = slidesOf(['maze'], [match('b', 'maze', seat('x'))], new Map());
  expect(placeAfter(after, before[1]!.key, 1)).toBe(0);
  expect(placeAfter(after, before[0]!.key, 5)).toBe(0);
  expect(placeAfter([], 'match a', 1)).toBe(0);
});

test('the slides go round in both directions', () => {
  expect([moved(2, 1, 3), moved(0, -1, 3), moved(0, 1, 0)]).toEqual([0, 2, 0]);
});

test('the seconds of the query are bounded', () => {
  expect([null, '', 'x', '5', '0', '1e9', '-3'].map(secondsOf)).toEqual([20, 20, 20, 5, 3, 600, 3]);
});

test('a drawing is as large as both sides allow', () => {
  expect(scaleToFit(900, 500, 1800, 2000)).toBe(2);
  expect(scaleToFit(900, 500, 1800, 500)).toBe(1);
  expect(scaleToFit(0, 0, 100, 100)).toBe(1);
});
