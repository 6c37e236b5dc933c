import { expect, it } from 'vitest';
import { TypedNumber } from './typing';

it('puts digits together until there is a pause', () => {
  let now = 0;
  const typed = new TypedNumber(() => now);
  expect(typed.add('1')).toBe(1);
  now += 300;
  expect(typed.add('2')).toBe(12);
  now += 5000;
  expect(typed.add('3')).toBe(3);
  typed.clear();
  expect(typed.add('4')).toBe(4);
});
