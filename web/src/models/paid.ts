/** The questions to the models in a match, for the user who created its table. */
import { api, ApiError, got, type Schemas } from '../api/client';
import { identity } from '../identity.svelte';
import type { Call } from './calls';

const NO_CALLS: readonly Call[] = [];

/** The requests, which others may not see; empty if this user is not the one who may, or no model played. */
export async function paidCalls(info: Schemas['MatchInfo']): Promise<readonly Call[]> {
  const mayHave = identity.token !== null && info.seats.some((seat) => seat.kind === 'command');
  if (!mayHave) return NO_CALLS;
  const params = { path: { match: info.id } };
  const { is_creator } = await got(api.GET('/api/me/matches/{match}', { params }));
  if (!is_creator) return NO_CALLS;
  try {
    return (await got(api.GET('/api/matches/{match}/models', { params }))).calls;
  } catch (e) {
    if (e instanceof ApiError && e.code === 'not_over') return NO_CALLS;
    throw e;
  }
}
