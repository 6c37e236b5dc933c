import { expect, it } from 'vitest';
import {
  billOf,
  buyOf,
  canGive,
  countersAfter,
  endOf,
  gainsFor,
  missingOf,
  obstacleOfTray,
  obstacleToBuy,
  obstacleToPlay,
  ownedOf,
  type Pending,
  playOf,
  pointsOf,
  purseOf,
} from './turn';
import { viewWith } from './views';

const pending = (card: string, place: number, more: Partial<Pending> = {}): Pending => ({
  card,
  place,
  discard: [],
  trash: null,
  gain: null,
  ...more,
});

it('adds the treasures of the hand to the money of actions, except those that are held back', () => {
  const view = viewWith({ hand: ['gold', 'copper', 'estate', 'copper'], money: 2 });
  expect(purseOf(view, [])).toBe(7);
  expect(purseOf(view, [0, 3])).toBe(3);
  expect(purseOf({ ...view, buys: 0 }, [])).toBe(2);
});

it('tells what is left after the cards in the tray', () => {
  const view = viewWith({ hand: ['gold', 'gold', 'silver'], money: 1, buys: 2 });
  expect(billOf(view, ['gold', 'silver'], [])).toEqual({ money: 9, spent: 9, left: 0, buysLeft: 0 });
});

it('says why one more card cannot be bought', () => {
  const view = viewWith({ hand: ['gold', 'silver'], buys: 2, supply: { province: 8, silver: 1, moat: 0, estate: 3 } });
  expect(obstacleToBuy(view, [], [], 'province')).toBe('dear');
  expect(obstacleToBuy(view, [], [], 'moat')).toBe('empty');
  expect(obstacleToBuy(view, ['silver'], [], 'silver')).toBe('empty');
  expect(obstacleToBuy(view, ['estate'], [], 'silver')).toBeNull();
  expect(obstacleToBuy(view, ['estate', 'estate'], [], 'estate')).toBe('no_buys');
  expect(obstacleToBuy(view, [], [], 'chapel')).toBe('empty');
});

it('checks the tray again when money or buys have changed', () => {
  const view = viewWith({ hand: ['gold', 'gold', 'silver'], buys: 1 });
  expect(obstacleOfTray(view, ['province'], [])).toBeNull();
  expect(obstacleOfTray(view, ['province'], [0])).toBe('dear');
  expect(obstacleOfTray(view, ['silver', 'silver'], [])).toBe('no_buys');
  expect(obstacleOfTray({ ...view, supply: { silver: 0 } }, ['silver'], [])).toBe('empty');
});

it('names treasures only if some are held back', () => {
  const view = viewWith({ hand: ['copper', 'smithy', 'silver', 'copper'] });
  expect(buyOf(view, ['silver'], [])).toEqual({ type: 'Buy', cards: ['silver'] });
  expect(buyOf(view, [], [0])).toEqual({ type: 'Buy', cards: [], treasures: ['silver', 'copper'] });
});

it('lights the actions that can be played', () => {
  const view = viewWith({ hand: ['mine', 'estate', 'remodel', 'smithy'] });
  expect([0, 1, 2, 3].map((place) => obstacleToPlay(view, place))).toEqual([
    'no_treasure',
    'not_an_action',
    null,
    null,
  ]);
  expect(obstacleToPlay({ ...view, actions: 0 }, 3)).toBe('no_actions');
  expect(obstacleToPlay(viewWith({ hand: ['remodel'] }), 0)).toBe('nothing_to_trash');
  expect(obstacleToPlay(viewWith({ hand: ['workshop'], supply: { gold: 3, smithy: 0 } }), 0)).toBe('nothing_to_gain');
});

it('knows what Mine, Remodel and Workshop may take', () => {
  const supply = { copper: 5, silver: 5, gold: 0, smithy: 3, market: 2, province: 8 };
  const view = viewWith({ hand: ['mine', 'copper', 'estate', 'silver'], supply });
  expect(gainsFor(view, 'mine', 'copper')).toEqual(['copper', 'silver']);
  expect(gainsFor(view, 'mine', null)).toEqual([]);
  expect(gainsFor(view, 'remodel', 'estate')).toEqual(['copper', 'silver', 'smithy']);
  expect(gainsFor(view, 'workshop', null)).toEqual(['copper', 'silver', 'smithy']);
  expect([0, 1, 2].map((place) => canGive(view, pending('mine', 0), place))).toEqual([false, true, false]);
});

it('asks for what is missing, and for no gain where there is none', () => {
  const view = viewWith({ hand: ['remodel', 'copper'], supply: { gold: 3 } });
  expect(missingOf(view, pending('remodel', 0))).toBe('trash');
  expect(missingOf(view, pending('remodel', 0, { trash: 1 }))).toBeNull();
  expect(playOf(view, pending('remodel', 0, { trash: 1 }))).toEqual({ type: 'Play', card: 'remodel', trash: 'copper' });
  const more = { ...view, supply: { estate: 3 } };
  expect(missingOf(more, pending('remodel', 0, { trash: 1 }))).toBe('gain');
  expect(playOf(more, pending('remodel', 0, { trash: 1, gain: 'estate' })).gain).toBe('estate');
});

it('discards for Cellar in the order of the clicks, or nothing', () => {
  const view = viewWith({ hand: ['estate', 'cellar', 'copper'] });
  expect(playOf(view, pending('cellar', 1, { discard: [2, 0] }))).toEqual({
    type: 'Play',
    card: 'cellar',
    discard: ['copper', 'estate'],
  });
  expect(missingOf(view, pending('cellar', 1))).toBeNull();
  expect(playOf(view, pending('cellar', 1))).toEqual({ type: 'Play', card: 'cellar' });
});

it('tells what the counters will be', () => {
  const view = viewWith({ hand: ['mine', 'silver', 'copper'] });
  const after = countersAfter(view, pending('mine', 0, { trash: 1, gain: 'gold' }));
  expect(after).toEqual({ actions: 0, buys: 1, money: 4 });
  const cellar = viewWith({ hand: ['cellar', 'copper', 'copper'] });
  expect(countersAfter(cellar, pending('cellar', 0, { discard: [1] }))).toEqual({ actions: 1, buys: 1, money: 1 });
});

it('lists own cards by where they are known to be, and their points', () => {
  const view = viewWith({ hand: ['estate', 'copper'], played: ['copper'], owned: { copper: 7, estate: 3, curse: 1 } });
  expect(ownedOf(view)[0]).toEqual({ card: 'copper', count: 7, inHand: 1, inPlay: 1 });
  expect(ownedOf({ ...view, turn: 1 })[0]).toMatchObject({ inPlay: 0 });
  expect(pointsOf(view)).toBe(2);
});

it('knows how near the end is', () => {
  expect(endOf(viewWith({ supply: { province: 3, moat: 0, copper: 0, gold: 1 } }))).toEqual({
    provinces: 3,
    most: 8,
    empty: 2,
  });
});
