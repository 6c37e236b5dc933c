import { beforeEach, expect, it } from 'vitest';
import { Gestures } from './gestures';
import { MapState } from './map_state.svelte';
import type { Point } from './viewport';

let map: MapState;
let clicks: Point[];
let gestures: Gestures;

beforeEach(() => {
  map = new MapState();
  map.map = { width: 30, height: 30 };
  map.resize({ width: 600, height: 600 }, null);
  clicks = [];
  gestures = new Gestures(map, (at) => clicks.push(at));
});

it('selects with a short press', () => {
  gestures.down(1, { x: 50, y: 50 });
  expect(gestures.move(1, { x: 52, y: 51 })).toBe(false);
  gestures.up(1);
  expect(clicks).toEqual([{ x: 50, y: 50 }]);
});

it('drags with one finger, and does not select then', () => {
  map.zoom(2);
  const before = map.viewport;
  gestures.down(1, { x: 50, y: 50 });
  expect(gestures.move(1, { x: 90, y: 50 })).toBe(true);
  gestures.up(1);
  expect(before.x - map.viewport.x).toBe(1);
  expect(clicks).toEqual([]);
});

it('zooms with two fingers, and does not select then', () => {
  gestures.down(1, { x: 200, y: 300 });
  gestures.down(2, { x: 400, y: 300 });
  gestures.move(1, { x: 100, y: 300 });
  gestures.move(2, { x: 500, y: 300 });
  expect(map.viewport.scale).toBeCloseTo(40);
  gestures.up(1);
  gestures.up(2);
  expect(clicks).toEqual([]);
});

it('begins with the whole map, or around a cell where cells would be small', () => {
  expect(map.isWhole).toBe(true);
  const phone = new MapState();
  phone.map = { width: 30, height: 30 };
  phone.resize({ width: 340, height: 340 }, 15 * 30 + 15);
  expect(phone.viewport.scale).toBe(24);
  expect(phone.viewport.x).toBeCloseTo(15.5 - 340 / 48);
  map.resize({ width: 300, height: 300 }, null);
  expect(map.isWhole).toBe(true); // it was whole before, so it still is
});
