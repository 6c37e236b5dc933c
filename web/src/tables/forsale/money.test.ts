import { describe, expect, it } from 'vitest';
import { change, coinStacks, legalRange, ownTotal, pairsOf, raiseRow, seatsAround } from './money';
import type { BidOrPass, View } from './types';

function ask(record: number, coins: number): BidOrPass {
  return { type: 'BidOrPass', choices: null, waits: true, span: null, record, bid: 0, coins, may_pass: true };
}

describe('legal amounts', () => {
  it('begin above the record and end at all coins', () => {
    expect(legalRange(ask(7, 13))).toEqual({ lowest: 8, highest: 13 });
    expect(legalRange(ask(0, 1))).toEqual({ lowest: 1, highest: 1 });
  });

  it('do not exist when all coins do not beat the record', () => {
    expect(legalRange(ask(7, 7))).toBeNull();
    expect(legalRange(ask(0, 0))).toBeNull();
  });

  it('are a row after the record, which can be tried as well', () => {
    expect(raiseRow(ask(7, 10))).toEqual([7, 8, 9, 10]);
    expect(raiseRow(ask(0, 3))).toEqual([1, 2, 3]);
  });

  it('are cut off when there are too many for a row', () => {
    expect(raiseRow(ask(5, 10_000), 4)).toEqual([5, 6, 7, 8]);
    expect(raiseRow(ask(12, 9))).toEqual([]);
  });
});

describe('change on passing', () => {
  it('is half of an even bid under every rule', () => {
    expect(change(0, null)).toEqual([0]);
    expect(change(4, 'down')).toEqual([2]);
    expect(change(4, 'up')).toEqual([2]);
    expect(change(4, null)).toEqual([2]);
  });

  it('of an odd bid depends on the rounding', () => {
    expect(change(5, 'down')).toEqual([2]);
    expect(change(5, 'up')).toEqual([3]);
    expect(change(1, 'down')).toEqual([0]);
  });

  it('of an odd bid is one of two if the rounding is not known', () => {
    expect(change(5, null)).toEqual([2, 3]);
  });
});

describe('stacks of coins', () => {
  it('are filled one after the other', () => {
    expect(coinStacks(0)).toEqual([]);
    expect(coinStacks(4)).toEqual([4]);
    expect(coinStacks(12)).toEqual([5, 5, 2]);
  });

  it('are limited in number, however many coins there are', () => {
    expect(coinStacks(10_000, 5, 3)).toEqual([5, 5, 5]);
  });
});

it('pairs each sold estate with the cheque of its seat, the best estate first', () => {
  expect(pairsOf({ estates: [17, 19, 4, 11], cheques: [10, 14, 0, 10] })).toEqual([
    { seat: 1, estate: 19, cheque: 14 },
    { seat: 0, estate: 17, cheque: 10 },
    { seat: 3, estate: 11, cheque: 10 },
    { seat: 2, estate: 4, cheque: 0 },
  ]);
});

describe('own money', () => {
  const over: View = {
    type: 'View',
    seat: 1,
    part: 3,
    round: 8,
    rounds: 8,
    market: [],
    turn: null,
    record: 0,
    bids: [0, 0, 0],
    inside: [],
    coins: [null, 6, null],
    hand: [],
    cheques: [10, 11, 0],
  };

  it('is cheques and coins', () => expect(ownTotal(over)).toEqual({ cheques: 21, coins: 6 }));
  it('does not exist for spectators', () => expect(ownTotal({ ...over, seat: null })).toBeNull());
});

describe('seats around the table', () => {
  it('begin after a seated viewer, who sits below', () => {
    expect(seatsAround(4, 2)).toEqual({ top: [3, 0, 1], bottom: [] });
    expect(seatsAround(6, 0).top).toEqual([1, 2, 3, 4, 5]);
  });

  it('go clockwise around the table for spectators', () => {
    expect(seatsAround(3, null)).toEqual({ top: [0, 1, 2], bottom: [] });
    expect(seatsAround(5, null)).toEqual({ top: [0, 1, 2], bottom: [4, 3] });
  });
});
