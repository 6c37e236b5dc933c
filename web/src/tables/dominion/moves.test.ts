import { beforeEach, expect, it } from 'vitest';
import type { OpenAsk, Turn } from '../contract';
import { Draft } from './draft.svelte';
import {
  buy,
  chooseTop,
  confirm,
  endTurn,
  isHandLit,
  isPileLit,
  pressHand,
  pressPile,
  reveal,
  stageOf,
  takeBack,
} from './moves';
import type { Action, Ask, Table, View } from './types';
import { viewWith } from './views';

let sent: Action[];
let draft: Draft;
let asked = 0;

beforeEach(() => {
  sent = [];
  draft = new Draft();
});

function turnFor(view: View, discard = 0): Turn<Ask, Action> {
  const none = { choices: null, waits: true, span: null };
  const ask: Ask =
    view.attacked === view.seat
      ? { type: 'AnswerAttack', card: 'militia', discard, ...none }
      : { type: 'TakeTurn', actions: view.actions, buys: view.buys, money: view.money, ...none };
  const open: OpenAsk<Ask> = { id: ++asked, attempt: 1, ask, until: null, limitMs: null };
  return {
    ask: open,
    refusal: null,
    isSending: false,
    answer: (action) => sent.push(action),
    query: () => Promise.reject(new Error('none')),
  };
}

function tableOf(change: Partial<View>, more: { discard?: number; options?: object } = {}): Table {
  const view = viewWith(change);
  const moment = { game: 'dominion', players: [], seat: 0, view, events: [], clocks: [], options: more.options ?? {} };
  draft.follow(view);
  return { moment, turn: turnFor(view, more.discard), draft };
}

it('plays a card without choices at once', () => {
  const table = tableOf({ hand: ['smithy', 'copper'] });
  expect([isHandLit(table, 0), isHandLit(table, 1)]).toEqual([true, false]);
  pressHand(table, 0);
  expect(sent).toEqual([{ type: 'Play', card: 'smithy' }]);
});

it('does not answer an old position again, unless the same question comes anew', () => {
  const table = tableOf({ hand: ['village', 'copper'] });
  pressHand(table, 0);
  expect(stageOf(table)).toBe('wait');
  const next = { ...table, turn: turnFor(table.moment.view) };
  expect(stageOf(next)).toBe('wait');
  const again = { ...table, turn: { ...table.turn!, ask: { ...table.turn!.ask! } } };
  expect(stageOf(again)).toBe('turn');
});

it('asks which treasure Mine trashes and which it gains, and sends both', () => {
  const table = tableOf({ hand: ['copper', 'mine', 'estate'] });
  pressHand(table, 1);
  expect(stageOf(table)).toBe('choice');
  expect([0, 1, 2].map((place) => isHandLit(table, place))).toEqual([true, false, false]);
  pressPile(table, 'silver');
  expect(draft.problem?.code).toBe('trash_first');
  pressHand(table, 2);
  expect(draft.problem).toEqual({ code: 'not_a_treasure', card: 'estate' });
  pressHand(table, 0);
  expect([isPileLit(table, 'silver'), isPileLit(table, 'gold'), isPileLit(table, 'moat')]).toEqual([
    true,
    false,
    false,
  ]);
  confirm(table);
  expect(draft.problem?.code).toBe('choose_gain');
  pressPile(table, 'gold');
  expect(draft.problem).toEqual({ code: 'not_to_gain', card: 'gold' });
  pressPile(table, 'silver');
  confirm(table);
  expect(sent).toEqual([{ type: 'Play', card: 'mine', trash: 'copper', gain: 'silver' }]);
});

it('forgets a gain that the new trash does not allow', () => {
  const table = tableOf({ hand: ['remodel', 'gold', 'copper'] });
  pressHand(table, 0);
  pressHand(table, 1);
  pressPile(table, 'province');
  pressHand(table, 2);
  expect(draft.pending).toMatchObject({ trash: 2, gain: null });
  pressHand(table, 0);
  expect(stageOf(table)).toBe('turn');
});

it('gains with Workshop, and swaps with Cellar', () => {
  let table = tableOf({ hand: ['workshop', 'copper'] });
  pressHand(table, 0);
  pressHand(table, 1);
  expect(draft.problem?.code).toBe('choose_pile');
  pressPile(table, 'smithy');
  confirm(table);
  table = tableOf({ hand: ['cellar', 'estate', 'copper'] });
  pressHand(table, 0);
  pressPile(table, 'smithy');
  expect(draft.problem?.code).toBe('choose_hand');
  pressHand(table, 2);
  pressHand(table, 1);
  confirm(table);
  expect(sent).toEqual([
    { type: 'Play', card: 'workshop', gain: 'smithy' },
    { type: 'Play', card: 'cellar', discard: ['copper', 'estate'] },
  ]);
});

