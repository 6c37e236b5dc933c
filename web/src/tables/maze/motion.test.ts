import { expect, test } from 'vitest';
import type { LogEvent } from '../contract';
import { frames, motionOf } from './motion';
import recorded from './tutorial.json';
import type { Moved, View } from './rules';

const [, BEFORE, AFTER] = recorded.steps as unknown as [View, View, View];
const MOVED = recorded.moved as unknown as Moved;
const EVENTS: LogEvent[] = [{ n: 1, seat: MOVED.seat, words: [], event: MOVED }];

test('a move between two views is a slide and a walk that ends where the avatar stands', () => {
  const motion = motionOf(BEFORE, AFTER, EVENTS)!;
  const [row, column] = MOVED.to;
  expect(motion.seat).toBe(MOVED.seat);
  expect(motion.way.at(-1)).toBe(row * AFTER.columns + column);
  expect(motion.line).toHaveLength(AFTER.columns);
  expect(motion.off.glyph).toBe(AFTER.spare);
});

test('views that do not follow each other have no motion', () => {
  expect(motionOf(null, AFTER, EVENTS)).toBeNull();
  expect(motionOf(AFTER, AFTER, EVENTS)).toBeNull();
  expect(motionOf(BEFORE, AFTER, [])).toBeNull();
});

test('the walk ends at the place of the avatar, and the others move with the line or not at all', () => {
  const motion = motionOf(BEFORE, AFTER, EVENTS)!;
  const { columns } = AFTER;
  const end = motion.way.at(-1)!;
  expect(frames(motion, motion.seat, end, columns, true).at(-1)).toEqual({ x: 0, y: 0, offset: 1 });
  expect(frames(motion, motion.seat + 1, motion.line[0]!, columns, true)).toHaveLength(2);
  expect(frames(motion, motion.seat + 1, motion.line[0]!, columns, false)).toEqual([]);
});
