import { beforeEach, expect, test, vi } from 'vitest';
import { receiptOf, ReceiptWriter } from './receipt';

/** Storage that holds so many characters, and counts those that are written. */
class LocalStorage {
  readonly #values = new Map<string, string>();
  written = 0;

  constructor(private readonly most: number) {}

  get length(): number {
    return this.#values.size;
  }

  get size(): number {
    return [...this.#values.values()].reduce((sum, value) => sum + value.length, 0);
  }

  key(i: number): string | null {
    return [...this.#values.keys()][i] ?? null;
  }

  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (this.size - (this.getItem(key)?.length ?? 0) + value.length > this.most) throw new Error('full');
    this.written += value.length;
    this.#values.set(key, value);
  }

  removeItem(key: string): void {
    this.#values.delete(key);
  }
}

let storage: LocalStorage;

function begin(most = 5_000_000): void {
  storage = new LocalStorage(most);
  vi.stubGlobal('localStorage', storage);
}

beforeEach(() => begin());

function fill(match: string, entries: number): boolean[] {
  const writer = new ReceiptWriter(match);
  return Array.from({ length: entries }, (_, id) => writer.add({ kind: 'answer', id, action: 'a'.repeat(60) }));
}

test('entries are kept in order, one line each, over reloads and tabs', () => {
  const first = new ReceiptWriter('one');
  const other = new ReceiptWriter('one');
  const added = Array.from({ length: 500 }, (_, id) => ({ kind: 'answer', id, action: 'a'.repeat(40) }));
  for (const entry of added) expect((entry.id % 3 === 0 ? first : other).add(entry)).toBe(true);
  new ReceiptWriter('one').add({ kind: 'over' });
  expect(receiptOf('one').lines).toEqual([...added, { kind: 'over' }].map((entry) => JSON.stringify(entry)));
  expect(receiptOf('two')).toEqual({ lines: [], isLost: false });
});

test('a long receipt does not make adding to it slower', () => {
  fill('short', 200);
  const short = storage.written / 200;
  storage.written = 0;
  fill('long', 5000);
  expect(storage.written / 5000).toBeLessThan(short * 2);
});

test('only the last receipts are kept', () => {
  for (let i = 0; i < 25; i++) fill(`match ${i}`, 3);
  expect(receiptOf('match 4').lines).toEqual([]);
  expect(receiptOf('match 5').lines).toHaveLength(3);
});

test('where there is no room, the oldest receipts go first', () => {
  begin(100_000);
  fill('old', 500);
  expect(fill('new', 900).every(Boolean)).toBe(true);
  expect(receiptOf('old').lines).toEqual([]);
  expect(receiptOf('new').lines).toHaveLength(900);
});

test('a receipt without room is given up as a whole, and that is known', () => {
  begin(100_000);
  const added = fill('one', 2000);
  expect(added[0]).toBe(true);
  expect(added.at(-1)).toBe(false);
  expect(receiptOf('one')).toEqual({ lines: [], isLost: true });
  expect(new ReceiptWriter('one').add({ kind: 'over' })).toBe(false);
  expect(storage.size).toBeLessThan(100);
});

test('one match cannot fill the storage', () => {
  expect(fill('one', 20_000).at(-1)).toBe(false);
  expect(storage.size).toBeLessThan(100);
});

test('a browser that refuses storage is no trouble', () => {
  vi.stubGlobal('localStorage', undefined);
  expect(fill('one', 1)).toEqual([false]);
  begin(0);
  expect(fill('one', 1)).toEqual([false]);
});
