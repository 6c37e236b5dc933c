/** The slides of a projector, one after the other. */
import type { Schemas } from '../api/client';

export type Match = Pick<Schemas['MatchInfo'], 'id' | 'game' | 'seats'>;
export type Standing = Schemas['PlayerRecord'];

/** A league with its table, and the matches of it that come next. */
export interface LeagueShown {
  readonly league: Schemas['LeagueInfo'];
  readonly standings: readonly Schemas['LeagueStanding'][];
  readonly slots: readonly Schemas['LeagueMatch'][];
}

export type Slide =
  | { readonly kind: 'match'; readonly key: string; readonly game: string; readonly match: string }
  | { readonly kind: 'standings'; readonly key: string; readonly game: string; readonly rows: readonly Standing[] }
  | { readonly kind: 'league'; readonly key: string; readonly game: string; readonly shown: LeagueShown }
  | { readonly kind: 'example'; readonly key: string; readonly game: string }
  | { readonly kind: 'join'; readonly key: string };

/** At most so many matches are shown in one round. */
const MOST_MATCHES = 12;
const USUAL_S = 20;
const FEWEST_S = 3;
const MOST_S = 600;

/**
 * The slides: first the matches that are played, those with most people first, then the leagues, and then the
 * standings. If nothing is played, recorded matches and the address take the place of the matches.
 */
export function slidesOf(
  games: readonly string[],
  running: readonly Match[],
  standings: ReadonlyMap<string, readonly Standing[]>,
  leagues: readonly LeagueShown[] = [],
): Slide[] {
  const matches = byPeople(running.filter((match) => games.includes(match.game) && hasPlayers(match)));
  const live = matches
    .slice(0, MOST_MATCHES)
    .map(({ id, game }): Slide => ({ kind: 'match', key: `match ${id}`, game, match: id }));
  const counted = games
    .map((game) => ({ game, rows: standings.get(game) ?? [] }))
    .filter(({ rows }) => rows.some((row) => row.wins > 0))
    .map(({ game, rows }): Slide => ({ kind: 'standings', key: `standings ${game}`, game, rows }));
  const tables = leagues
    .filter(({ league }) => games.includes(league.game))
    .map((shown): Slide => ({ kind: 'league', key: `league ${shown.league.id}`, game: shown.league.game, shown }));
  if (live.length > 0) return [...live, ...tables, ...counted];
  const examples = games.map((game): Slide => ({ kind: 'example', key: `example ${game}`, game }));
  return [{ kind: 'join', key: 'join' }, ...tables, ...counted, ...examples];
}

/** How long a league that has ended is still shown. */
const ENDED_MS = 24 * 3_600_000;

/** Whether a league is worth a slide: it can be entered, is played, or has ended in the last day. */
export function isTopical(league: Schemas['LeagueInfo'], now: number): boolean {
  if (league.state === 'open' || league.state === 'running') return true;
  return league.state === 'over' && league.ended_ms !== null && now - league.ended_ms < ENDED_MS;
}

/** The place of the slide that was shown, in new slides. If it is gone, the one that took its place. */
export function placeAfter(slides: readonly Slide[], key: string | null, place: number): number {
  const found = slides.findIndex((slide) => slide.key === key);
  return found >= 0 ? found : Math.max(0, Math.min(place, slides.length - 1));
}

/** The place `by` further, round and round. */
export function moved(place: number, by: number, count: number): number {
  return count === 0 ? 0 : (((place + by) % count) + count) % count;
}

/** Seconds for each slide, from the query. */
export function secondsOf(text: string | null): number {
  const seconds = Number(text ?? '');
  return text === null || text.trim() === '' || !Number.isFinite(seconds)
    ? USUAL_S
    : Math.min(MOST_S, Math.max(FEWEST_S, seconds));
}

/** How much larger something of one size can be drawn to fill another. */
export function scaleToFit(width: number, height: number, intoWidth: number, intoHeight: number): number {
  if (width <= 0 || height <= 0) return 1;
  return Math.max(0.1, Math.min(intoWidth / width, intoHeight / height));
}

function hasPlayers(match: Match): boolean {
  return match.seats.some((seat) => seat.name !== null);
}

function byPeople(matches: readonly Match[]): Match[] {
  const people = (match: Match) => match.seats.filter((seat) => seat.kind !== 'bot').length;
  return [...matches].sort((a, b) => people(b) - people(a) || (a.id < b.id ? -1 : 1));
}
