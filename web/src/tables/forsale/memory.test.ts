import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../contract';
import { gaps, type Memory, NOTHING, remember } from './memory';
import type { ForSaleEvent, View } from './types';

const AUCTION: View = {
  type: 'View',
  seat: 0,
  part: 1,
  round: 2,
  rounds: 7,
  market: [8, 12, 18, 22],
  turn: 1,
  record: 3,
  bids: [3, 0, 1, 2],
  inside: [0, 1, 2, 3],
  coins: [16, null, null, null],
  hand: [10],
  cheques: [],
};
const AFTER_ONE: View = { ...AUCTION, market: [12, 18, 22], inside: [0, 2, 3], turn: 2 };
const AFTER_TWO: View = { ...AUCTION, market: [18, 22], inside: [0, 2], turn: 0 };
const SALE: View = { ...AUCTION, part: 2, round: 2, market: [0, 2, 11, 13], turn: null, inside: [], hand: [15, 29] };

function events(...given: ForSaleEvent[]): LogEvent[] {
  return given.map((event, i) => ({ n: i + 1, seat: null, words: [], event }));
}

const PASS_1 = { type: 'Passed', seat: 1, estate: 8, paid: 0, refund: 0 } as const;
const PASS_3 = { type: 'Passed', seat: 3, estate: 12, paid: 1, refund: 1 } as const;
const SOLD: ForSaleEvent = { type: 'Sold', estates: [17, 19, 4, 11], cheques: [10, 14, 0, 10] };

function after(...steps: [View, LogEvent[]][]): Memory {
  return steps.reduce((memory, [view, seen]) => remember(memory, view, seen), NOTHING);
}

describe('the empty places of the market', () => {
  it('say which estate went to which seat', () => {
    const memory = after([AUCTION, []], [AFTER_ONE, events(PASS_1)], [AFTER_TWO, events(PASS_3)]);
    expect(gaps(memory, AFTER_TWO)).toEqual([PASS_1, PASS_3]);
  });

  it('are there without events, but nameless', () => {
    expect(gaps(after([AFTER_TWO, []]), AFTER_TWO)).toEqual([null, null]);
    expect(gaps(after([AUCTION, []]), AUCTION)).toEqual([]);
  });

  it('put what is not known to the left, where cheaper estates lay', () => {
    expect(gaps(after([AFTER_TWO, events(PASS_3)]), AFTER_TWO)).toEqual([null, PASS_3]);
  });

  it('are right after a step back to an earlier moment', () => {
    const memory = after([AFTER_TWO, events(PASS_1, PASS_3)], [AFTER_ONE, []]);
    expect(gaps(memory, AFTER_ONE)).toEqual([PASS_1]);
  });

  it('are forgotten in the next round', () => {
    const opened: ForSaleEvent = { type: 'EstatesOpened', round: 3, estates: [9, 16, 20, 27], first: 2 };
    const next: View = { ...AUCTION, round: 3, market: [9, 16, 20, 27] };
    expect(after([AFTER_TWO, events(PASS_1, PASS_3)], [next, events(opened)]).taken).toEqual([]);
  });

  it('come from the events since the round opened when many arrive at once', () => {
    const opened: ForSaleEvent = { type: 'EstatesOpened', round: 2, estates: [8, 12, 18, 22], first: 2 };
    const old = { ...PASS_1, estate: 6 };
    expect(after([AFTER_ONE, events(old, opened, PASS_1)]).taken).toEqual([PASS_1]);
  });
});

describe('the last sale', () => {
  it('is kept while the next cheques lie on the table', () => {
    const memory = after([SALE, events(SOLD)], [SALE, []]);
    expect(memory.sale).toMatchObject({ round: 1, cheques: [10, 14, 0, 10] });
  });

  it('is not shown beside another round', () => {
    expect(after([SALE, events(SOLD)], [{ ...SALE, round: 5 }, []]).sale).toBeNull();
    expect(after([SALE, events(SOLD)], [AUCTION, []]).sale).toBeNull();
  });

  it('is the last round when the match is over', () => {
    const over: View = { ...SALE, part: 3, round: 7, market: [], hand: [] };
    expect(after([over, events(SOLD)]).sale?.round).toBe(7);
  });
});

describe('the own choice', () => {
  const chose: ForSaleEvent = { type: 'Chose', seat: 0, estate: 29 };

  it('is kept until the sale', () => {
    expect(after([SALE, events(chose)], [SALE, []]).chosen).toBe(29);
    expect(after([SALE, events(chose)], [{ ...SALE, round: 3, hand: [15] }, events(SOLD)]).chosen).toBeNull();
  });

  it('is not the choice of another seat', () => {
    expect(after([SALE, events({ ...chose, seat: 2 })]).chosen).toBeNull();
  });
});
