import { expect, test } from 'vitest';
import { momentOf, schemaFor } from '../../../tests/games';
import { GameSchema } from './schema';
import { askFacts, boardOf, headingOf, isBySeat, shapeOf, toAct } from './shapes';
import { ranked, sourcesOf, wordsIn } from './sources';

const EMPTY = new GameSchema({});

function board(game: string, seats: number) {
  return boardOf(schemaFor(game), momentOf(game).view, seats);
}

const keys = (fields: readonly { key: string }[]) => fields.map((field) => field.key);

test('Dominion: areas are the seats, cards are lines, nothing is lost', () => {
  const made = board('dominion', 2);
  expect(keys(made.seats!.columns)).toEqual(['turns', 'hand', 'deck', 'discard', 'top', 'gone']);
  expect(made.seats!.rows[1]![5]).toEqual({ is: 'flag', on: false });
  expect(keys(made.lines)).toEqual(['hand', 'played', 'supply', 'owned']);
  expect(keys(made.empty)).toEqual(['gained', 'bought', 'trash']);
  expect(keys(made.facts)).toEqual(['actions', 'buys', 'money', 'attacked', 'over']);
  expect(made.facts[3]!.shape).toEqual({ is: 'seat', seat: 0 });
});

test('a hand with as many cards as there are seats is still a hand', () => {
  const game = schemaFor('dominion');
  const view = { ...momentOf('dominion').view, hand: ['copper', 'estate'] };
  expect(keys(boardOf(game, view, 2).lines)).toContain('hand');
});

test('Liar’s Dice: counts by seat, bids as rows, and the cups of all seats', () => {
  const made = board('liarsdice', 3);
  expect(keys(made.seats!.columns)).toEqual(['counts', 'went_out']);
  expect(keys(made.facts)).toEqual(['round', 'wild_ones']);
  const [bids, revealed] = made.panels;
  expect(bids!.shape).toMatchObject({ is: 'rows', columns: [{ name: 'Seat' }, { name: 'Bid' }] });
  const cups = revealed!.shape.is === 'record' ? revealed!.shape.fields.find((field) => field.key === 'cups') : null;
  expect(cups!.shape.is).toBe('bySeat');
});

test('Liar’s Dice: a hand of three dice is not taken for the three seats', () => {
  const view = { ...momentOf('liarsdice').view, hand: [1, 2, 3] };
  expect(keys(boardOf(schemaFor('liarsdice'), view, 3).lines)).toContain('hand');
});

test('tradeCraft: hands by seat, amounts as counts, the history as a list of things', () => {
  const made = board('tradecraft', 3);
  expect(keys(made.seats!.columns)).toEqual(['hands']);
  expect(made.seats!.rows[0]![0]).toMatchObject({
    is: 'counts',
    entries: [{ word: 'basalt', count: '9' }, {}, {}, {}],
  });
  expect(keys(made.empty)).toEqual(['proposal', 'checked', 'done', 'gone', 'targets', 'winners']);
  expect(made.panels[0]!.shape.is).toBe('things');
  expect(made.lines.find((field) => field.key === 'order')!.shape).toMatchObject({
    items: [{ is: 'seat', seat: 0 }, {}, {}],
  });
});

test('fields are described by the schema', () => {
  expect(board('dominion', 2).lines[0]!.help).toBe('Own hand, in the order drawn.');
});

test('what is not there is said in words', () => {
  const seat = { anyOf: [{ type: 'integer', format: 'seat' }, { type: 'null' }] };
  expect(shapeOf(EMPTY, seat, null, 2)).toEqual({ is: 'none', text: 'nobody' });
  expect(shapeOf(EMPTY, {}, null, 2)).toEqual({ is: 'none', text: 'none' });
  expect(shapeOf(EMPTY, {}, [], 2)).toEqual({ is: 'none', text: 'none' });
  expect(shapeOf(EMPTY, {}, '', 2)).toEqual({ is: 'none', text: 'none' });
});

