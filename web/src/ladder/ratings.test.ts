import { expect, test } from 'vitest';
import { addressOfPlayer, changesOf, drawingOf, placeIn, rangeOf, spanOf } from './ratings';

const point = (mean: number, deviation: number) => ({ at_ms: 0, match: 'm', mean, deviation });

test('the range of a skill begins at the rating', () => {
  expect(rangeOf({ mean: 25, deviation: 2 })).toEqual({ low: 19, high: 31 });
});

test('ranges share a span, and a value outside it is drawn at its end', () => {
  const span = spanOf([
    { mean: 20, deviation: 1 },
    { mean: 30, deviation: 2 },
  ]);
  expect(span).toEqual({ low: 17, high: 36 });
  expect([17, 26.5, 36, 50].map((value) => placeIn(value, span))).toEqual([0, 50, 100, 100]);
  expect(spanOf([])).toEqual({ low: 0, high: 50 });
});

test('a history is a line in a band, within round numbers', () => {
  const { scale, line, band } = drawingOf([point(25, 5), point(30, 2.5)]);
  expect(scale).toEqual({ low: 15, high: 35, ticks: [15, 20, 25, 30, 35] });
  expect(line).toBe('M0 50L100 25');
  expect(band).toBe('M0 0L100 0L100 50L0 100Z');
});

test('one match is a level line', () => {
  expect(drawingOf([point(25, 5)]).line).toBe('M0 50H100');
});

test('changes are listed newest first; the first match changed what a newcomer has', () => {
  const history = [point(27, 5), point(26, 4)];
  expect(changesOf(history, 2, 25).map(({ by }) => by)).toEqual([-1, 2]);
  expect(changesOf(history, 7, 25).map(({ by }) => by)).toEqual([-1, null]);
});

test('any name can be part of an address', () => {
  expect(addressOfPlayer({ name: 'a/b&c', kind: 'account' }, 'maze')).toBe('/ladder?game=maze&player=a%2Fb%26c');
  expect(addressOfPlayer({ name: 'random', kind: 'bot' }, 'maze')).toBe('/ladder?game=maze&player=random&kind=bot');
});
