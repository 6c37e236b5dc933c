/** Lines of the score chart, in percent of its width and height. */
import { leftOf } from './axis';
import type { Mark, Timeline } from './source';

type Scores = Timeline['scores'];

/** Points per line; a screen shows no more. */
const MOST_POINTS = 800;

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** A scale of round numbers that has room for all scores. */
export function scaleOf(scores: Scores): Scale {
  let low = 0;
  let high = 1;
  for (const [, each] of scores) {
    for (const score of each) {
      low = Math.min(low, score);
      high = Math.max(high, score);
    }
  }
  const step = niceStep((high - low) / 3.5);
  const first = Math.floor(low / step) * step;
  const ticks: number[] = [];
  for (let tick = first; tick <= high; tick += step) ticks.push(tick);
  return { low: first, high: Math.max(high * 1.04, ticks.at(-1) ?? 1), ticks };
}

/** 1, 2, 5, 10, 20 and so on: the least that is not below. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least) ?? 10 * power;
}

export function topOf(score: number, scale: Scale): number {
  return 100 - (100 * (score - scale.low)) / (scale.high - scale.low);
}

/** The line of a seat: level until the score changes. Empty if the seat has no score. */
export function pathOf(scores: Scores, seat: number, total: number, scale: Scale): string {
  let path = '';
  let column = -1;
  for (const [i, [n, each]] of scores.entries()) {
    const score = each[seat];
    if (score === undefined) continue;
    const here = Math.floor((n / total) * MOST_POINTS);
    if (here === column && i < scores.length - 1) continue;
    column = here;
    const [x, y] = [round(leftOf(n, total)), round(topOf(score, scale))];
    path += path === '' ? `M${x} ${y}` : `H${x}V${y}`;
  }
  return path === '' ? '' : `${path}H100`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The scores from frame `n` on. */
export function scoresAt(scores: Scores, n: number): readonly number[] {
  return scores.findLast(([from]) => from <= n)?.[1] ?? [];
}

export interface EndLabel {
  readonly seat: number;
  readonly score: number;
  readonly top: number;
}

/** Labels at the ends of the lines, best first, moved apart so that none covers another. */
export function endLabels(scores: Scores, scale: Scale, gap: number): EndLabel[] {
  const last = scores.at(-1)?.[1] ?? [];
  const labels = last.map((score, seat) => ({ seat, score, top: topOf(score, scale) }));
  labels.sort((a, b) => a.top - b.top || a.seat - b.seat);
  const most = Math.max(0, 100 - gap * (labels.length - 1));
  let least = 0;
  return labels.map((label, i) => {
    const top = Math.max(least, Math.min(label.top, most + gap * i));
    least = top + gap;
    return { ...label, top };
  });
}

export interface ScoreRow {
  readonly n: number;
  readonly words: string;
  readonly scores: readonly number[];
}

/** The scores where parts begin, for people who do not see the chart; at most about 40 rows. */
export function scoreRows(scores: Scores, parts: readonly Mark[], most = 40): ScoreRow[] {
  const every = Math.ceil(parts.length / most);
  return parts
    .filter((_, i) => i % every === 0)
    .map((part) => ({ n: part.n, words: part.words, scores: scoresAt(scores, part.n) }));
}