it('collects buys in the tray, and says why a card does not fit', () => {
  const table = tableOf({ hand: ['gold', 'gold', 'copper'], buys: 2 });
  pressPile(table, 'market');
  pressPile(table, 'market');
  expect(draft.problem).toEqual({ code: 'dear', card: 'market' });
  pressPile(table, 'estate');
  pressPile(table, 'copper');
  expect(draft.problem?.code).toBe('no_buys');
  expect(draft.tray).toEqual(['market', 'estate']);
  confirm(table);
  expect(sent).toEqual([{ type: 'Buy', cards: ['market', 'estate'] }]);
  expect(draft.endsTurn).toBe(true);
});

it('does not send a tray that cannot be paid after a treasure was held back', () => {
  const table = tableOf({ hand: ['silver', 'copper'] });
  pressPile(table, 'silver');
  pressHand(table, 0);
  buy(table, false);
  expect([draft.problem?.code, sent.length]).toEqual(['tray_dear', 0]);
  pressHand(table, 0);
  pressHand(table, 1);
  draft.putBack(0);
  pressPile(table, 'estate');
  buy(table, false);
  expect(sent).toEqual([{ type: 'Buy', cards: ['estate'], treasures: ['silver'] }]);
  expect(draft.endsTurn).toBe(false);
});

it('ends a turn with or without a card on top', () => {
  let table = tableOf({ hand: ['estate', 'duchy'], buys: 0, actions: 0 });
  expect(stageOf(table)).toBe('clean');
  pressHand(table, 1);
  confirm(table);
  const options = { top_discard_from: 'hand_or_played' };
  table = tableOf({ hand: ['curse'], played: ['gold'], buys: 0, actions: 0 }, { options });
  chooseTop(table, 'silver');
  chooseTop(table, 'gold');
  endTurn(table);
  table = tableOf({ hand: ['estate'] });
  confirm(table);
  expect(sent).toEqual([{ type: 'CleanUp', top: 'duchy' }, { type: 'CleanUp', top: 'gold' }, { type: 'CleanUp' }]);
});

it('answers an attack in the order of the clicks, or with a Moat', () => {
  const attack = { hand: ['moat', 'gold', 'estate', 'copper', 'copper'], turn: 1, attacked: 0, actions: 0 };
  let table = tableOf(attack, { discard: 2 });
  pressHand(table, 2);
  confirm(table);
  expect(draft.problem?.code).toBe('discard_more');
  pressHand(table, 3);
  pressHand(table, 4);
  expect(draft.problem?.code).toBe('enough');
  takeBack(table);
  pressHand(table, 4);
  confirm(table);
  draft = new Draft();
  table = tableOf(attack, { discard: 2 });
  reveal(table);
  expect(sent).toEqual([
    { type: 'Discard', cards: ['estate', 'copper'] },
    { type: 'Reveal', card: 'moat' },
  ]);
});

it('waits while the view and the question do not belong together', () => {
  const table = tableOf({ hand: ['smithy'] });
  const older = { ...table, moment: { ...table.moment, view: { ...table.moment.view, actions: 2 } } };
  expect(stageOf(older)).toBe('wait');
  expect(stageOf({ ...table, turn: null })).toBe('wait');
});

it('keeps the tray for the turn, and other choices for the hand', () => {
  const table = tableOf({ hand: ['market', 'gold', 'gold'] });
  pressPile(table, 'gold');
  pressHand(table, 1);
  draft.follow(viewWith({ hand: ['gold', 'gold', 'copper'] }));
  expect([draft.tray, draft.kept]).toEqual([['gold'], []]);
  draft.follow(viewWith({ hand: ['gold', 'gold', 'copper'], turn: 1 }));
  expect(draft.tray).toEqual([]);
});

it('takes back what was chosen last', () => {
  const table = tableOf({ hand: ['cellar', 'gold', 'gold'] });
  pressPile(table, 'estate');
  pressHand(table, 0);
  expect([takeBack(table), draft.pending]).toEqual([true, null]);
  expect([takeBack(table), draft.tray]).toEqual([true, []]);
  expect(takeBack(table)).toBe(false);
});
