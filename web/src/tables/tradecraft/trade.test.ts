import { expect, it } from 'vitest';
import { sceneOf, tilesOf } from './trade';
import type { View } from './types';

type Event = View['history'][number];
const BEGAN: Event = { type: 'TurnBegan', turn: 7, proposer: 2 };
const ACCEPTED: Event = { type: 'Accepted', proposer: 2, partner: 0, offer: { coal: 1 }, request: { egg: 2 } };
const view = { proposer: 2, order: [1, 2, 3, 0], hands: [{}, {}, {}, {}], proposal: null, history: [] as Event[] };

it('shows the proposer and whoever is next while nothing has been proposed', () => {
  expect(sceneOf({ ...view, history: [ACCEPTED, BEGAN] })).toEqual({
    left: 2,
    right: 3,
    others: [0, 1],
    deal: { is: 'none' },
  });
});

it('shows the two players of a trade of this turn', () => {
  const scene = sceneOf({ ...view, history: [BEGAN, ACCEPTED, { type: 'Finished', seat: 1 }] });
  expect(scene).toMatchObject({ left: 2, right: 0, others: [1, 3] });
  expect(scene.deal).toEqual({ is: 'accepted', offer: { coal: 1 }, request: { egg: 2 } });
});

it('shows that there is a proposal, even if its content is secret', () => {
  const scene = sceneOf({ ...view, proposal: { type: 'Proposed', proposer: 2 }, history: [BEGAN] });
  expect(scene.deal).toEqual({ is: 'open', offer: {}, request: {} });
});

it('shows that a proposal was rejected', () => {
  expect(sceneOf({ ...view, history: [BEGAN, { type: 'Rejected', proposer: 2 }] }).deal).toEqual({ is: 'rejected' });
});

it('shows what changes hands first, and counts what does not fit', () => {
  const hand = { apple: 1, coal: 2, egg: '3/2', stick: 4 };
  const { tiles, more } = tilesOf(hand, { egg: 1 }, 3);
  expect(tiles.map(({ item }) => item)).toEqual(['egg', 'apple']);
  expect(more).toBe(2);
  expect(tilesOf(hand, {}, 4)).toMatchObject({ more: 0 });
});
