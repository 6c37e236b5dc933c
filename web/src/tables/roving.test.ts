import { expect, it } from 'vitest';
import { neighbour } from './roving';

/** Three things in the first row, two in the second. */
const boxes = [
  [0, 0],
  [10, 0],
  [20, 1],
  [0, 10],
  [10, 10],
].map(([x, y]) => ({ left: x!, right: x! + 8, top: y!, bottom: y! + 8 }));

it('goes along the row, and to the nearest above or below', () => {
  expect(neighbour(boxes, 0, 'ArrowRight')).toBe(1);
  expect(neighbour(boxes, 2, 'ArrowRight')).toBe(3);
  expect(neighbour(boxes, 2, 'ArrowDown')).toBe(4);
  expect(neighbour(boxes, 3, 'ArrowUp')).toBe(0);
});

it('leads nowhere at the edges, and by other keys', () => {
  expect(neighbour(boxes, 0, 'ArrowLeft')).toBeNull();
  expect(neighbour(boxes, 1, 'ArrowUp')).toBeNull();
  expect(neighbour(boxes, 4, 'ArrowDown')).toBeNull();
  expect(neighbour(boxes, 1, 'Enter')).toBeNull();
});
