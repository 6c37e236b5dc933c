import { expect, it } from 'vitest';
import { dollars, fromNanos, lasting, price } from './money';

it('writes money with the digits that matter', () => {
  expect([0, 0.00001, 0.0021, 0.5, 12.5].map(dollars)).toEqual(['$0', '<$0.0001', '$0.0021', '$0.5000', '$12.50']);
  expect([0, 0.15, 2.5, 10].map(price)).toEqual(['$0', '$0.15', '$2.5', '$10']);
  expect(fromNanos(2_000_000)).toBe('$0.0020');
});

it('writes times in their unit', () => {
  expect([0, 240, 3210, 250_000].map(lasting)).toEqual(['0 ms', '240 ms', '3.2 s', '4 min 10 s']);
});
