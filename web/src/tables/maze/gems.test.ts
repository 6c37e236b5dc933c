import { expect, test } from 'vitest';
import cases from './cases.json';
import { CUTS, FACETS, gemName, lookOf } from './gems';

test('no two gems of the game look the same', () => {
  const looks = cases.gems.map((name) => JSON.stringify(lookOf(name)));
  expect(cases.gems).toHaveLength(102);
  expect(new Set(looks).size).toBe(looks.length);
});

test('an unknown gem has a look, too', () => {
  const { colour, cut, facet } = lookOf('a gem of a later version');
  expect(colour).toBeLessThan(11);
  expect(CUTS[cut]).toBeDefined();
  expect(FACETS[facet]).toBeDefined();
  expect(lookOf('a gem of a later version')).toEqual({ colour, cut, facet });
});

test('names are read without hyphens', () => {
  expect(gemName('blue-spinel-heart')).toBe('blue spinel heart');
});
