/** Prepare the lists of matches for the home page. */
import type { Schemas } from '../api/client';

type Match = Schemas['MatchInfo'];
type Game = Pick<Schemas['GameInfo'], 'name' | 'fewest' | 'most' | 'bots' | 'short'>;

/** The running matches with somebody in them. A room that anybody may enter runs with nobody, too. */
export function played(running: readonly Match[]): readonly Match[] {
  return running.filter((match) => match.seats.some((seat) => seat.name !== null));
}

/** The matches of a game, those with people first: they are the ones to watch. */
export function liveOf(running: readonly Match[], game: string): readonly Match[] {
  const people = (match: Match) => match.seats.filter((seat) => seat.kind !== 'bot').length;
  return running.filter((match) => match.game === game).sort((a, b) => people(b) - people(a));
}

/** The seats of a finished match, the winner first. */
export function ranked(match: Match): Match['seats'] {
  const last = match.seats.length;
  return [...match.seats].sort((a, b) => (a.rank ?? last) - (b.rank ?? last));
}

/** A table of bots of different strengths, to watch. */
export function botTable(game: Game): Schemas['NewTable'] {
  const seats = Math.min(Math.max(game.fewest, 3), game.most);
  const plans = Array.from({ length: seats }, (_, i) => ({
    kind: 'bot' as const,
    spec: game.bots[game.bots.length - 1 - (i % game.bots.length)] ?? 'random',
  }));
  return { game: game.name, seats: plans, terms: { pace_s: 1, options: game.short ?? {} } };
}

/** How many seats of an open table are taken, and by whom first: a person if there is one. */
export function waitingAt(match: Match): { name: string | null; taken: number } {
  const taken = match.seats.filter((seat) => seat.name !== null);
  const first = taken.find((seat) => seat.kind !== 'bot');
  return { name: first?.name ?? null, taken: taken.length };
}
