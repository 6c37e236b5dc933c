import { expect, it } from 'vitest';
import { shownAmount } from './amounts';

it('shows whole numbers and fractions as people write them', () => {
  expect([3, '3/2', '1/3', '12/1', '8/3'].map(shownAmount)).toEqual(['3', '1½', '⅓', '12', '2⅔']);
});

it('keeps rare fractions and large numbers short', () => {
  expect(shownAmount('3/7')).toBe('0.42');
  expect(shownAmount('1/1000')).toBe('<0.01');
  expect(shownAmount(12345)).toBe('999+');
  expect(shownAmount(`${'9'.repeat(400)}/7`)).toBe('999+');
});
