/** What every player knows of the cards: what they cost, how the supply is laid out, and their emblems. */
import type { Shape } from '../art';

/** What a card costs. */
export const COSTS: Readonly<Record<string, number>> = {
  curse: 0,
  copper: 0,
  silver: 3,
  gold: 6,
  estate: 2,
  duchy: 5,
  province: 8,
  cellar: 2,
  market: 5,
  militia: 4,
  mine: 5,
  moat: 2,
  remodel: 4,
  smithy: 4,
  village: 3,
  woodcutter: 3,
  workshop: 3,
};

/** The cards of every game, in the order in which their piles lie on the table. */
const BASE = ['copper', 'silver', 'gold', 'estate', 'duchy', 'province', 'curse'];

export interface Pile {
  readonly card: string;
  readonly count: number;
}

/** The piles in two rows: the cards of every game, then the kingdom from cheap to dear. */
export function pilesOf(supply: Readonly<Record<string, number>>): { base: Pile[]; kingdom: Pile[] } {
  const piles = Object.entries(supply).map(([card, count]) => ({ card, count }));
  const base = BASE.flatMap((card) => piles.find((pile) => pile.card === card) ?? []);
  const kingdom = piles.filter((pile) => !BASE.includes(pile.card));
  const cost = (pile: Pile) => COSTS[pile.card] ?? 0;
  kingdom.sort((a, b) => cost(a) - cost(b) || a.card.localeCompare(b.card));
  return { base, kingdom };
}

const COIN = 'M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0Z';
const RIM: Shape = ['fine', 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0Z'];

/** The emblems, each about 24 units wide around the origin. */
const EMBLEMS: Readonly<Record<string, readonly Shape[]>> = {
  copper: [['copper', COIN], RIM],
  silver: [['shade', COIN], RIM],
  gold: [['lit', COIN], RIM],
  estate: [
    ['slate', 'M-9 8V-1L0-9L9-1V8Z'],
    ['lit', 'M-3 8v-6h6v6Z'],
  ],
  duchy: [
    ['slate', 'M-10 8v-11l4-4 4 4v2h4v-2l4-4 4 4v11Z'],
    ['lit', 'M-2.5 8v-5h5v5Z'],
  ],
  province: [
    ['slate', 'M-11 8v-14h4v4h3v-7h8v7h3v-4h4v14Z'],
    ['lit', 'M-3 8v-5a3 3 0 0 1 6 0v5Z'],
    ['cloth', 'M0-9v-6l6 2-6 2'],
  ],
  curse: [
    ['tint-deep', 'M-8-1a8 8 0 1 1 16 0q0 4-3 5v4h-10v-4q-3-1-3-5Z'],
    ['wall', 'M-5-1a2 2 0 1 0 4 0a2 2 0 1 0-4 0ZM1-1a2 2 0 1 0 4 0a2 2 0 1 0-4 0Z'],
    ['fine', 'M-2 8v-3M2 8v-3'],
  ],
  cellar: [
    ['wood', 'M-8 0a8 9 0 1 0 16 0a8 9 0 1 0-16 0Z'],
    ['fine', 'M-7-5h14M-7 5h14M0-9v18'],
  ],
  moat: [['slit', 'M-10-5q2.5-4 5 0t5 0t5 0t5 0M-10 1q2.5-4 5 0t5 0t5 0t5 0M-10 7q2.5-4 5 0t5 0t5 0t5 0']],
  village: [
    ['roof', 'M-11 0l6-6 6 6Z'],
    ['wall', 'M-9 0h8v8h-8Z'],
    ['roof', 'M-1-3l6-6 6 6Z'],
    ['wall', 'M1-3h8v11h-8Z'],
  ],
  woodcutter: [
    ['slit', 'M-7 9L4-7'],
    ['shade', 'M0-9q8-2 10 6l-6-1Z'],
  ],
  workshop: [
    ['slit', 'M0 9V-3'],
    ['shade', 'M-8-9h16v7h-16Z'],
  ],
  militia: [
    ['cloth', 'M-8-9h16v8q0 7-8 10q-8-3-8-10Z'],
    ['fine', 'M0-9V9M-8-2h16'],
  ],
  remodel: [
    ['fine', 'M-10 8v-9l7-7 4 4'],
    ['plank', 'M-2 8v-8l6-6 6 6v8Z'],
  ],
  smithy: [['dark', 'M-10-6h20q-2 5-7 6v3q1 3 5 5h-15q4-2 5-5v-3q-6-1-8-6Z']],
  market: [
    ['wall', 'M-8-2h16v10h-16Z'],
    ['cloth', 'M-10-9h20l1 5q-2.5 4-5 0q-2.8 4-6 0q-2.8 4-6 0q-2.5 4-5 0Z'],
    ['wood', 'M-8 3h16v5h-16Z'],
  ],
  mine: [
    ['slit', 'M6-6L-8 9'],
    ['shade', 'M-5-9q10-2 15 4q1 6 0 10q-2-9-8-11q-3-2-7-3Z'],
  ],
};

/** A card that the page has no emblem for. */
const UNKNOWN: readonly Shape[] = [['tint', 'M0-9L8 0L0 9L-8 0Z']];

export function emblemOf(card: string): readonly Shape[] {
  return EMBLEMS[card] ?? UNKNOWN;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly turn: number;
}

/** Where the cards of a fan lie: the middle of the upper edge of each, and its turn. `room` is the width of the fan. */
export function fanOf(count: number, room: number, width: number): Spot[] {
  const pitch = count < 2 ? 0 : Math.min(width * 0.7, (room - width) / (count - 1));
  const bend = Math.min(4, 24 / Math.max(1, count));
  return Array.from({ length: count }, (_, i) => {
    const off = i - (count - 1) / 2;
    return { x: off * pitch, y: (off * bend) ** 2 / 8, turn: off * bend };
  });
}
