import { expect, test } from 'vitest';
import type { Moment, Turn } from '../contract';
import { MazeDraft } from './draft.svelte';
import { canMove, planOf, send } from './plan';
import { lastOf, reverse, slides, undoes, type Action, type Ask, type View } from './rules';
import recorded from './tutorial.json';

/** The viewer, seat 0, has to move, and there was a slide before. */
const VIEW = recorded.steps[1] as unknown as View;
const ASK = { type: 'TakeTurn' } as Ask;

function turnOf(sent: Action[], isSending = false): Turn<Ask, Action> {
  return {
    ask: { id: 1, attempt: 1, ask: ASK, until: null, limitMs: null },
    refusal: null,
    isSending,
    answer: (action) => sent.push(action),
    query: () => Promise.reject(new Error('not here')),
  };
}

/** A slide after which the viewer can walk, and a cell to walk to. */
function legal() {
  const draft = new MazeDraft();
  for (const slide of slides(VIEW.rows, VIEW.columns).filter((each) => !undoes(each, lastOf(VIEW)))) {
    const { reached, from } = planOf(VIEW, 0, draft, slide);
    const to = [...reached.keys()].find((cell) => cell !== from);
    if (to !== undefined) return { slide, from, to };
  }
  throw new Error('this position has no legal move');
}

test('a legal plan is sent, with the row and column of its cell', () => {
  const { slide, to } = legal();
  const draft = new MazeDraft();
  const sent: Action[] = [];
  draft.choose(VIEW.turn, slide);
  draft.goTo(VIEW.turn, to);
  const plan = planOf(VIEW, 0, draft);
  expect(plan.way?.at(-1)).toBe(to);
  send(plan, draft, VIEW, turnOf(sent));
  const [row, column] = [Math.floor(to / VIEW.columns), to % VIEW.columns];
  expect(sent).toEqual([{ type: 'Move', ...slide, degrees: 0, row, column }]);
});

test('an illegal plan is not sent, and the draft remembers the try', () => {
  const { slide, from, to } = legal();
  const sent: Action[] = [];
  const tried = (prepare: (draft: MazeDraft) => void) => {
    const draft = new MazeDraft();
    prepare(draft);
    const plan = planOf(VIEW, 0, draft);
    send(plan, draft, VIEW, turnOf(sent));
    expect(draft.isTried).toBe(true);
    return plan.obstacle;
  };
  expect(tried(() => undefined)).toBe('no_slide');
  expect(tried((draft) => draft.choose(VIEW.turn, slide))).toBe('no_cell');
  expect(tried((draft) => draft.choose(VIEW.turn, reverse(lastOf(VIEW)!)))).toBe('undo');
  expect(
    tried((draft) => {
      draft.goTo(VIEW.turn, from);
      draft.choose(VIEW.turn, slide);
    }),
  ).toBe('stays');
  expect(
    tried((draft) => {
      draft.goTo(VIEW.turn, to);
      draft.choose(VIEW.turn + 1, slide); // another turn: the cell is forgotten, and the slide is not for this turn
    }),
  ).toBe('no_slide');
  expect(sent).toEqual([]);
});

test('the spare turns both ways, all around', () => {
  const draft = new MazeDraft();
  draft.turnSpare(3, -1);
  expect(draft.degrees).toBe(270);
  draft.turnSpare(3, 1);
  draft.turnSpare(3, 1);
  expect(draft.degrees).toBe(90);
  draft.turnSpare(4, 1); // a new turn begins with a spare as it lies
  expect(draft.degrees).toBe(90);
});

test('only the seat that is asked for a turn can move, and only once', () => {
  const moment: Moment<View> = { game: 'maze', players: [], seat: 0, view: VIEW, events: [], clocks: [] };
  expect(canMove(moment, turnOf([]))).toBe(true);
  expect(canMove(moment, turnOf([], true))).toBe(false);
  expect(canMove(moment, null)).toBe(false);
  expect(canMove({ ...moment, seat: 1 }, turnOf([]))).toBe(false);
  expect(canMove({ ...moment, view: { ...VIEW, phase: 'end' } }, turnOf([]))).toBe(false);
});
