import { describe, expect, test } from 'vitest';
import { schemaFor } from '../../../tests/games';
import {
  addOne,
  addWord,
  type FormState,
  inputFields,
  isPickable,
  kindOf,
  newState,
  read,
  stateOf,
  stepped,
} from './forms';
import { GameSchema, type Schema } from './schema';

const GAMES = ['forsale', 'dominion', 'maze', 'tradecraft', 'colorfight', 'liarsdice'];
const EMPTY = new GameSchema({});

function action(game: string, tag: string): { game: GameSchema; schema: Schema } {
  const schemas = schemaFor(game);
  const found = [...schemas.actions, ...schemas.questions].find((each) => each.tag === tag);
  if (found === undefined) throw new Error(`no ${tag}`);
  return { game: schemas, schema: found.schema };
}

function readWith(schema: Schema, state: FormState, seats = 3) {
  return read({ game: EMPTY, seats }, schema, state);
}

const text = (value: string): FormState => ({ is: 'text', text: value });

describe.each(GAMES)('the forms of %s', (name) => {
  const game = schemaFor(name);

  test('every action and question has an input for each field, and none needs JSON', () => {
    for (const { schema } of [...game.actions, ...game.questions]) {
      const state = newState(game, schema);
      if (state.is !== 'fields') throw new Error('no fields');
      const fields = inputFields(schema);
      expect(Object.keys(state.fields).sort()).toEqual(fields.map((field) => field.key).sort());
      for (const field of fields) expect(kindOf(game, field.schema).kind).not.toBe('json');
    }
  });
});

test.each([
  ['dominion', { type: 'Play', card: 'cellar', discard: ['estate', 'copper'] }],
  ['dominion', { type: 'Play', card: 'remodel', trash: 'estate', gain: 'silver' }],
  ['dominion', { type: 'Buy', cards: ['silver'], treasures: [] }],
  ['dominion', { type: 'Buy' }],
  ['dominion', { type: 'CleanUp' }],
  ['dominion', { type: 'Discard', cards: ['estate', 'estate'] }],
  ['tradecraft', { type: 'Propose', partner: 1, offer: { coal: 2 }, request: { stick: '1/2' }, message: 'Deal?' }],
  ['tradecraft', { type: 'Propose', partner: 2 }],
  ['tradecraft', { type: 'Decide', decision: 'accept' }],
  ['tradecraft', { type: 'Check', input: { coal: '1/8', raw_iron: 1 }, output: { iron_ingot: 1 } }],
  ['tradecraft', { type: 'Done' }],
  ['tradecraft', { type: 'PossibleRecipes' }],
  ['tradecraft', { type: 'PossibleRecipes', hand: { coal: 1 } }],
  ['liarsdice', { type: 'Bid', count: 3, face: 6 }],
])('%s: an action that is filled in is read back unchanged: %j', (name, value) => {
  const { game, schema } = action(name, value.type);
  expect(read({ game, seats: 3 }, schema, stateOf(game, schema, value))).toEqual({ value, problems: {} });
});

test('an empty proposal lacks only the partner', () => {
  const { game, schema } = action('tradecraft', 'Propose');
  expect(read({ game, seats: 3 }, schema, newState(game, schema)).problems).toEqual({ '/partner': 'Choose a player.' });
});

test('a partner must sit at the table', () => {
  const { game, schema } = action('tradecraft', 'Propose');
  const state = stateOf(game, schema, { type: 'Propose', partner: 3 });
  expect(read({ game, seats: 3 }, schema, state).problems).toHaveProperty('/partner');
  expect(read({ game, seats: 4 }, schema, state).problems).toEqual({});
});

test('amounts are whole numbers or fractions', () => {
  const { game, schema } = action('tradecraft', 'Check');
  const problem = (amount: string) => {
    const state = stateOf(game, schema, { type: 'Check', input: { coal: amount }, output: {} });
    return Object.values(read({ game, seats: 3 }, schema, state).problems);
  };
  expect(problem('3')).toEqual([]);
  expect(problem('1/2')).toEqual([]);
  for (const wrong of ['x', '1/0', '0.5', '1/'])
    expect(problem(wrong)).toEqual(['Enter a whole number, or a fraction such as 1/2.']);
  expect(problem('')).toEqual(['Fill this in.']);
});

test('the rows of a map have names, and no name twice', () => {
  const { game, schema } = action('tradecraft', 'Check');
  const state = stateOf(game, schema, { type: 'Check', input: { coal: 1, stick: 1 }, output: {} });
  const rows = (state as any).fields.input.rows as { id: number; name: string }[];
  rows[1]!.name = 'coal';
  expect(read({ game, seats: 3 }, schema, state).problems).toEqual({
    [`/input/${rows[1]!.id}/name`]: 'This name is there twice.',
  });
  rows[1]!.name = ' ';
  expect(Object.values(read({ game, seats: 3 }, schema, state).problems)).toEqual(['Fill this in.']);
  rows[1]!.name = '__proto__';
  const { value } = read({ game, seats: 3 }, schema, state);
  expect(JSON.stringify(value)).toContain('"__proto__":1');
});

