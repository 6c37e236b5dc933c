/** The table's own rules against positions that the referee's rules were asked about: see scripts/maze_cases.py. */
import { describe, expect, test } from 'vitest';
import cases from './cases.json';
import {
  carried,
  illegal,
  isFixed,
  lineOf,
  reachable,
  slid,
  slides,
  turned,
  undoes,
  wayTo,
  type Direction,
  type Slide,
  type Tiles,
} from './rules';

interface Case {
  tiles: string[];
  spare: string;
  last: [number, Direction] | null;
  at: number;
  slide: [number, Direction, number];
  to: number;
  illegal: string | null;
  after: string[];
  pushed: string;
  stands: number;
  reachable: number[];
}

const ALL = cases.cases as unknown as Case[];

function board(tiles: readonly string[], spare: string): Tiles {
  const glyphs = tiles.flatMap((row) => [...row]);
  const gems = glyphs.map((_, i): [string, string] => [`left ${i}`, `right ${i}`]);
  return { rows: tiles.length, columns: [...tiles[0]!].length, glyphs, gems, spare, spareGems: ['spare', 'spare'] };
}

function asked({ tiles, spare, last, slide: [index, direction, degrees] }: Case) {
  const undone: Slide | null = last === null ? null : { index: last[0], direction: last[1] };
  return { before: board(tiles, spare), last: undone, slide: { index, direction }, degrees };
}

describe('positions of the referee', () => {
  test('there are many, of all kinds', () => {
    expect(ALL).toHaveLength(200);
    expect(new Set(ALL.map((each) => each.illegal))).toEqual(new Set([null, 'undo', 'stays', 'unreachable']));
  });

  test.each(ALL.map((each, i) => ({ each, i })))('position $i', ({ each }) => {
    const { before, last, slide, degrees } = asked(each);
    const after = slid(before, slide, degrees);
    expect(after.glyphs).toEqual(each.after.flatMap((row) => [...row]));
    expect(after.spare).toBe(each.pushed);
    expect(carried(before, each.at, slide)).toBe(each.stands);
    expect([...reachable(after, each.stands).keys()].sort((a, b) => a - b)).toEqual(each.reachable);
    expect(illegal(before, each.at, last, slide, degrees, each.to)).toBe(each.illegal);
  });
});

test('a turn is counter-clockwise', () => {
  expect(['┴', '└', '│', '┼'].map((glyph) => turned(glyph, 90))).toEqual(['┤', '┘', '─', '┼']);
  expect(turned('┌', 360)).toBe('┌');
});

test('gems slide with their tiles, and the spare goes into the gap', () => {
  const after = slid(board(['│││', '│││', '│││'], '─'), { index: 2, direction: 'LEFT' }, 0);
  expect(after.gems.slice(6).map(([left]) => left)).toEqual(['left 7', 'left 8', 'spare']);
  expect(after.spareGems[0]).toBe('left 6');
});

test('slides go clockwise around the board, and only even lines slide', () => {
  const around = slides(3, 4).map(({ index, direction }) => `${direction} ${index}`);
  expect(around).toEqual(['DOWN 0', 'DOWN 2', 'LEFT 0', 'LEFT 2', 'UP 2', 'UP 0', 'RIGHT 2', 'RIGHT 0']);
  expect([0, 1, 5, 6].map((cell) => isFixed(cell, 4))).toEqual([false, false, true, false]);
});

test('a line that does not exist has no cells, and undoes nothing', () => {
  expect(lineOf({ rows: 3, columns: 3 }, { index: 4, direction: 'UP' })).toEqual([]);
  expect(undoes({ index: 4, direction: 'UP' }, null)).toBe(false);
  expect(undoes({ index: 4, direction: 'UP' }, { index: 4, direction: 'DOWN' })).toBe(true);
  expect(undoes({ index: 4, direction: 'LEFT' }, { index: 4, direction: 'DOWN' })).toBe(false);
});

test('a way is a shortest one, with both ends', () => {
  const reached = reachable(board(['┌─┐', '└─┘'], '│'), 0);
  expect(wayTo(reached, 0)).toEqual([0]);
  expect(wayTo(reached, 3)).toEqual([0, 3]);
  expect(wayTo(reached, 5)).toHaveLength(4);
  expect(wayTo(reachable(board(['││'], '│'), 0), 1)).toBeNull();
});
