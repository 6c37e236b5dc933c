/** The salt of this browser for a table: random text that is mixed into the dice, so that the arena cannot choose them. */
import { load, store } from '../storage';

export interface Salt {
  readonly text: string;
  /** It was made just now, so no arena has it yet. */
  readonly isNew: boolean;
}

/** Salts of this many tables are kept; the oldest is removed. */
const MOST_KEPT = 50;

type Kept = [table: string, salt: string][];

function isKept(value: unknown): value is Kept {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.every(isText) && pair.length === 2);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function others(table: string): Kept {
  return (load('salts', isKept) ?? []).filter(([known]) => known !== table);
}

/** The salt for a table; the same one after a reload. */
export function saltFor(table: string): Salt {
  const known = load('salts', isKept)?.find(([name]) => name === table);
  if (known !== undefined) return { text: known[1], isNew: false };
  const text = newSalt();
  keepSalt(table, text);
  return { text, isNew: true };
}

/** Remember the salt that a seat was taken with. */
export function keepSalt(table: string, salt: string): void {
  store('salts', [...others(table), [table, salt]].slice(-MOST_KEPT));
}

/** The table did not take its salt. */
export function forgetSalt(table: string): void {
  store('salts', others(table));
}

export function newSalt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
