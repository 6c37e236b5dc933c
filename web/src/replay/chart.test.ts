import { expect, test } from 'vitest';
import { endLabels, pathOf, scaleOf, scoreRows, scoresAt, topOf } from './chart';
import type { Timeline } from './source';

const scores: Timeline['scores'] = [
  [0, [18, 18]],
  [50, [10, 18]],
  [100, [60, 43]],
];

test('the scale has round numbers and room for all scores', () => {
  const scale = scaleOf(scores);
  expect(scale.ticks).toEqual([0, 20, 40, 60]);
  expect(topOf(0, scale)).toBe(100);
  expect(topOf(60, scale)).toBeGreaterThanOrEqual(0);
  expect(scaleOf([[0, [-3, 4]]]).low).toBeLessThanOrEqual(-3);
  expect(scaleOf([]).ticks.length).toBeGreaterThan(0);
});

test('a line is level until the score changes', () => {
  const scale = { low: 0, high: 100, ticks: [] };
  expect(pathOf(scores, 0, 101, scale)).toBe('M0 82H50V90H100V40H100');
  expect(pathOf(scores, 5, 101, scale)).toBe('');
});

test('a seat that joined later has a line from then on', () => {
  const late: Timeline['scores'] = [
    [0, [1]],
    [50, [1, 2]],
  ];
  expect(pathOf(late, 1, 101, { low: 0, high: 10, ticks: [] })).toBe('M50 80H100');
});

test('a long match has no more points than a screen can show, and the last score', () => {
  const long: Timeline['scores'] = Array.from({ length: 20_000 }, (_, n) => [n, [n]]);
  const path = pathOf(long, 0, 20_000, { low: 0, high: 20_000, ticks: [] });
  expect(path.split('V').length).toBeLessThanOrEqual(802);
  expect(path).toMatch(/V0(\.0\d?)?H100$/);
});

test('labels at the ends do not cover each other and stay in the chart', () => {
  const labels = endLabels([[0, [60, 60, 59, 1]]], { low: 0, high: 60, ticks: [] }, 12);
  expect(labels.map((label) => label.seat)).toEqual([0, 1, 2, 3]);
  for (const [i, label] of labels.entries()) {
    if (i > 0) expect(label.top - labels[i - 1]!.top).toBeGreaterThanOrEqual(12);
    expect(label.top).toBeLessThanOrEqual(100);
  }
});

test('the table has the scores where parts begin', () => {
  const parts = [0, 50, 70].map((n, i) => ({ n, kind: 'part' as const, seat: null, words: `Round ${i + 1}` }));
  expect(scoreRows(scores, parts).map((row) => row.scores)).toEqual([
    [18, 18],
    [10, 18],
    [10, 18],
  ]);
  const many = Array.from({ length: 500 }, (_, n) => ({ n, kind: 'part' as const, seat: null, words: '' }));
  expect(scoreRows(scores, many).length).toBeLessThanOrEqual(40);
  expect(scoresAt(scores, 99)).toEqual([10, 18]);
});
