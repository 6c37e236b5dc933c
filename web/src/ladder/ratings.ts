/** Ratings as they are drawn: positions in percent of a common scale. */
import type { Schemas } from '../api/client';
import { niceStep, type Scale, topOf } from '../replay/chart';

export type RatingRow = Schemas['RatingRow'];
export type RatingPoint = Schemas['RatingPoint'];
type Estimate = Pick<RatingPoint, 'mean' | 'deviation'>;

/** The skill lies within so many deviations almost surely. The rating is the lower end. */
export const DEVIATIONS = 3;
/** The band of the chart is narrower, or it would be all that one sees. */
const BAND = 2;

export interface Range {
  readonly low: number;
  readonly high: number;
}

export function rangeOf({ mean, deviation }: Estimate, deviations = DEVIATIONS): Range {
  return { low: mean - deviations * deviation, high: mean + deviations * deviation };
}

/** From the lowest end to the highest. */
export function spanOf(estimates: readonly Estimate[], deviations = DEVIATIONS): Range {
  const ranges = estimates.map((each) => rangeOf(each, deviations));
  const low = Math.min(...ranges.map((range) => range.low));
  const high = Math.max(...ranges.map((range) => range.high));
  return Number.isFinite(low) && high > low ? { low, high } : { low: 0, high: 50 };
}

/** Where a value lies in a span, in percent from its low end. */
export function placeIn(value: number, { low, high }: Range): number {
  return Math.max(0, Math.min(100, (100 * (value - low)) / (high - low)));
}

export interface Drawing {
  readonly scale: Scale;
  readonly line: string;
  readonly band: string;
}

/** The history of a rating: a line of estimates, and a band around it. */
export function drawingOf(history: readonly RatingPoint[]): Drawing {
  const { low, high } = spanOf(history, BAND);
  const step = niceStep((high - low) / 4);
  const first = Math.floor(low / step) * step;
  const count = Math.max(1, Math.ceil((high - first) / step - 1e-9));
  const scale = {
    low: first,
    high: first + count * step,
    ticks: Array.from({ length: count + 1 }, (_unused, i) => first + i * step),
  };
  const x = (i: number) => round(history.length === 1 ? 0 : (100 * i) / (history.length - 1));
  const y = (value: number) => round(topOf(value, scale));
  const path = (values: readonly number[]) => values.map((value, i) => `${x(i)} ${y(value)}`);
  const ranges = history.map((point) => rangeOf(point, BAND));
  const above = path(ranges.map((range) => range.high));
  const below = path(ranges.map((range) => range.low)).reverse();
  const means = path(history.map((point) => point.mean));
  if (history.length === 1)
    return { scale, line: `M${means[0]}H100`, band: `M${above[0]}H100V${y(ranges[0]!.low)}H0Z` };
  return { scale, line: `M${means.join('L')}`, band: `M${[...above, ...below].join('L')}Z` };
}

/** How much each match has changed the estimate, newest first; null: what was before is not known. */
export function changesOf(
  history: readonly RatingPoint[],
  matches: number,
  newcomer: number,
): { point: RatingPoint; by: number | null }[] {
  const before = history.length === matches ? newcomer : null;
  return history
    .map((point, i) => {
      const last = i === 0 ? before : history[i - 1]!.mean;
      return { point, by: last === null ? null : point.mean - last };
    })
    .reverse();
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function addressOfPlayer(row: Pick<RatingRow, 'name' | 'kind'>, game: string): string {
  const query = new URLSearchParams({ game, player: row.name });
  if (row.kind !== 'account') query.set('kind', row.kind);
  return `/ladder?${query}`;
}
