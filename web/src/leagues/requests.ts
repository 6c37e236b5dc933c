/**
 * Requests about leagues. A tab that administers the arena asks as an administrator, who also sees the accounts of all
 * entries.
 */
import { api, ApiError, type Answer, got, type Schemas } from '../api/client';
import { asHost, gotAsHost } from '../host/client';
import { hostSession } from '../host/session.svelte';
import { identity } from '../identity.svelte';
import type { Entry, League, LeagueRecord, OwnEntry, Slot } from './forms';

type Client = typeof api;

/** The data of a request by whoever uses this tab. */
function asked<T>(ask: (client: Client) => Promise<Answer<T>>): Promise<T> {
  return hostSession.token === null ? got(ask(api)) : gotAsHost(ask(asHost));
}

/** Administrators see all names and results, which may be hidden from others. */
function view(): { full?: true } {
  return hostSession.token === null ? {} : { full: true };
}

/** The most that one request may ask for. */
const PART = 100;

export function leaguesFrom(before: string | null, limit: number): Promise<Schemas['LeaguePage']> {
  const query = { limit, ...(before === null ? {} : { before }) };
  return got(api.GET('/api/leagues', { params: { query } }));
}

export function standingsOf(league: string): Promise<Schemas['LeagueStandings']> {
  const params = { path: { league }, query: view() };
  return asked((client) => client.GET('/api/leagues/{league}/standings', { params }));
}

export interface Schedule {
  readonly slots: readonly Slot[];
  /** Whether there are more. */
  readonly hasMore: boolean;
}

/** The matches of the schedule after one of them, at most so many parts of the list. */
export async function slotsOf(league: string, parts: number, first = 0): Promise<Schedule> {
  const [slots, next] = await partsOf(parts, first, async (after) => {
    const params = { path: { league }, query: { after, limit: PART, ...view() } };
    const page = await asked((client) => client.GET('/api/leagues/{league}/matches', { params }));
    return [page.matches, page.next];
  });
  return { slots, hasMore: next !== null };
}

/** The matches that are being played, or are near. Matches are played roughly in their order. */
export async function nearOf(league: Pick<League, 'id' | 'settled'>): Promise<readonly Slot[]> {
  return (await slotsOf(league.id, 1, Math.max(0, league.settled - PART / 2))).slots;
}

export function entriesOf(league: string): Promise<readonly Entry[]> {
  const params = { path: { league }, query: view() };
  return asked((client) => client.GET('/api/leagues/{league}/entries', { params }));
}

export async function recordsOf(league: string): Promise<readonly LeagueRecord[]> {
  const [records] = await partsOf(10, 0, async (after) => {
    const params = { path: { league }, query: { after, limit: PART } };
    const page = await got(api.GET('/api/leagues/{league}/records', { params }));
    return [page.records, page.next];
  });
  return records;
}

/** The entry of the user; null if there is none. */
export async function ownEntryOf(league: string): Promise<OwnEntry | null> {
  if (identity.token === null || identity.known?.isGuest === true) return null;
  try {
    return await got(api.GET('/api/leagues/{league}/entry', { params: { path: { league } } }));
  } catch (e) {
    if (e instanceof ApiError && e.status === 404) return null;
    throw e;
  }
}

/** At most so many parts of a list as one, and where it goes on. */
async function partsOf<T>(
  most: number,
  first: number,
  load: (after: number) => Promise<readonly [readonly T[], number | null]>,
): Promise<[T[], number | null]> {
  const all: T[] = [];
  let next: number | null = first;
  for (let part = 0; part < most && next !== null; part += 1) {
    const [found, after]: readonly [readonly T[], number | null] = await load(next);
    all.push(...found);
    next = after;
  }
  return [all, next];
}
