/** A knock-out as a bracket: who met whom in each round, and where it is drawn. */
import { isOn, isSettled, type Slot } from './forms';
import { grouped, roundsOf } from './schedule';

export interface Side {
  readonly entry: string;
  readonly name: string;
  /** First places, shared ones in part; null as long as no result is known. */
  readonly wins: number | null;
  /** Whether it plays in the next round, or has won the final. */
  readonly goesOn: boolean;
}

/** The matches of one group of entries in one round. */
export interface Tie {
  readonly sides: readonly Side[];
  readonly slots: readonly Slot[];
  readonly isOn: boolean;
  readonly isOver: boolean;
  /** The middle, in heights of a tie. */
  readonly y: number;
  /** The ties of the round before from which somebody came. */
  readonly from: readonly number[];
}

export interface BracketRound {
  readonly number: number;
  readonly ties: readonly Tie[];
}

interface Drawn {
  readonly number: number;
  readonly ties: readonly (readonly Slot[])[];
}

/** The rounds that have been drawn. `champion`: the entry that has won, if it is known. */
export function bracketOf(slots: readonly Slot[], champion: string | null = null): BracketRound[] {
  const rounds = roundsOf(slots).map((round) => ({ number: round.number, ties: tiesOf(round.slots) }));
  for (let i = rounds.length - 2; i >= 0; i -= 1) rounds[i] = inOrderOf(rounds[i]!, rounds[i + 1]!);
  const placed: BracketRound[] = [];
  for (const [i, round] of rounds.entries()) {
    const next = rounds[i + 1];
    const before = placed.at(-1)?.ties ?? [];
    placed.push({ number: round.number, ties: withPlaces(round, next, before, champion) });
  }
  return placed;
}

/** How many heights of a tie the bracket needs. */
export function heightOf(rounds: readonly BracketRound[]): number {
  return Math.max(1, ...rounds.flatMap((round) => round.ties.map((tie) => tie.y + 0.5)));
}

/** The matches of each group of entries. */
function tiesOf(slots: readonly Slot[]): readonly (readonly Slot[])[] {
  const key = (slot: Slot) =>
    slot.seats
      .map((seat) => seat.entry)
      .sort()
      .join(' ');
  return [...grouped(slots, key).values()];
}

function entriesOf(tie: readonly Slot[]): readonly string[] {
  return tie[0]?.seats.map((seat) => seat.entry) ?? [];
}

/** The same round, its ties in the order of the next round, so that lines do not cross. */
function inOrderOf(round: Drawn, next: Drawn): Drawn {
  const place = (tie: readonly Slot[]) => {
    const found = next.ties.findIndex((later) => entriesOf(later).some((entry) => entriesOf(tie).includes(entry)));
    return found < 0 ? next.ties.length : found;
  };
  return { number: round.number, ties: [...round.ties].sort((a, b) => place(a) - place(b)) };
}

function withPlaces(round: Drawn, next: Drawn | undefined, before: readonly Tie[], champion: string | null): Tie[] {
  const later = new Set(next?.ties.flatMap(entriesOf) ?? []);
  let least = 0.5;
  return round.ties.map((slots) => {
    const own = entriesOf(slots);
    const from = before.flatMap((tie, i) => (tie.sides.some((side) => own.includes(side.entry)) ? [i] : []));
    const middle = from.reduce((sum, i) => sum + before[i]!.y, 0) / from.length;
    const y = Math.max(least, from.length === 0 ? least : middle);
    least = y + 1;
    const sides = sidesOf(slots, (entry) => (next === undefined ? entry === champion : later.has(entry)));
    return { sides, slots, isOn: slots.some(isOn), isOver: slots.every(isSettled), y, from };
  });
}

function sidesOf(slots: readonly Slot[], goesOn: (entry: string) => boolean): Side[] {
  const known = slots.filter((slot) => slot.seats.some((seat) => seat.rank !== null));
  const wins = (entry: string) =>
    known.reduce((sum, slot) => {
      const first = slot.seats.filter((seat) => seat.rank === 1);
      return sum + (first.some((seat) => seat.entry === entry) ? 1 / first.length : 0);
    }, 0);
  return (slots[0]?.seats ?? []).map(({ entry, name }) => ({
    entry,
    name,
    wins: known.length === 0 ? null : wins(entry),
    goesOn: goesOn(entry),
  }));
}
