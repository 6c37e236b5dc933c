import { expect, test, vi } from 'vitest';

vi.stubGlobal('window', { location: { origin: 'http://arena' }, addEventListener: () => undefined, clearTimeout });
vi.stubGlobal('localStorage', { getItem: () => null });
const { readToken } = await import('./session.svelte');
const { refusedLines } = await import('./class_import.svelte');
const { ApiError } = await import('../api/client');

test('a token of the tab counts until it expires, and damaged ones never', () => {
  const known = { name: 'Grace', token: 'secret', expires_ms: 5000 };
  expect(readToken(JSON.stringify(known), 4999)).toEqual(known);
  expect(readToken(JSON.stringify(known), 5000)).toBeNull();
  for (const text of [null, '', '{', '5', '{}', '{"name": 1, "token": "x", "expires_ms": 9}'])
    expect(readToken(text, 0)).toBeNull();
});

test('a refused name has the line of the text, in which empty lines count', () => {
  const lines = [
    { line: 2, name: 'Ada' },
    { line: 5, name: 'random' },
  ];
  const names = [{ line: 2, name: 'random', why: 'it is a bot' }];
  const problem = new ApiError('bad_names', 'words', 400, { names });
  expect(refusedLines(problem, lines)).toEqual([{ line: 5, name: 'random', why: 'it is a bot' }]);
  expect(refusedLines(new ApiError('busy', 'words', 429), lines)).toBeNull();
  expect(refusedLines(new Error('down'), lines)).toBeNull();
});
