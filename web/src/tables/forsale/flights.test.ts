import { expect, it } from 'vitest';
import type { LogEvent } from '../contract';
import { flightsOf } from './flights';
import type { ForSaleEvent } from './types';

function events(...given: ForSaleEvent[]): LogEvent[] {
  return given.map((event, i) => ({ n: i + 1, seat: null, words: [], event }));
}

it('moves the card of a pass home, and change if there is any', () => {
  const passed: ForSaleEvent = { type: 'Passed', seat: 2, estate: 9, paid: 2, refund: 2 };
  expect(flightsOf(events(passed)).map(({ to }) => to)).toEqual(['[data-place="2"]', '[data-place="2"]']);
  expect(flightsOf(events({ ...passed, paid: 0, refund: 0 }))).toHaveLength(1);
});

it('moves the last two cards of an auction in one moment', () => {
  const moved = flightsOf(
    events(
      { type: 'Passed', seat: 1, estate: 23, paid: 3, refund: 0 },
      { type: 'Won', seat: 2, estate: 30, paid: 7 },
      { type: 'EstatesOpened', round: 2, estates: [8, 12, 18, 22], first: 2 },
    ),
  );
  expect(moved.map(({ from }) => from)).toEqual(['[data-estate="23"]', '[data-estate="30"]']);
});
