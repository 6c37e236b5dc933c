import { expect, it } from 'vitest';
import { lastTurnOf, type Memory, NOTHING, remember, thisTurnOf } from './memory';
import type { DominionEvent } from './types';
import { viewWith } from './views';

function after(memory: Memory, n: number, ...events: DominionEvent[]): Memory {
  return remember(
    memory,
    viewWith({ actions: 0 }),
    events.map((event, i) => ({ n: n + i, seat: 0, words: [], event })),
  );
}

const turn = (seat: number, turn: number): DominionEvent => ({ type: 'TurnBegan', seat, turn });
const smithy: DominionEvent = { type: 'Played', seat: 1, cards: ['smithy'] };
const gold: DominionEvent = { type: 'Gained', seat: 1, card: 'gold', bought: true };
const cleaned: DominionEvent = { type: 'CleanedUp', seat: 1, played: ['smithy'], top: 'smithy' };
const areas = viewWith({}).areas.map((area) => ({ ...area, turns: 3 }));

it('tells the last turn of a seat that was seen as a whole', () => {
  let memory = after(NOTHING, 7, turn(1, 3));
  memory = after(memory, 8, smithy);
  memory = after(memory, 9, gold);
  memory = after(memory, 10, cleaned, turn(0, 4));
  const view = viewWith({ areas, turn: 0 });
  expect(lastTurnOf(memory, view, 1)).toMatchObject({ played: ['smithy'], bought: ['gold'], gained: [] });
  expect(lastTurnOf(memory, { ...view, areas: areas.map((area) => ({ ...area, turns: 4 })) }, 1)).toBeNull();
});

it('says nothing of a turn that was seen in part', () => {
  let memory = after(NOTHING, 7, turn(1, 3));
  memory = after(memory, 9, gold);
  memory = after(memory, 10, cleaned, turn(0, 4));
  expect(lastTurnOf(memory, viewWith({ areas, turn: 0 }), 1)).toBeNull();
});

it('knows the first turn, which begins without an event', () => {
  let memory = remember(NOTHING, viewWith({}), []);
  memory = after(memory, 1, gold);
  memory = after(memory, 2, { ...cleaned, seat: 0 } as DominionEvent, turn(1, 1));
  expect(lastTurnOf(memory, viewWith({ turn: 1 }), 0)?.bought).toEqual(['gold']);
});

it('tells this turn from the view alone, and what was trashed if it was seen', () => {
  const view = viewWith({
    played: ['mine', 'gold'],
    gained: ['gold', 'gold', 'moat'],
    bought: ['gold', 'moat'],
    areas,
  });
  expect(thisTurnOf(NOTHING, view)).toEqual({
    turn: 3,
    played: ['mine', 'gold'],
    gained: ['gold'],
    bought: ['gold', 'moat'],
    trashed: [],
  });
  const memory = after(after(NOTHING, 7, turn(0, 3)), 8, { type: 'Trashed', seat: 0, card: 'silver' });
  expect(thisTurnOf(memory, view).trashed).toEqual(['silver']);
});
