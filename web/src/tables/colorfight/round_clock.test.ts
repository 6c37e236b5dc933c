import { expect, it } from 'vitest';
import type { Moment, OpenAsk } from '../contract';
import { ownClock, PaceWatch } from './round_clock';
import { viewOf } from './testing';
import type { Ask, View } from './types';

const moment = (until: number): Moment<View> => ({
  game: 'colorfight',
  players: [],
  seat: 0,
  view: viewOf({}),
  events: [],
  clocks: [{ seat: 0, until, bankMs: 0 }],
});
const ask = { id: 1, attempt: 1, ask: {}, until: 5000, limitMs: 4000 } as unknown as OpenAsk<Ask>;

it('takes the earlier of the two clocks that a player is told', () => {
  expect(ownClock(moment(3000), ask)).toEqual({ until: 3000, limitMs: 4000 });
  expect(ownClock(moment(9000), ask)).toEqual({ until: 5000, limitMs: 4000 });
  expect(ownClock(moment(9000), { ...ask, until: null, limitMs: null })).toBeNull();
  expect(ownClock(moment(9000), null)).toBeNull();
});

it('learns the pace of rounds that follow each other steadily', () => {
  const watch = new PaceWatch();
  expect([0, 1000, 2000].map((now, turn) => watch.see(turn, now))).toEqual([null, null, null]);
  expect(watch.see(3, 3100)).toMatchObject({ until: 3100 + 3100 / 3 });
  expect(watch.see(3, 3500)).toMatchObject({ until: 3100 + 3100 / 3 });
  expect(watch.see(4, 9000)).toBeNull(); // people take the time that they need
});

it('forgets the pace when rounds were missed', () => {
  const watch = new PaceWatch();
  [0, 1, 2, 3].forEach((turn) => watch.see(turn, turn * 200));
  expect(watch.see(9, 1000)).toBeNull();
});
