/** Everything that the page of a league shows, loaded again and again while somebody looks. */
import { untrack } from 'svelte';
import { Polled } from '../host/polled.svelte';
import { RankChanges } from './changes.svelte';
import type { Entry, League, LeagueRecord, OwnEntry, Slot, Standing } from './forms';
import { entriesOf, nearOf, ownEntryOf, recordsOf, type Schedule, slotsOf, standingsOf } from './requests';

export interface LeagueState {
  readonly league: League;
  readonly standings: readonly Standing[];
  readonly schedule: Schedule;
  /** Matches around those that are played now. */
  readonly near: readonly Slot[];
  readonly entries: readonly Entry[];
  readonly own: OwnEntry | null;
  readonly records: readonly LeagueRecord[];
}

const EVERY_MS = 4000;
/** A league that has ended changes only if a match is played again. */
const ENDED_MS = 20_000;
/** A bracket needs all matches. */
const PARTS_OF_BRACKET = 10;

export class LeagueWatch {
  readonly changes = new RankChanges();
  readonly polled: Polled<LeagueState>;
  /** How many parts of the schedule are wanted. */
  #parts = 1;
  /** Whether everything has to be loaded, whatever seems unchanged. */
  #isStale = true;
  #loaded_ms = 0;

  constructor(readonly id: string) {
    this.polled = new Polled(() => this.#load());
  }

  get state(): LeagueState | null {
    return this.polled.value;
  }

  start(): () => void {
    this.#isStale = true;
    return this.polled.start(EVERY_MS);
  }

  /** Load everything now. */
  refresh(): Promise<void> {
    this.#isStale = true;
    return this.polled.refresh();
  }

  /** Load more of the schedule. */
  more(): Promise<void> {
    this.#parts += 1;
    return this.refresh();
  }

  async #load(): Promise<LeagueState> {
    const before = this.#isStale ? null : untrack(() => this.polled.value);
    if (before !== null && hasEnded(before.league) && Date.now() - this.#loaded_ms < ENDED_MS) return before;
    const { league, standings } = await standingsOf(this.id);
    const isSame = before !== null && resultsOf(before.league) === resultsOf(league);
    const [schedule, people, records] = await Promise.all([
      isSame && hasEnded(league) ? pick(before, 'schedule', 'near') : this.#schedule(league),
      before !== null && peopleOf(before.league) === peopleOf(league) ? pick(before, 'entries', 'own') : this.#people(),
      isSame ? before.records : recordsOf(this.id),
    ]);
    this.#isStale = false;
    this.#loaded_ms = Date.now();
    untrack(() => this.changes.see(standings));
    return { league, standings, ...schedule, ...people, records };
  }

  async #schedule(league: League): Promise<Pick<LeagueState, 'schedule' | 'near'>> {
    if (league.matches === 0) return { schedule: { slots: [], hasMore: false }, near: [] };
    const schedule = await slotsOf(this.id, league.format === 'knock-out' ? PARTS_OF_BRACKET : this.#parts);
    if (league.state !== 'running') return { schedule, near: [] };
    return { schedule, near: schedule.hasMore ? await nearOf(league) : schedule.slots };
  }

  async #people(): Promise<Pick<LeagueState, 'entries' | 'own'>> {
    const [entries, own] = await Promise.all([entriesOf(this.id), ownEntryOf(this.id)]);
    return { entries, own };
  }
}

function hasEnded(league: League): boolean {
  return league.state === 'over' || league.state === 'cancelled';
}

/** A value that differs if results or records have changed. */
function resultsOf(league: League): string {
  return JSON.stringify(league);
}

/** A value that differs if entries have changed. */
function peopleOf({ state, entries, is_masked }: League): string {
  return JSON.stringify([state, entries, is_masked]);
}

function pick<K extends keyof LeagueState>(state: LeagueState, ...names: K[]): Pick<LeagueState, K> {
  return Object.fromEntries(names.map((name) => [name, state[name]])) as Pick<LeagueState, K>;
}
