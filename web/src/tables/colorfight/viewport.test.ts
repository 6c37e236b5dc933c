import { describe, expect, it } from 'vitest';
import {
  axisStep,
  cellAt,
  centred,
  clamped,
  fitScale,
  isWhole,
  panned,
  pinched,
  showing,
  shownCells,
  whole,
  zoomed,
} from './viewport';

const MAP = { width: 30, height: 20 };
const FRAME = { width: 600, height: 500 };

describe('the viewport', () => {
  it('shows the whole map at first, in the middle of its frame', () => {
    const view = whole(MAP, FRAME);
    expect(view).toEqual({ x: 0, y: -2.5, scale: 20 });
    expect(isWhole(view, MAP, FRAME)).toBe(true);
    expect(fitScale({ width: 2, height: 2 }, FRAME)).toBe(72);
    expect(fitScale({ width: 200, height: 200 }, FRAME)).toBe(2.5);
  });

  it('keeps the cell under the pointer when it zooms', () => {
    const before = zoomed(whole(MAP, FRAME), 2, { x: 300, y: 250 }, MAP, FRAME);
    const at = { x: 137, y: 88 };
    const after = zoomed(before, 1.3, at, MAP, FRAME);
    expect(cellAt(at, after, MAP)).toBe(cellAt(at, before, MAP));
    expect(after.scale).toBeCloseTo(52);
    expect(zoomed(after, 0.01, at, MAP, FRAME)).toEqual(whole(MAP, FRAME));
    expect(zoomed(after, 100, at, MAP, FRAME).scale).toBe(120);
  });

  it('never leaves the map', () => {
    const view = { x: 5, y: 5, scale: 50 };
    expect(panned(view, { x: 10_000, y: 10_000 }, MAP, FRAME)).toEqual({ x: 0, y: 0, scale: 50 });
    expect(panned(view, { x: -10_000, y: -10_000 }, MAP, FRAME)).toEqual({ x: 18, y: 10, scale: 50 });
    expect(panned(view, { x: -50, y: 100 }, MAP, FRAME)).toEqual({ x: 6, y: 3, scale: 50 });
    expect(clamped({ x: 99, y: 99, scale: 1 }, MAP, FRAME).scale).toBe(20);
  });

  it('follows two fingers', () => {
    const view = { x: 5, y: 5, scale: 30 };
    const before = [
      { x: 200, y: 200 },
      { x: 300, y: 200 },
    ] as const;
    const after = [
      { x: 160, y: 230 },
      { x: 360, y: 230 },
    ] as const;
    const pinch = pinched(view, before, after, MAP, FRAME);
    expect(pinch.scale).toBe(60);
    expect(cellAt({ x: 260, y: 230 }, pinch, MAP)).toBe(cellAt({ x: 250, y: 200 }, view, MAP));
  });

  it('centres a cell, and moves no more than needed to show one', () => {
    expect(centred({ x: 15, y: 10 }, 50, MAP, FRAME)).toEqual({ x: 9, y: 5, scale: 50 });
    const view = { x: 5, y: 5, scale: 50 };
    expect(showing({ x: 10, y: 8 }, view, MAP, FRAME)).toBe(view);
    expect(showing({ x: 17, y: 8 }, view, MAP, FRAME)).toEqual({ x: 7, y: 5, scale: 50 });
    expect(showing({ x: 0, y: 0 }, view, MAP, FRAME)).toEqual({ x: 0, y: 0, scale: 50 });
  });
});

it('finds cells by points', () => {
  const view = { x: 5.5, y: 5, scale: 50 };
  expect(cellAt({ x: 0, y: 0 }, view, MAP)).toBe(5 * 30 + 5);
  expect(cellAt({ x: 30, y: 60 }, view, MAP)).toBe(6 * 30 + 6);
  expect(cellAt({ x: -300, y: 0 }, view, MAP)).toBeNull();
  expect(shownCells(view, MAP, FRAME)).toEqual({ from: { x: 5, y: 5 }, to: { x: 18, y: 15 } });
  expect([axisStep(40, 24), axisStep(18, 24), axisStep(2.5, 24)]).toEqual([1, 2, 10]);
});
