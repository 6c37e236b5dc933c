/** The salt of this browser for a table: random text that is mixed into the dice, so that the arena cannot choose them. */
import { load, store } from '../storage';

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The salt for a table; the same one after a reload. */
export function saltFor(table: string): string {
  const known = load(`salt.${table}`, isText);
  if (known !== null) return known;
  const made = newSalt();
  store(`salt.${table}`, made);
  return made;
}

/** Remember the salt that a seat was taken with. */
export function keepSalt(table: string, salt: string): void {
  store(`salt.${table}`, salt);
}

export function newSalt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
