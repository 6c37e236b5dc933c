import { expect, it } from 'vitest';
import type { Schemas } from '../api/client';
import { canBeAsked, isSame, seatOf } from './own';

const seat = { match: 'm', game: 'maze', seat: 0, state: 'running', way: 'tcp', is_connected: true, takes_again: true };

it('finds the seat of an account, and no bot that has its name', () => {
  const seats = [
    { seat: 0, kind: 'bot', name: 'Ada' },
    { seat: 1, kind: 'open', name: 'Ada' },
    { seat: 2, kind: 'open', name: null },
  ];
  const info = { seats } as Schemas['MatchInfo'];
  expect(seatOf(info, 'Ada')).toBe(1);
  expect(seatOf(info, 'Bob')).toBeNull();
  expect(seatOf(info, null)).toBeNull();
});

it('knows whether a bot can be asked again', () => {
  const seats = [seat] as Schemas['OwnSeat'][];
  expect(canBeAsked(seats, 'maze')).toBe(true);
  expect(canBeAsked(seats, 'forsale')).toBe(false);
  expect(canBeAsked([{ ...seat, is_connected: false }] as Schemas['OwnSeat'][], 'maze')).toBe(false);
  expect(canBeAsked([{ ...seat, takes_again: false }] as Schemas['OwnSeat'][], 'maze')).toBe(false);
});

it('compares actions without regard to the order of their fields', () => {
  expect(isSame({ type: 'Bid', amount: 3 }, { amount: 3, type: 'Bid' })).toBe(true);
  expect(isSame({ type: 'Bid', amount: 3 }, { type: 'Bid', amount: 4 })).toBe(false);
  expect(isSame({ orders: ['a', 'b'] }, { orders: ['b', 'a'] })).toBe(false);
  expect(isSame(null, { type: 'Pass' })).toBe(false);
});
