/** The names of players that this browser mutes. All tabs share them; the arena does not know them. */
import { load, onChange, store } from '../storage';

const KEY = 'muted';
/** The oldest are forgotten: guests have a new name each time. */
const MOST = 200;

function areNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

export class MutedNames {
  #names: readonly string[] = $state.raw(load(KEY, areNames) ?? []);

  constructor() {
    onChange(KEY, () => (this.#names = load(KEY, areNames) ?? []));
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  add(name: string): void {
    if (!this.has(name)) this.#keep([...this.#names, name].slice(-MOST));
  }

  remove(name: string): void {
    this.#keep(this.#names.filter((each) => each !== name));
  }

  #keep(names: readonly string[]): void {
    this.#names = names;
    store(KEY, names.length === 0 ? null : names);
  }
}
