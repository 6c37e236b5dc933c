/** Gold, energy and cells of all players that the viewer has seen, round by round, and the lines of a chart. */
import type { View } from './types';

export type Measure = 'gold' | 'energy' | 'cells';
export const MEASURES: readonly Measure[] = ['gold', 'energy', 'cells'];

/** The values of all seats after a round. */
interface Round {
  readonly turn: number;
  readonly values: Readonly<Record<Measure, readonly number[]>>;
}

/** Points per line; a chart of this size shows no more. */
const MOST_POINTS = 240;

export class History {
  /** By turn, ascending. */
  #rounds: Round[] = [];

  /** Remember a round. A round that was seen before, as in a replay that goes back, changes nothing. */
  see(view: Pick<View, 'turn' | 'users'>): boolean {
    const { turn, users } = view;
    const place = this.#placeOf(turn);
    const known = this.#rounds[place];
    if (known?.turn === turn && known.values.gold.length === users.length) return false;
    const values = {
      gold: users.map((user) => user.gold),
      energy: users.map((user) => user.energy),
      cells: users.map((user) => user.cells),
    };
    this.#rounds.splice(place, known?.turn === turn ? 1 : 0, { turn, values });
    return true;
  }

  /** The place of the first round that is not before this turn. */
  #placeOf(turn: number): number {
    let place = this.#rounds.length;
    while (place > 0 && this.#rounds[place - 1]!.turn >= turn) place--;
    return place;
  }

  /** The line of each seat as turns and values, with so few points that it can be drawn quickly. */
  lines(measure: Measure): (readonly [turn: number, value: number])[][] {
    const every = Math.ceil(this.#rounds.length / MOST_POINTS);
    const last = this.#rounds.length - 1;
    const rounds = this.#rounds.filter((_, i) => i % every === 0 || i === last);
    const seats = this.#rounds.at(-1)?.values[measure].length ?? 0;
    return Array.from({ length: seats }, (_, seat) =>
      rounds.flatMap(({ turn, values }) => {
        const value = values[measure][seat];
        return value === undefined ? [] : [[turn, value] as const];
      }),
    );
  }

  /** Whether a round before the last one that was seen is missing. */
  get hasGaps(): boolean {
    return this.#rounds.length > 0 && this.#rounds.length <= this.last;
  }

  get first(): number {
    return this.#rounds[0]?.turn ?? 0;
  }

  get last(): number {
    return this.#rounds.at(-1)?.turn ?? 0;
  }
}

/** A round number that is not below the largest value, and the steps to it. */
export function scaleTo(most: number): { readonly top: number; readonly ticks: readonly number[] } {
  const least = Math.max(most, 3) / 3;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 3, 5, 10].map((each) => each * power).find((each) => each >= least) ?? 10 * power;
  return { top: 3 * step, ticks: [0, step, 2 * step, 3 * step] };
}

/** Turns under the chart: about five, with the first and the last. */
export function turnTicks(turns: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000].find((each) => turns / each <= 5) ?? 5000;
  const ticks = [];
  for (let turn = 0; turn <= turns - step / 2; turn += step) ticks.push(turn);
  return [...ticks, turns];
}
