import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../contract';
import { ColorfightDraft, failuresOf } from './draft.svelte';
import type { Order } from './rules';
import { viewOf } from './testing';

const attack = (cell: number, energy: number): Order => ({ kind: 'attack', cell, energy });
const failed = (seat: number, ...words: string[]): LogEvent => ({
  n: 1,
  seat,
  words,
  event: { type: 'Failed', seat, words } as LogEvent['event'],
});

function begun(): ColorfightDraft {
  const draft = new ColorfightDraft();
  draft.advance(viewOf({ energy: 300 }, { turn: 4 }), 0, []);
  return draft;
}

describe('the list over the rounds', () => {
  it('keeps orders that were not sent as long as they are possible', () => {
    const draft = begun();
    [attack(1, 40), attack(3, 80), attack(5, 120)].forEach((order) => draft.add(order));
    draft.advance(viewOf({ energy: 130 }, { turn: 5 }), 0, []);
    expect(draft.orders).toEqual([attack(1, 40), attack(3, 80)]);
    expect(draft.dropped).toEqual([{ cell: 5, order: attack(5, 120), why: { problem: 'no_energy' } }]);
    draft.advance(viewOf({ energy: 130 }, { turn: 5 }), 0, []); // the same round again
    expect(draft.dropped).toHaveLength(1);
    draft.markSent(5);
    expect(draft.dropped).toEqual([]);
  });

  it('is done with what was sent, and keeps what was added afterwards', () => {
    const draft = begun();
    draft.add(attack(1, 40));
    draft.markSent(4);
    expect([draft.isSent(4), draft.isChanged(4), draft.sent?.lists]).toEqual([true, false, 1]);
    draft.add(attack(3, 80));
    expect(draft.isChanged(4)).toBe(true);
    const after = viewOf({ energy: 300 }, { turn: 5, owner: [1, 1, 0, 0, 1, 0, 0, 0, 2] });
    draft.advance(after, 0, []);
    expect(draft.orders).toEqual([attack(3, 80)]);
    expect([draft.isSent(5), draft.isChanged(5)]).toEqual([false, true]);
    expect(draft.setbacks).toEqual([]);
  });

  it('counts the lists of a round', () => {
    const draft = begun();
    draft.markSent(4);
    draft.add(attack(1, 40));
    draft.markSent(4);
    expect(draft.sent).toMatchObject({ turn: 4, lists: 2 });
  });

  it('says what failed, and which attacks brought nothing', () => {
    const draft = begun();
    [attack(1, 40), attack(3, 80)].forEach((order) => draft.add(order));
    draft.markSent(4);
    const words = 'a 1 0 40 failed, The energy spent is less than attack cost.';
    draft.advance(viewOf({ energy: 300 }, { turn: 5 }), 0, [failed(0, words), failed(1, 'u 1 1 failed, no.')]);
    expect(draft.setbacks).toEqual([
      { cell: 1, order: attack(1, 40), why: { words: 'The energy spent is less than attack cost' } },
      { cell: 3, order: attack(3, 80), why: { problem: 'not_taken' } },
    ]);
    draft.advance(viewOf({ energy: 300 }, { turn: 6 }), 0, []);
    expect(draft.setbacks).toEqual([]);
  });

  it('is empty after the end', () => {
    const draft = begun();
    draft.add(attack(1, 40));
    draft.advance(viewOf({ energy: 300 }, { turn: 9, over: true }), 0, []);
    expect([draft.orders, draft.dropped]).toEqual([[], []]);
  });
});

it('reads the referee, whatever it says', () => {
  const lines = [
    'hello is a wrong command, cmd type hello is invalid',
    'b 99 0 g failed, Build position is not in the map.',
  ];
  expect(failuresOf([failed(0, ...lines)], 0, 3, 3).map(({ cell, order }) => [cell, order])).toEqual([
    [null, lines[0]],
    [null, lines[1]],
  ]);
});
