import { expect, test } from 'vitest';
import { fromField, moment, timesIn, toField, until, usualDeadline } from './times';

const S = 1000;
const DAY = 86_400 * S;

test('the time that is left has its two largest units', () => {
  const left = (ms: number) => until(1e12 + ms, 1e12);
  expect([2 * DAY + 3 * 3600 * S, DAY, 3600 * S + 59 * S, 61 * S, 500, 0, -5 * S].map(left)).toEqual([
    '2 d 3 h',
    '1 d',
    '1 h',
    '1 min 1 s',
    '1 s',
    '0 s',
    '0 s',
  ]);
});

test('a field for date and time gives back what it was given, to the minute', () => {
  const noon = new Date(2026, 10, 20, 12, 5).getTime();
  expect(toField(noon)).toBe('2026-11-20T12:05');
  expect(fromField(toField(noon))).toBe(noon);
  expect(['', 'tomorrow', '2026-13-40T99:99'].map(fromField)).toEqual([null, null, null]);
});

test('a moment of another year has its year', () => {
  const at = new Date(2026, 10, 20, 9, 5).getTime();
  expect(moment(at, at)).toBe('Fri, Nov 20, 09:05');
  expect(moment(at, at + 365 * DAY)).toContain('2026');
});

test('a record of changed times is readable, and another one stays as it is', () => {
  const at = new Date(new Date().getFullYear(), 10, 20, 9, 5).getTime();
  const words = (name: string, from: string, to: string) => `${name}: ${from} → ${to}`;
  expect(timesIn(`deadline_ms from ${at} to ${at}; freeze_ms from None to 5x`, words, 'never')).toBe(
    `deadline_ms: ${moment(at)} → ${moment(at)}; freeze_ms from None to 5x`,
  );
  expect(timesIn(`freeze_ms from ${at} to None`, words, 'never')).toBe(`freeze_ms: ${moment(at)} → never`);
});

test('the usual deadline is a full hour, at least a day from now', () => {
  const now = new Date(2026, 10, 20, 9, 5).getTime();
  expect(toField(usualDeadline(now))).toBe('2026-11-21T10:00');
});
