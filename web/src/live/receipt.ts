/** The messages of this browser in a match, in the file format that `parlour verify --receipt` reads. It shows
 * later whether the transcript has the answers of this seat as they were given.
 *
 * The lines are stored in pieces, so that adding one takes the same time however long the match is. Several tabs may
 * write to one receipt, one after the other. */
import { keysFrom, load, loadText, store, storeText } from '../storage';

export interface Receipt {
  readonly lines: readonly string[];
  /** There was no room for it, so it was given up. */
  readonly isLost: boolean;
}

export const NO_RECEIPT: Receipt = { lines: [], isLost: false };

/** Receipts of this many matches are kept; the oldest is removed. */
const MOST_KEPT = 20;
/** Sizes in characters. Browsers store about five million for one address. */
const PIECE = 8_000;
const MOST_OF_ONE = 1_000_000;
const MOST_OF_OTHERS = 2_000_000;

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** Match names have no slash. */
function keyOf(match: string, piece: number | 'lost'): string {
  return `receipt.${match}/${piece}`;
}

export function receiptOf(match: string): Receipt {
  const pieces: string[] = [];
  for (let text = loadText(keyOf(match, 0)); text !== null; text = loadText(keyOf(match, pieces.length))) {
    pieces.push(text);
  }
  const lines = pieces.join('').split('\n').slice(0, -1);
  return { lines, isLost: loadText(keyOf(match, 'lost')) !== null };
}

/** Appends to the receipt of one match. */
export class ReceiptWriter {
  #piece = 0;
  #size = 0;
  #isLost: boolean;

  constructor(private readonly match: string) {
    const { lines, isLost } = receiptOf(match);
    this.#size = lines.reduce((size, line) => size + line.length + 1, 0);
    this.#isLost = isLost;
    if (lines.length === 0) register(match);
  }

  /** Append an entry, in the order in which they are sent and received. False if there is no room: a receipt with a
   * gap would accuse the arena of answers that it did not change, so none is kept. */
  add(entry: object): boolean {
    if (this.#isLost) return false;
    const line = `${JSON.stringify(entry)}\n`;
    this.#size += line.length;
    if (this.#size <= MOST_OF_ONE && this.#append(line)) return true;
    this.#isLost = true;
    remove(this.match);
    storeText(keyOf(this.match, 'lost'), '1');
    return false;
  }

  #append(line: string): boolean {
    while (loadText(keyOf(this.match, this.#piece + 1)) !== null) this.#piece += 1; // written in another tab
    let before = loadText(keyOf(this.match, this.#piece)) ?? '';
    if (before !== '' && before.length + line.length > PIECE) {
      this.#piece += 1;
      before = '';
    }
    return storeAnyhow(keyOf(this.match, this.#piece), before + line, this.match);
  }
}

/** Note a new receipt, and remove the oldest where there are too many. */
function register(match: string): void {
  const others = (load('receipts', isNames) ?? []).filter((name) => name !== match);
  store('receipts', [...others, match]);
  let size = others.reduce((sum, name) => sum + sizeOf(name), 0);
  for (const [i, name] of others.entries()) {
    if (others.length - i < MOST_KEPT && size <= MOST_OF_OTHERS) break;
    size -= sizeOf(name);
    forget(name);
  }
}

/** Store a text; where there is no room, instead of the oldest receipts of other matches. */
function storeAnyhow(key: string, text: string, match: string): boolean {
  if (storeText(key, text)) return true;
  const others = (load('receipts', isNames) ?? []).filter((name) => name !== match);
  return others.some((oldest) => {
    forget(oldest);
    return storeText(key, text);
  });
}

function forget(match: string): void {
  remove(match);
  const names = load('receipts', isNames) ?? [];
  store(
    'receipts',
    names.filter((name) => name !== match),
  );
}

function remove(match: string): void {
  for (const key of keysFrom(`receipt.${match}/`)) storeText(key, null);
}

function sizeOf(match: string): number {
  return keysFrom(`receipt.${match}/`).reduce((size, key) => size + (loadText(key)?.length ?? 0), 0);
}
