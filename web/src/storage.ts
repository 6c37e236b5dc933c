/** Local storage that may be refused by the browser, full, or filled by somebody else. */

export function load<T>(key: string, isValid: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`parlour.${key}`) ?? 'null');
    return isValid(value) ? value : null;
  } catch {
    return null;
  }
}

/** Store a value; null removes it. False if the browser refused. */
export function store(key: string, value: unknown): boolean {
  try {
    if (value === null) localStorage.removeItem(`parlour.${key}`);
    else localStorage.setItem(`parlour.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Call back when another tab has changed the value. */
export function onChange(key: string, changed: () => void): void {
  window.addEventListener('storage', (event) => {
    if (event.key === `parlour.${key}` || event.key === null) changed();
  });
}
