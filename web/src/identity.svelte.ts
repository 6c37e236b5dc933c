/** The user of this browser: nobody yet, a guest, or an account. All tabs share it. */
import { load, onChange, store } from './storage';

export interface Identity {
  readonly name: string;
  readonly token: string;
  readonly isGuest: boolean;
  readonly scopes: readonly string[];
  /** Whether the account is an administrator's. The token does not have the scope `admin`: see host/session. */
  readonly isAdmin?: boolean;
}

function isIdentity(value: unknown): value is Identity {
  const known = value as Partial<Identity> | null;
  return typeof known?.name === 'string' && typeof known.token === 'string' && Array.isArray(known.scopes);
}

class CurrentIdentity {
  #known: Identity | null = $state.raw(load('identity', isIdentity));

  constructor() {
    onChange('identity', () => (this.#known = load('identity', isIdentity)));
  }

  get known(): Identity | null {
    return this.#known;
  }

  get token(): string | null {
    return this.#known?.token ?? null;
  }

  get name(): string | null {
    return this.#known?.name ?? null;
  }

  get isAdmin(): boolean {
    return this.#known?.isAdmin === true;
  }

  remember(known: Identity): void {
    this.#known = known;
    store('identity', known);
  }

  /** The token is no longer valid, or the user has logged out. */
  forget(): void {
    this.#known = null;
    store('identity', null);
  }
}

export const identity = new CurrentIdentity();
