import { afterEach, beforeEach, expect, test, vi } from 'vitest';

type Router = typeof import('./router.svelte');
const location = { pathname: '/', search: '', hash: '', origin: 'http://arena.test' };
const visited: string[] = [];
let page: Router;

/** A window whose address can be changed. */
function fakeWindow(): EventTarget {
  const move = (address: string) => {
    const { pathname, search, hash } = new URL(address, location.origin);
    Object.assign(location, { pathname, search, hash });
  };
  const history = {
    pushState: (_state: null, _title: string, address: string) => {
      visited.push(address);
      move(address);
    },
    replaceState: (_state: null, _title: string, address: string) => move(address),
  };
  return Object.assign(new EventTarget(), { location, history, scrollTo: () => undefined });
}

beforeEach(async () => {
  visited.length = 0;
  Object.assign(location, { pathname: '/', search: '', hash: '' });
  vi.stubGlobal('window', fakeWindow());
  vi.resetModules();
  page = await import('./router.svelte');
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Click on a link; whether the page handled it by itself. */
function clicked(address: string, more: object = {}, attributes: readonly string[] = []): boolean {
  const { pathname, search, hash, origin } = new URL(address, location.origin);
  const hasAttribute = (name: string) => attributes.includes(name);
  const link = { pathname, search, hash, origin, target: '', hasAttribute };
  const preventDefault = vi.fn();
  const event = { target: { closest: () => link }, button: 0, defaultPrevented: false, preventDefault, ...more };
  page.follow(event as unknown as MouseEvent);
  return preventDefault.mock.calls.length > 0;
}

test('a move to another page is in the history, a change of the moment is not', () => {
  page.router.go('/matches/m?seat=1#n=5');
  page.router.replace('/matches/m#n=6');
  expect(page.router.at).toEqual({ path: '/matches/m', query: new URLSearchParams(), hash: 'n=6' });
  expect(visited).toEqual(['/matches/m?seat=1#n=5']);
});

test('the back button shows the page before', () => {
  page.router.go('/open');
  Object.assign(location, { pathname: '/' });
  window.dispatchEvent(new Event('popstate'));
  expect(page.router.at.path).toBe('/');
});

test('links to pages are followed without loading the document', () => {
  expect(clicked('/games/forsale')).toBe(true);
  expect(page.router.at.path).toBe('/games/forsale');
});

test('all other links are left to the browser', () => {
  expect(clicked('/api/matches')).toBe(false);
  expect(clicked('https://elsewhere.test/open')).toBe(false);
  expect(clicked('/open', { ctrlKey: true })).toBe(false);
  expect(clicked('/open', { button: 1 })).toBe(false);
  expect(clicked('/open', {}, ['download'])).toBe(false);
  expect(visited).toEqual([]);
});
