/** Become a guest, register, log in and out. */
import { api, got, type Schemas } from './api/client';
import { hostSession } from './host/session.svelte';
import { identity } from './identity.svelte';
import { keysFrom, storeText } from './storage';

/** The scopes of the token that this browser keeps. Administrators open the host's page with another token. */
const SCOPES: Schemas['Returning']['scopes'] = ['play', 'host', 'account'];

function remember(made: Schemas['WithToken'], isGuest: boolean): void {
  identity.remember({ name: made.account, token: made.token, isGuest, scopes: made.scopes, isAdmin: made.admin });
}

/** The token of the current user, who becomes a guest if there is none yet. */
export async function someToken(name: string | null = null): Promise<string> {
  if (identity.token !== null) return identity.token;
  remember(await got(api.POST('/api/guests', { body: name ? { name } : {} })), true);
  return identity.token ?? '';
}

export async function register(name: string, password: string): Promise<void> {
  remember(await got(api.POST('/api/accounts', { body: { name, password, label: 'page' } })), false);
}

export async function logIn(name: string, password: string): Promise<void> {
  remember(await got(api.POST('/api/login', { body: { name, password, label: 'page', scopes: SCOPES } })), false);
}

/** Change the password. All other logins end. */
export async function changePassword(name: string, password: string, newPassword: string): Promise<void> {
  const body = { name, password, new_password: newPassword, label: 'page', scopes: SCOPES };
  remember(await got(api.POST('/api/password', { body })), false);
}

/** Log out, and revoke the token if it belongs to an account. A guest's token is the only way back to its seats. */
export async function logOut(): Promise<void> {
  try {
    await hostSession.close();
    if (identity.known !== null && !identity.known.isGuest) {
      const me = await got(api.GET('/api/me'));
      await got(api.DELETE('/api/tokens/{token_id}', { params: { path: { token_id: me.token } } }));
    }
  } finally {
    identity.forget();
  }
}

/** The account is deleted: forget the user, and the salts, keys and receipts of its matches. The theme is kept. */
export function forgetEverything(): void {
  for (const key of keysFrom('').filter((each) => each !== 'theme')) storeText(key, null);
  identity.forget();
}