test('a matrix is a grid', () => {
  const shape = shapeOf(EMPTY, { type: 'array' }, [[1, 2, 3], [4, 5, 6]], 5); // prettier-ignore
  expect(shape).toMatchObject({ is: 'grid', rows: [[{ text: '1' }, {}, {}], [{}, {}, { text: '6' }]] }); // prettier-ignore
});

test('a seat that nobody has is a number', () => {
  expect(shapeOf(EMPTY, { type: 'integer', format: 'seat' }, 7, 3)).toEqual({ is: 'word', text: '7' });
});

test('without a schema, a view is drawn all the same', () => {
  const made = boardOf(EMPTY, momentOf('dominion').view, 2);
  expect(made.seats).not.toBeNull();
  expect(keys(made.facts)).toContain('money');
  expect(boardOf(EMPTY, 'nonsense', 2)).toMatchObject({ facts: [], lines: [], panels: [], seats: null });
});

test('lists of seats are not lists by seat', () => {
  const order = { type: 'array', items: { type: 'integer', format: 'seat' } };
  expect(isBySeat(EMPTY, order, [1, 0], 2)).toBe(false);
  expect(isBySeat(EMPTY, { type: 'array', items: { type: 'integer' } }, [4, 0], 2)).toBe(true);
});

test('the heading names the stage of the match', () => {
  expect(headingOf(schemaFor('tradecraft'), momentOf('tradecraft').view)).toBe('Craft · Turn 2 of 15');
  expect(headingOf(schemaFor('liarsdice'), momentOf('liarsdice').view)).toBe('Round 2');
  expect(headingOf(schemaFor('dominion'), momentOf('dominion').view)).toBe('');
  expect(headingOf(EMPTY, null)).toBe('');
});

test('clocks tell the seats that have to act, otherwise the view does', () => {
  const game = schemaFor('dominion');
  const { view } = momentOf('dominion');
  expect(toAct(game, view, 2, [0])).toEqual([0]);
  expect(toAct(game, view, 2, [])).toEqual([1]);
  expect(toAct(schemaFor('tradecraft'), momentOf('tradecraft').view, 3, [])).toEqual([]);
});

test('the facts of an ask leave out what the page says otherwise', () => {
  expect(keys(askFacts(schemaFor('dominion'), momentOf('dominion').ask, 2))).toEqual(['card', 'discard']);
  expect(askFacts(EMPTY, null, 2)).toEqual([]);
});

// Words to pick

test('the cards of the hand and the supply can be picked', () => {
  const game = schemaFor('dominion');
  const sources = sourcesOf(game, momentOf('dominion').view, 2);
  expect(keys(sources)).toEqual(['hand', 'played', 'supply', 'owned']);
  expect(sources[0]!.words).toContainEqual({ word: 'copper', shown: 'copper', count: '3' });
});

test('an input offers first what its description mentions', () => {
  const first = (name: string, tag: string, field: string, viewer: number | null = 0) => {
    const game = schemaFor(name);
    const schema = game.actions.find((each) => each.tag === tag)!.schema;
    const sources = sourcesOf(game, momentOf(name).view, name === 'dominion' ? 2 : 3);
    return ranked(sources, { name: field, schema: game.field(schema, field) }, viewer)[0]!;
  };
  expect(first('dominion', 'Play', 'card').key).toBe('hand');
  expect(first('dominion', 'Play', 'gain').key).toBe('supply');
  expect(first('dominion', 'Buy', 'cards').key).toBe('supply');
  expect(first('tradecraft', 'Propose', 'offer').key).toBe('hand');
  expect(first('tradecraft', 'Propose', 'request')).toMatchObject({ field: 'hands', seat: 1 });
});

test('the words of a reply can be picked, but not those that the schema lists', () => {
  const game = schemaFor('tradecraft');
  const formula = {
    type: 'Formula',
    name: 'lantern',
    kind: 'crafting',
    product: 'lantern',
    count: 1,
    input: { torch: 1 },
    burns: false,
  };
  const reply = {
    type: 'ItemFacts',
    item: 'torch',
    known: true,
    made_by: [],
    used_by: [formula],
    ticks: 0,
    stands_for: [],
  };
  expect(wordsIn(game, game.reply, reply).map((each) => each.word)).toEqual(['torch', 'lantern']);
});
