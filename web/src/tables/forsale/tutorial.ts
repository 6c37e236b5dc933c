/** The tutorial: six positions of one match, seen from the first seat. */
import { t } from './texts';
import type { Player, TutorialStep } from '../contract';
import type { View } from './types';

const PLAYERS: readonly Player[] = [
  { name: 'Ada', kind: 'person' },
  { name: 'Thrift', kind: 'bot' },
  { name: 'Wren', kind: 'model' },
  { name: 'Otto', kind: 'person' },
];

function step(words: { readonly title: string; readonly text: string }, view: View): TutorialStep<View> {
  return { view, players: PLAYERS, ...words };
}

const texts = t.forsale.tutorial;

export const TUTORIAL: readonly TutorialStep<View>[] = [
  step(texts.market, {
    type: 'View',
    seat: 0,
    part: 1,
    round: 1,
    rounds: 7,
    market: [6, 10, 23, 30],
    turn: 0,
    record: 3,
    bids: [0, 1, 2, 3],
    inside: [0, 1, 2, 3],
    coins: [18, null, null, null],
    hand: [],
    cheques: [],
  }),
  step(texts.raise, {
    type: 'View',
    seat: 0,
    part: 1,
    round: 1,
    rounds: 7,
    market: [6, 10, 23, 30],
    turn: 1,
    record: 4,
    bids: [4, 1, 2, 3],
    inside: [0, 1, 2, 3],
    coins: [18, null, null, null],
    hand: [],
    cheques: [],
  }),
  step(texts.pass, {
    type: 'View',
    seat: 0,
    part: 1,
    round: 1,
    rounds: 7,
    market: [23, 30],
    turn: 1,
    record: 7,
    bids: [4, 5, 7, 3],
    inside: [1, 2],
    coins: [16, null, null, null],
    hand: [10],
    cheques: [],
  }),
  step(texts.last, {
    type: 'View',
    seat: 0,
    part: 1,
    round: 5,
    rounds: 7,
    market: [5, 17],
    turn: 3,
    record: 4,
    bids: [4, 1, 2, 3],
    inside: [0, 3],
    coins: [12, null, null, null],
    hand: [10, 13, 18, 20],
    cheques: [],
  }),
  step(texts.sell, {
    type: 'View',
    seat: 0,
    part: 2,
    round: 1,
    rounds: 7,
    market: [0, 10, 10, 14],
    turn: null,
    record: 0,
    bids: [0, 0, 0, 0],
    inside: [],
    coins: [6, null, null, null],
    hand: [10, 13, 15, 17, 18, 20, 29],
    cheques: [],
  }),
  step(texts.end, {
    type: 'View',
    seat: 0,
    part: 3,
    round: 7,
    rounds: 7,
    market: [],
    turn: null,
    record: 0,
    bids: [0, 0, 0, 0],
    inside: [],
    coins: [6, null, null, null],
    hand: [],
    cheques: [10, 11, 9, 8, 6, 12, 14],
  }),
];
