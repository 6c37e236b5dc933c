import { expect, test } from 'vitest';
import { commandOf, type Focus } from './keys';

const press = (key: string, focus: Focus = 'none', held: object = {}) =>
  commandOf({ key, ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, ...held }, focus);

test('the keys step, play and jump', () => {
  expect([' ', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'a'].map((key) => press(key))).toEqual([
    'toggle',
    'back',
    'on',
    'start',
    'end',
    null,
  ]);
});

test('keys keep their meaning in a field, on a button and on the slider', () => {
  expect(press(' ', 'text')).toBeNull();
  expect(press('ArrowLeft', 'text')).toBeNull();
  expect(press(' ', 'button')).toBeNull();
  expect(press('ArrowLeft', 'button')).toBe('back');
  expect(press('ArrowLeft', 'slider')).toBeNull();
  expect(press(' ', 'slider')).toBe('toggle');
});

test('keys of the browser are left alone', () => {
  expect(press('ArrowLeft', 'none', { altKey: true })).toBeNull();
  expect(press('Home', 'none', { ctrlKey: true })).toBeNull();
});
