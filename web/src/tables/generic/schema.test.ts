import { describe, expect, test } from 'vitest';
import { momentOf, schemaFor } from '../../../tests/games';
import { GameSchema, isSeat } from './schema';

const GAMES = ['forsale', 'dominion', 'maze', 'tradecraft', 'colorfight', 'liarsdice'];

describe.each(GAMES)('the schema of %s', (name) => {
  const game = schemaFor(name);

  test('has a view with fields, and actions', () => {
    expect(Object.keys(game.resolve(game.view).properties ?? {}).length).toBeGreaterThan(1);
    expect(game.actions.length).toBeGreaterThan(0);
  });
});

test('an ask names the actions that answer it', () => {
  const tags = (game: string, ask: string) =>
    schemaFor(game)
      .actionsFor(ask)
      .map((each) => each.tag);
  expect(tags('dominion', 'TakeTurn')).toEqual(['Play', 'Buy', 'CleanUp']);
  expect(tags('dominion', 'AnswerAttack')).toEqual(['Discard', 'Reveal']);
  expect(tags('tradecraft', 'MakeProposal')).toEqual(['Propose']);
  expect(tags('tradecraft', 'CraftItems')).toEqual(['Check', 'Apply', 'Done']);
});

test('an unknown ask may be answered with every action', () => {
  const game = schemaFor('dominion');
  expect(game.actionsFor('NoSuchAsk')).toEqual(game.actions);
});

test('only games with questions have some', () => {
  expect(schemaFor('tradecraft').questions.map((each) => each.tag)).toEqual(['ItemInfo', 'PossibleRecipes', 'History']);
  expect(schemaFor('dominion').questions).toEqual([]);
});

test('seats are told from numbers', () => {
  const game = schemaFor('dominion');
  expect(isSeat(game.field(game.view, 'turn'))).toBe(true);
  expect(isSeat(game.field(game.view, 'money'))).toBe(false);
});

test('the alternative that fits a value is found by its tag or its type', () => {
  const game = schemaFor('tradecraft');
  const { view } = momentOf('tradecraft');
  const history = game.field(game.view, 'history').items as object;
  const first = (view.history as { type: string }[])[0]!;
  expect(game.of(history, first).title).toBe(first.type);
  expect(game.of({ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'a').type).toBe('string');
  expect(game.of({ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 3).type).toBe('integer');
});

test('a reference in a circle and a reference to nothing do no harm', () => {
  const game = new GameSchema({ $defs: { A: { $ref: '#/$defs/A' } } });
  expect(game.resolve({ $ref: '#/$defs/A' })).toBeDefined();
  expect(game.resolve({ $ref: '#/$defs/B', description: 'kept' })).toEqual({ description: 'kept' });
});

test('an empty schema has nothing', () => {
  const game = new GameSchema({});
  expect(game.actions).toEqual([]);
  expect(game.questions).toEqual([]);
  expect(game.actionsFor('Any')).toEqual([]);
});
