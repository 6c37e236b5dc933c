/** Numbers typed on the keyboard, digit by digit, without a field that has the focus. */

const PAUSE_MS = 1200;
const MOST_DIGITS = 5;

export class TypedNumber {
  #digits = '';
  #last = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The number after one more digit. After a pause a new number begins. */
  add(digit: string): number {
    const now = this.now();
    const goesOn = now - this.#last < PAUSE_MS && this.#digits.length < MOST_DIGITS;
    this.#digits = goesOn ? this.#digits + digit : digit;
    this.#last = now;
    return Number(this.#digits);
  }

  clear(): void {
    this.#digits = '';
    this.#last = -Infinity;
  }
}

/** Whether a key press belongs to an element that needs it: a text field, or a button that it would press. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'radio';
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return event.key === 'Enter' && target.closest('button, a, summary') !== null;
}
