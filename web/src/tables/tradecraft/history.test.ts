import { expect, it } from 'vitest';
import { lastCheck, lettersOf, madeNow, nextProposal, outcomeOf } from './history';
import type { View } from './types';

type Happening = View['history'][number];

const PAST: Happening[] = [
  { type: 'TurnBegan', turn: 1, proposer: 0 },
  { type: 'Proposed', proposer: 0, partner: 1, offer: { coal: 1 }, request: {}, message: 'a gift' },
  { type: 'Answered', proposer: 0, partner: 1, message: 'thanks' },
  { type: 'Accepted', proposer: 0, partner: 1, offer: { coal: 1 }, request: {} },
  { type: 'Applied', seat: 0, input: {}, output: { stick: 4 }, returns: {}, hand: {} },
  { type: 'TurnBegan', turn: 2, proposer: 1 },
  { type: 'Proposed', proposer: 1 },
  { type: 'Rejected', proposer: 1 },
];
const CHECK: Happening = {
  type: 'Checked',
  seat: 0,
  input: {},
  output: {},
  code: 1,
  recipe: null,
  reason: 'no',
  returns: {},
};
const MADE: Happening = { type: 'Applied', seat: 0, input: {}, output: { torch: 4 }, returns: {}, hand: {} };

it('knows the messages of the own seat', () => {
  expect(lettersOf({ history: PAST, turn: 2 })).toEqual([
    { from: 0, to: 1, text: 'a gift', turn: 1 },
    { from: 1, to: 0, text: 'thanks', turn: 1 },
  ]);
});

it('knows the turn of a message whose beginning is forgotten', () => {
  expect(lettersOf({ history: PAST.slice(1), turn: 2 })[0]?.turn).toBe(1);
  expect(lettersOf({ history: PAST.slice(1, 4), turn: 9 })[0]?.turn).toBe(9);
});

it('knows what became of the proposal of this turn', () => {
  expect(outcomeOf({ history: PAST, proposal: null })).toBe('rejected');
  expect(outcomeOf({ history: PAST.slice(0, 4), proposal: null })).toBe('accepted');
  expect(outcomeOf({ history: PAST.slice(0, 6), proposal: null })).toBe('none');
});

it('forgets what was made in the turn before', () => {
  expect(madeNow({ history: PAST, seat: 0 })).toEqual([]);
  expect(madeNow({ history: [...PAST, MADE], seat: 0 })).toEqual([MADE]);
});

it('knows the last verdict until something is crafted', () => {
  expect(lastCheck({ history: [...PAST, CHECK], seat: 0 })).toBe(CHECK);
  expect(lastCheck({ history: [...PAST, CHECK, MADE], seat: 0 })).toBeNull();
});

it('knows when the seat proposes next', () => {
  const view = { order: [2, 0, 1], turn: 4, max_turn: 6, phase: 'craft' as const, proposer: 2 };
  expect([2, 0, 1].map((seat) => nextProposal(view, seat))).toEqual([null, 5, 6]);
  expect(nextProposal({ ...view, phase: 'propose' }, 2)).toBe(4);
  expect(nextProposal({ ...view, phase: 'over' }, 0)).toBeNull();
});
