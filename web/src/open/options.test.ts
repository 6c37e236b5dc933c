import { expect, test } from 'vitest';
import { different } from './options';

const OPTIONS = {
  properties: { type: { enum: ['Options'] }, rows: { default: 7 }, ages: { default: null }, open: { default: false } },
};

test('only what differs from the usual rules is stated', () => {
  expect(different(OPTIONS, { type: 'Options', rows: 7, ages: null, open: false })).toEqual({});
  expect(different(OPTIONS, { type: 'Options', rows: 9, ages: [3], open: true })).toEqual({
    rows: 9,
    ages: [3],
    open: true,
  });
});

test('a value that is left empty is the usual one', () => {
  expect(different(OPTIONS, { ages: undefined })).toEqual({});
  expect(different(OPTIONS, null)).toEqual({});
});
