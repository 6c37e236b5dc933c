/** What this browser sent and was told in a match, in the file format that `parlour verify --receipt` reads. It shows
 * later whether the transcript has the answers of this seat as they were given. */
import { load, store } from '../storage';

export type Receipt = readonly string[];

/** Receipts of this many matches are kept; the oldest is removed. */
const MOST_KEPT = 20;

function isLines(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((line) => typeof line === 'string');
}

export function receiptOf(match: string): Receipt {
  return load(`receipt.${match}`, isLines) ?? [];
}

/** Append an entry. Entries are in the order in which they were sent and received. */
export function addEntry(match: string, entry: object): void {
  const known = load('receipts', isLines) ?? [];
  if (!known.includes(match)) {
    for (const old of known.slice(0, Math.max(0, known.length + 1 - MOST_KEPT))) store(`receipt.${old}`, null);
    store('receipts', [...known, match].slice(-MOST_KEPT));
  }
  store(`receipt.${match}`, [...receiptOf(match), JSON.stringify(entry)]);
}
