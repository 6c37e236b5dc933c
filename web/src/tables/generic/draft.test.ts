import { expect, test } from 'vitest';
import { schemaFor } from '../../../tests/games';
import type { OpenAsk } from '../contract';
import { GenericDraft } from './draft.svelte';
import { read } from './forms';

const game = schemaFor('dominion');
const buy = game.actions.find((each) => each.tag === 'Buy')!;
const SILVER = { type: 'Buy', cards: ['silver'] };

function ask(id: number): OpenAsk {
  return { id, attempt: 1, ask: { type: 'TakeTurn' }, until: null, limitMs: null };
}

function sent(): GenericDraft {
  const draft = new GenericDraft();
  draft.fill(game, buy, SILVER);
  draft.sending(1, 'Buy', 'Buy', SILVER);
  return draft;
}

function filledIn(draft: GenericDraft): unknown {
  return read({ game, seats: 2 }, buy.schema, draft.forms.Buy!).value;
}

test('a refused answer stays in its form, beside the button that sent it', () => {
  const draft = sent();
  draft.settle(ask(1), false);
  draft.settle(ask(2), true);
  expect(filledIn(draft)).toEqual(SILVER);
  expect(draft.sentBy).toBe('Buy');
});

test('a form is emptied when its answer was taken, and can be filled in again', () => {
  const draft = sent();
  draft.settle(null, false);
  draft.settle(ask(2), false);
  expect(draft.forms).not.toHaveProperty('Buy');
  draft.prepare(game, buy);
  expect(filledIn(draft)).toEqual({ type: 'Buy' });
  draft.fill(game, buy, draft.lastTaken.Buy);
  expect(filledIn(draft)).toEqual(SILVER);
});

test('a form that is being filled in is not made anew', () => {
  const draft = new GenericDraft();
  draft.fill(game, buy, SILVER);
  draft.prepare(game, buy);
  draft.settle(ask(3), false);
  expect(filledIn(draft)).toEqual(SILVER);
});
