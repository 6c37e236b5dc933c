/**
 * The token with which this tab administers the arena. It is made with the password, has no other scope, and is valid for
 * an hour. Only this tab knows it: it is never put where other tabs or a later visit can find it.
 */
import { api, got } from '../api/client';
import { identity } from '../identity.svelte';

const KEY = 'parlour.host';
const LIFE_S = 3600;

export interface HostToken {
  readonly name: string;
  readonly token: string;
  readonly expires_ms: number;
}

function isHostToken(value: unknown): value is HostToken {
  const known = value as Partial<HostToken> | null;
  return typeof known?.name === 'string' && typeof known.token === 'string' && typeof known.expires_ms === 'number';
}

/** The stored session of this tab, unless it is damaged or has expired. */
export function readToken(text: string | null, now: number): HostToken | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isHostToken(value) && value.expires_ms > now ? value : null;
  } catch {
    return null;
  }
}

function load(): HostToken | null {
  try {
    return readToken(sessionStorage.getItem(KEY), Date.now());
  } catch {
    return null;
  }
}

function keep(known: HostToken | null): void {
  try {
    if (known === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    return; // the browser stores nothing: the token lasts until the page is loaded again
  }
}

class HostSession {
  #known: HostToken | null = $state.raw(load());
  #timer = 0;

  constructor() {
    this.#expireLater();
  }

  /** The token of the current user; null if there is none. */
  get known(): HostToken | null {
    return this.#known?.name === identity.name ? this.#known : null;
  }

  get token(): string | null {
    return this.known?.token ?? null;
  }

  async open(name: string, password: string): Promise<void> {
    const body = { name, password, scopes: ['admin' as const], life_s: LIFE_S, label: 'host page' };
    const made = await got(api.POST('/api/login', { body }));
    this.#remember({
      name: made.account,
      token: made.token,
      expires_ms: made.expires_ms ?? Date.now() + LIFE_S * 1000,
    });
  }

  /** The token is no longer valid. */
  forget(): void {
    this.#remember(null);
  }

  /** Revoke the token and forget it, even if the arena does not answer. */
  async close(): Promise<void> {
    const token = this.#known?.token;
    this.forget();
    if (token === undefined) return;
    const headers = { authorization: `Bearer ${token}` };
    try {
      const me = await got(api.GET('/api/me', { headers }), () => undefined);
      const params = { path: { token_id: me.token } };
      await got(api.DELETE('/api/tokens/{token_id}', { params, headers }), () => undefined);
    } catch {
      return; // it expires within the hour
    }
  }

  #remember(known: HostToken | null): void {
    this.#known = known;
    keep(known);
    this.#expireLater();
  }

  #expireLater(): void {
    window.clearTimeout(this.#timer);
    if (this.#known !== null)
      this.#timer = window.setTimeout(() => this.forget(), Math.max(0, this.#known.expires_ms - Date.now()));
  }
}

export const hostSession = new HostSession();
