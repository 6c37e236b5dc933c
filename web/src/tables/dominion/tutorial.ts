/** The tutorial: positions of one match, seen from the first seat. */
import { t } from './texts';
import type { Player, TutorialStep } from '../contract';
import type { View } from './types';

const texts = t.dominion.tutorial;

const PLAYERS: readonly Player[] = [
  { name: texts.you, kind: 'person' },
  { name: texts.other, kind: 'bot' },
];

const SUPPLY = {
  curse: 10,
  copper: 46,
  silver: 40,
  gold: 30,
  estate: 8,
  duchy: 8,
  province: 8,
  cellar: 10,
  market: 10,
  militia: 10,
  mine: 10,
  moat: 10,
  remodel: 10,
  smithy: 10,
  village: 10,
  woodcutter: 10,
  workshop: 10,
};

const START: View = {
  type: 'View',
  seat: 0,
  turn: 0,
  actions: 1,
  buys: 1,
  money: 0,
  hand: ['copper', 'copper', 'copper', 'estate', 'copper'],
  played: [],
  gained: [],
  bought: [],
  attacked: null,
  supply: SUPPLY,
  trash: [],
  owned: { copper: 7, estate: 3 },
  areas: [
    { type: 'Area', turns: 1, hand: 5, deck: 5, discard: 0, top: null, gone: false },
    { type: 'Area', turns: 0, hand: 5, deck: 5, discard: 0, top: null, gone: false },
  ],
  over: false,
};

/** The deck in the middle of the match: ten cards to begin with, and five that were bought. */
const MIDDLE: View = {
  ...START,
  supply: { ...SUPPLY, silver: 36, gold: 29, village: 9, smithy: 8, market: 9, moat: 9 },
  owned: { copper: 7, estate: 3, silver: 2, village: 1, smithy: 1, market: 1 },
};

function area(turns: number, hand: number, deck: number, discard: number, top: string | null): View['areas'][number] {
  return { type: 'Area', turns, hand, deck, discard, top, gone: false };
}

export const TUTORIAL: readonly TutorialStep<View>[] = [
  { players: PLAYERS, ...texts.deck, view: START },
  {
    players: PLAYERS,
    ...texts.action,
    view: {
      ...MIDDLE,
      actions: 1,
      played: ['village', 'smithy'],
      hand: ['copper', 'silver', 'copper', 'estate', 'market', 'copper', 'silver'],
      areas: [area(6, 7, 4, 2, 'estate'), area(5, 5, 6, 3, 'silver')],
    },
  },
  {
    players: PLAYERS,
    ...texts.buy,
    view: {
      ...MIDDLE,
      actions: 0,
      buys: 0,
      supply: { ...MIDDLE.supply, gold: 28, moat: 8 },
      played: ['village', 'smithy', 'market', 'copper', 'silver', 'copper', 'silver'],
      gained: ['gold', 'moat'],
      bought: ['gold', 'moat'],
      hand: ['estate', 'estate'],
      owned: { ...MIDDLE.owned, gold: 1, moat: 1 },
      areas: [area(6, 2, 3, 5, 'moat'), area(5, 5, 6, 3, 'silver')],
    },
  },
  {
    players: PLAYERS,
    ...texts.attack,
    view: {
      ...MIDDLE,
      turn: 1,
      actions: 0,
      attacked: 0,
      supply: { ...MIDDLE.supply, gold: 28, moat: 8, militia: 9 },
      played: ['militia'],
      hand: ['moat', 'gold', 'silver', 'copper', 'estate'],
      owned: { ...MIDDLE.owned, gold: 1, moat: 1 },
      areas: [area(6, 5, 8, 4, 'estate'), area(6, 4, 2, 8, 'copper')],
    },
  },
  {
    players: PLAYERS,
    ...texts.end,
    view: {
      ...MIDDLE,
      actions: 0,
      buys: 0,
      supply: { ...MIDDLE.supply, gold: 22, province: 0, duchy: 5, moat: 8, militia: 9 },
      played: ['market', 'gold', 'gold', 'silver'],
      gained: ['province'],
      bought: ['province'],
      hand: ['estate'],
      owned: { ...MIDDLE.owned, gold: 4, moat: 1, province: 5 },
      areas: [area(19, 1, 6, 13, 'province'), area(18, 5, 9, 12, 'province')],
    },
  },
];
