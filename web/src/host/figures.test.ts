import { expect, test } from 'vitest';
import { duration, limitValue, share, size } from './figures';

test('sizes have the unit that fits', () => {
  expect([0, 999, 1000, 65_536, 123_456_789, 5e12, 5e16].map(size)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '65.5 kB',
    '123 MB',
    '5.0 TB',
    '50000 TB',
  ]);
});

test('times have at most two units', () => {
  expect([0, 59, 60, 3661, 90_000, 86_400 * 3 + 59].map(duration)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '1 h 1 min',
    '1 d 1 h',
    '3 d',
  ]);
});

test('the name of a setting tells its unit', () => {
  expect(limitValue('message_bytes', 65_536)).toBe('65.5 kB');
  expect(limitValue('idle_s', 3600)).toBe('1 h');
  expect(limitValue('tries_a_minute', 20)).toBe('20 / min');
  expect(limitValue('requests_a_second', 100)).toBe('100 / s');
  expect(limitValue('connections', 800)).toBe('800');
});

test('a limit is never more than full', () => {
  expect([share(0, 20), share(5, 20), share(30, 20), share(1, 0)]).toEqual([0, 0.25, 1, 0]);
});
