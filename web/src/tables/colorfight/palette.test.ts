import { expect, it } from 'vitest';
import { mixed, paletteOf, rgbOf } from './palette';

it('mixes colours', () => {
  expect(rgbOf(' #0c1f1a')).toEqual([12, 31, 26]);
  expect(rgbOf('#f0a')).toEqual([255, 0, 170]);
  expect(mixed('#ffffff', 0.5, '#000000')).toBe('#808080');
  expect(mixed('#102030', 1, '#ffffff')).toBe('#102030');
});

it('has other colours in the other theme', () => {
  const token = (name: string) => (name === '--room' ? '#000000' : '#ffffff');
  const [dark, light] = [paletteOf(token, false), paletteOf(token, true)];
  expect(dark.land).toHaveLength(12);
  expect(dark.land[0]).not.toBe(light.land[0]);
});
