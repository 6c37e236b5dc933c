import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeBrowser, fakeBrowser } from '../../tests/fake_browser';
import { MutedNames } from './muted.svelte';

let browser: FakeBrowser;

beforeEach(() => {
  browser = fakeBrowser();
});

afterEach(() => vi.unstubAllGlobals());

test('a muted name is remembered by this browser until it is unmuted', () => {
  new MutedNames().add('Eve');
  const later = new MutedNames();
  expect([later.has('Eve'), later.has('Ada')]).toEqual([true, false]);
  later.remove('Eve');
  expect(new MutedNames().has('Eve')).toBe(false);
  expect([...browser.storage.keys()]).toEqual([]);
});

test('what somebody else stored there is no reason to fail', () => {
  browser.storage.set('parlour.muted', '{"Eve": 1}');
  expect(new MutedNames().has('Eve')).toBe(false);
});

test('the oldest of many names are forgotten', () => {
  const muted = new MutedNames();
  for (let i = 0; i < 201; i++) muted.add(`guest-${i}`);
  expect([muted.has('guest-0'), muted.has('guest-1'), muted.has('guest-200')]).toEqual([false, true, true]);
});
