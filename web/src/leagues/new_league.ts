/** The form for a new league. */
import type { Schemas } from '../api/client';
import type { GameInfo } from '../games.svelte';
import type { Format, NewLeague } from './forms';
import { fromField, toField, usualDeadline } from './times';

export type HousePlayer = Schemas['HousePlayer'];

/** The contents of the fields. Empty number fields hold null. */
export interface LeagueForm {
  name: string;
  game: string;
  format: Format;
  seats: number;
  deals: number | null;
  rounds: number | null;
  deadline: string;
  freeze: string;
  limit: number | null;
  bank: number | null;
  grace: number | null;
  anonymous: boolean;
  /** Whether matches are as short as those of people, if the game has such. */
  isShort: boolean;
  teamSize: number | null;
  house: HousePlayer[];
}

type Seats = Pick<GameInfo, 'fewest' | 'most'>;

/** More seats than this are not offered. */
const MOST_SEATS = 12;
const USUAL = { deals: 1, rounds: 3, bank: 0, grace: 60, teamSize: 1 } as const;

export function newForm(game: Seats & { name: string }, now: number): LeagueForm {
  return {
    name: '',
    game: game.name,
    format: 'round-robin',
    seats: seatChoices(game)[0] ?? 2,
    deadline: toField(usualDeadline(now)),
    freeze: '',
    limit: null,
    anonymous: false,
    isShort: true,
    house: [],
    ...USUAL,
  };
}

/** How many seats a match of the league can have. */
export function seatChoices(game: Seats): number[] {
  const [least, most] = [Math.max(2, game.fewest), Math.min(game.most, MOST_SEATS)];
  return Array.from({ length: Math.max(0, most - least + 1) }, (_unused, i) => least + i);
}

export type FormProblem = 'past' | 'freezeEarly' | 'houseNeeded';

/** The errors that the fields themselves cannot find. */
export function problemsOf(form: LeagueForm, now: number): FormProblem[] {
  const [deadline, freeze] = [fromField(form.deadline), fromField(form.freeze)];
  const found: FormProblem[] = [];
  if (deadline === null || deadline <= now) found.push('past');
  if (deadline !== null && freeze !== null && freeze < deadline) found.push('freezeEarly');
  if (form.format === 'gauntlet' && form.house.length === 0) found.push('houseNeeded');
  return found;
}

/**
 * The request. `options`: the house rules that differ from the usual ones; `short`: those of short matches of the game,
 * unless they are not wanted.
 */
export function requestOf(
  form: LeagueForm,
  options: Record<string, unknown>,
  short: Record<string, unknown> | null = null,
): NewLeague {
  const freeze = fromField(form.freeze);
  return {
    name: form.name.trim(),
    game: form.game,
    format: form.format,
    seats: form.seats,
    deals: form.deals ?? USUAL.deals,
    rounds: form.rounds ?? USUAL.rounds,
    terms: {
      options: { ...(form.isShort ? short : {}), ...options },
      limit_s: form.limit,
      bank_s: form.bank ?? USUAL.bank,
      grace_s: form.grace ?? USUAL.grace,
    },
    deadline_ms: fromField(form.deadline) ?? 0,
    ...(freeze === null ? {} : { freeze_ms: freeze }),
    anonymous: form.anonymous,
    team_size: form.teamSize ?? USUAL.teamSize,
    house: form.house,
  };
}

/** How many matches so many entries play. */
export function matchesOf(form: Pick<LeagueForm, 'format' | 'seats' | 'deals' | 'rounds'>, entries: number): number {
  const [seats, deals] = [form.seats, form.deals ?? USUAL.deals];
  if (entries < seats) return 0;
  if (form.format === 'round-robin') return groups(entries, seats) * deals;
  if (form.format === 'gauntlet') return groups(entries - 1, seats - 1) * deals;
  if (form.format === 'swiss') return Math.floor(entries / seats) * (form.rounds ?? USUAL.rounds) * deals;
  return knockOutTables(entries, seats) * deals;
}

/** How many groups of a size there are among so many. */
function groups(of: number, size: number): number {
  let count = 1;
  for (let i = 1; i <= size; i += 1) count = (count * (of - size + i)) / i;
  return Math.round(count);
}

/** The tables of all rounds: the best of each goes on, and those for whom no table is left have a bye. */
function knockOutTables(entries: number, seats: number): number {
  let tables = 0;
  for (let left = entries; left > seats;) {
    const now = Math.floor(left / seats);
    tables += now;
    left = now + (left % seats);
  }
  return tables + 1;
}
