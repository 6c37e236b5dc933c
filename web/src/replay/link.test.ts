import { expect, test } from 'vitest';
import { linkTo, placeOf } from './link';

test.each([
  ['', { at: 0, viewer: null }],
  ['?at=38&seat=1', { at: 38, viewer: 1 }],
  ['?at=3&seat=all', { at: 3, viewer: 'all' as const }],
  ['?seat=0', { at: 0, viewer: 0 }],
])('the link %j', (query, place) => {
  expect(placeOf(new URLSearchParams(query))).toEqual(place);
  expect(linkTo('/matches/m', place)).toBe(`/matches/m${query}`);
});

test.each(['?at=-1', '?at=x&seat=ada', '?at=1e9', '?at=99999999999'])('a link %j that nobody made', (query) => {
  expect(placeOf(new URLSearchParams(query))).toEqual({ at: 0, viewer: null });
});
