/** The schedule of a league, round by round. */
import { isOn, isSettled, type Slot } from './forms';

export interface Round {
  readonly number: number;
  readonly slots: readonly Slot[];
  /** How many of them are over, or will not be played. */
  readonly settled: number;
}

/** The matches by a key, in their order. */
export function grouped<K>(slots: readonly Slot[], keyOf: (slot: Slot) => K): ReadonlyMap<K, readonly Slot[]> {
  const found = new Map<K, Slot[]>();
  for (const slot of slots) {
    const group = found.get(keyOf(slot));
    if (group === undefined) found.set(keyOf(slot), [slot]);
    else group.push(slot);
  }
  return found;
}

/** The rounds in their order, each with its matches. */
export function roundsOf(slots: readonly Slot[]): Round[] {
  return [...grouped(slots, (slot) => slot.round)]
    .sort(([a], [b]) => a - b)
    .map(([number, own]) => ({ number, slots: own, settled: own.filter(isSettled).length }));
}

/** The round to look at: the first that is not over, or else the last. */
export function currentRound(rounds: readonly Round[]): number {
  return (rounds.find((round) => round.settled < round.slots.length) ?? rounds.at(-1))?.number ?? 1;
}

/** The matches that are played or wait for players, those in play first, and then the next ones. */
export function upNext(slots: readonly Slot[], most: number): Slot[] {
  const order = (slot: Slot) => (slot.state === 'running' ? 0 : isOn(slot) ? 1 : 2);
  return slots
    .filter((slot) => !isSettled(slot))
    .sort((a, b) => order(a) - order(b) || a.n - b.n)
    .slice(0, most);
}

/** The results that came last, newest first, as far as the order of the schedule tells. */
export function latest(slots: readonly Slot[], most: number): Slot[] {
  return slots
    .filter((slot) => slot.state === 'over')
    .sort((a, b) => b.n - a.n)
    .slice(0, most);
}

/** The seats of a match as they are listed: by rank if it has a result. */
export function byRank(slot: Slot): Slot['seats'] {
  return [...slot.seats].sort((a, b) => (a.rank ?? 99) - (b.rank ?? 99));
}
