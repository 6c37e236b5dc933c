import { afterEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from '../tests/fake_browser';
import { load, onChange, store } from './storage';

const isNumber = (value: unknown): value is number => typeof value === 'number';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('what is stored is loaded again, and null removes it', () => {
  const { storage } = fakeBrowser();
  expect(store('a', 5)).toBe(true);
  expect([load('a', isNumber), [...storage.keys()]]).toEqual([5, ['parlour.a']]);
  store('a', null);
  expect([load('a', isNumber), storage.size]).toEqual([null, 0]);
});

test('what somebody else wrote there counts as nothing', () => {
  const { storage } = fakeBrowser();
  storage.set('parlour.a', '{broken');
  storage.set('parlour.b', '"text"');
  expect([load('a', isNumber), load('b', isNumber)]).toEqual([null, null]);
});

test('a browser that refuses storage does no harm', () => {
  fakeBrowser();
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('refused');
    },
    setItem: () => {
      throw new Error('full');
    },
  });
  expect([load('a', isNumber), store('a', 1)]).toEqual([null, false]);
});

test('a change in another tab is told, and only of its own key', () => {
  const { window } = fakeBrowser();
  const changed = vi.fn();
  onChange('a', changed);
  window.dispatchEvent(Object.assign(new Event('storage'), { key: 'parlour.b' }));
  expect(changed).not.toHaveBeenCalled();
  window.dispatchEvent(Object.assign(new Event('storage'), { key: 'parlour.a' }));
  expect(changed).toHaveBeenCalledOnce();
});