test.each([
  [{ type: 'integer' }, '', 'Fill this in.'],
  [{ type: 'integer' }, '1.5', 'Enter a whole number.'],
  [{ type: 'integer' }, '1e3', 'Enter a whole number.'],
  [{ type: 'integer' }, '99999999999999999999', 'Enter a number.'],
  [{ type: 'integer', minimum: 1, maximum: 6 }, '7', 'Enter a number from 1 to 6.'],
  [{ type: 'integer', minimum: 1 }, '0', 'Enter 1 or more.'],
  [{ type: 'integer', maximum: 6 }, '7', 'Enter 6 or less.'],
  [{ type: 'integer', exclusiveMinimum: 0 }, '0', 'Enter 1 or more.'],
  [{ type: 'number' }, 'x', 'Enter a number.'],
  [{ type: 'string', minLength: 2 }, 'a', 'At least 2 characters.'],
  [{ type: 'string', maxLength: 2 }, 'abc', 'At most 2 characters.'],
  [{ type: 'string', pattern: '^[a-z]*$(?!\\n)' }, 'A', 'This is not in the expected form.'],
  [{ enum: ['a', 'b'] }, '', 'Choose one.'],
  [{}, '{', 'Enter a value in JSON.'],
] as [Schema, string, string][])('%j refuses "%s": %s', (schema, entered, words) => {
  expect(readWith(schema, text(entered)).problems).toEqual({ '': words });
});

test.each([
  [{ type: 'integer' }, '-3', -3],
  [{ type: 'number' }, '.5', 0.5],
  [{ type: 'string', maxLength: 5 }, ' ab ', 'ab'],
  [{ enum: [1, 2] }, '2', 2],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, '', null],
  [{}, '[1]', [1]],
] as [Schema, string, unknown][])('%j reads "%s"', (schema, entered, value) => {
  const state = newState(EMPTY, schema);
  if (state.is === 'maybe') state.inner = text(entered);
  expect(readWith(schema, state.is === 'maybe' ? state : text(entered))).toEqual({ value, problems: {} });
});

test('a pattern that the browser cannot read is left to the referee', () => {
  expect(readWith({ type: 'string', pattern: '(?P<x>a)' }, text('b')).problems).toEqual({});
});

test('lists have as many entries as the schema allows', () => {
  const schema: Schema = { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 };
  const state = newState(EMPTY, schema) as FormState & { is: 'list' };
  expect(state.rows).toHaveLength(1);
  expect(readWith(schema, stateOf(EMPTY, schema, [])).problems).toEqual({ '': 'At least 1 entries.' });
  expect(readWith(schema, stateOf(EMPTY, schema, [1, 2, 3])).problems).toEqual({ '': 'At most 2 entries.' });
});

test('a tuple has one input for each place', () => {
  const schema: Schema = { type: 'array', prefixItems: [{ type: 'integer' }, { enum: ['UP', 'DOWN'] }], items: false };
  expect(readWith(schema, stateOf(EMPTY, schema, [2, 'UP'])).value).toEqual([2, 'UP']);
  expect((newState(EMPTY, schema) as FormState & { is: 'list' }).rows).toHaveLength(2);
});

test('a tagged union keeps what was filled in for the kind that is chosen', () => {
  const of = (tag: string, field: Schema): Schema => ({
    type: 'object',
    properties: { type: { enum: [tag] }, field },
    required: ['type', 'field'],
  });
  const schema: Schema = { anyOf: [of('A', { type: 'integer' }), of('B', { type: 'boolean' })] };
  const state = stateOf(EMPTY, schema, { type: 'B', field: true });
  expect(state).toMatchObject({ is: 'union', chosen: 'B' });
  expect(readWith(schema, state).value).toEqual({ type: 'B', field: true });
});

test('a type that contains itself has a form', () => {
  const tree: Schema = {
    type: 'object',
    properties: { type: { enum: ['Tree'] }, twigs: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
    required: ['type', 'twigs'],
  };
  const game = new GameSchema({ $defs: { Tree: tree } });
  const value = { type: 'Tree', twigs: [{ type: 'Tree', twigs: [] }] };
  expect(read({ game, seats: 2 }, tree, stateOf(game, tree, value)).value).toEqual(value);
});

test('cards are picked into a list, things into amounts', () => {
  const list = { type: 'array', items: { type: 'string', maxLength: 32 } } as const;
  const cards = newState(EMPTY, list) as FormState & { is: 'list' };
  addWord(EMPTY, list.items, cards, 'copper');
  addWord(EMPTY, list.items, cards, 'copper');
  expect(readWith(list, cards).value).toEqual(['copper', 'copper']);

  const map = { type: 'object', additionalProperties: { type: 'integer' } } as const;
  const things = newState(EMPTY, map) as FormState & { is: 'map' };
  for (const name of ['coal', 'stick', 'coal']) addOne(EMPTY, map.additionalProperties, things, name);
  expect(readWith(map, things).value).toEqual({ coal: 2, stick: 1 });
});

test('names can be picked, messages and texts in a set form cannot', () => {
  const pickable = (schema: Schema) => isPickable(kindOf(EMPTY, schema));
  expect(pickable({ type: 'string', maxLength: 32 })).toBe(true);
  expect(pickable({ type: 'string', maxLength: 2000 })).toBe(false);
  expect(pickable({ type: 'string', pattern: '^a$' })).toBe(false);
});

test.each([
  ['1', 1, '2'],
  ['', 1, '1'],
  ['', -1, '0'],
  ['7/2', 1, '4'],
  ['7/2', -1, '3'],
  ['0', -1, '0'],
  ['9', 1, '9'],
])('"%s" stepped by %i is "%s"', (from, by, to) => expect(stepped(from, by, 0, 9)).toBe(to));
