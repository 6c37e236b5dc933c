/** Local storage that may be refused by the browser, full, or filled by somebody else. */

const PREFIX = 'parlour.';

export function load<T>(key: string, isValid: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(loadText(key) ?? 'null');
    return isValid(value) ? value : null;
  } catch {
    return null;
  }
}

/** Store a value; null removes it. False if the browser refused. */
export function store(key: string, value: unknown): boolean {
  return storeText(key, value === null ? null : JSON.stringify(value));
}

export function loadText(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Store a text as it is; null removes it. False if the browser refused. */
export function storeText(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, text);
    return true;
  } catch {
    return false;
  }
}

/** All keys that begin like this. */
export function keysFrom(start: string): string[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '');
    return keys.filter((key) => key.startsWith(PREFIX + start)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Call back when another tab has changed the value. */
export function onChange(key: string, changed: () => void): void {
  window.addEventListener('storage', (event) => {
    if (event.key === PREFIX + key || event.key === null) changed();
  });
}
