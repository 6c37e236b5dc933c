/** The public facts about the cards: costs, effects, and the layout of the supply. */
import facts from './facts.json';

export type Kind = 'curse' | 'treasure' | 'victory' | 'action';
/** The decisions of a player that plays a card. */
export type Choice = 'discard' | 'trash' | 'gain';

export interface Facts {
  readonly cost: number;
  readonly kind: Kind;
  readonly worth?: number;
  readonly points?: number;
  readonly cards?: number;
  readonly actions?: number;
  readonly buys?: number;
  readonly money?: number;
  readonly choices?: readonly Choice[];
  readonly reaction?: boolean;
}

export const FACTS = facts as unknown as Readonly<Record<string, Facts | undefined>>;

export const costOf = (card: string): number => FACTS[card]?.cost ?? 0;
export const worthOf = (card: string): number => FACTS[card]?.worth ?? 0;
export const kindOf = (card: string): Kind => FACTS[card]?.kind ?? 'action';
export const choicesOf = (card: string): readonly Choice[] => FACTS[card]?.choices ?? [];
export const isTreasure = (card: string): boolean => kindOf(card) === 'treasure';

/** The type that decides the colours of a card's picture. */
export function lookOf(card: string): string {
  if (kindOf(card) === 'treasure') return card;
  if (card === 'militia') return 'attack';
  return FACTS[card]?.reaction === true ? 'reaction' : kindOf(card);
}

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
  kingdom.sort((a, b) => costOf(a.card) - costOf(b.card) || a.card.localeCompare(b.card));
  return { base, kingdom };
}

const ORDER: readonly Kind[] = ['action', 'treasure', 'victory', 'curse'];

/** Sort cards as people hold them: actions, treasures, victory cards; of each, the dear ones first. */
export function compare(a: string, b: string): number {
  return ORDER.indexOf(kindOf(a)) - ORDER.indexOf(kindOf(b)) || costOf(b) - costOf(a) || a.localeCompare(b);
}

/** The places of a hand in the order in which it is held. */
export function heldOrder(hand: readonly string[]): number[] {
  return [...hand.keys()].sort((a, b) => compare(hand[a]!, hand[b]!) || a - b);
}

/** Equal cards together, in the order in which the first of each comes. */
export function counted(cards: readonly string[]): Pile[] {
  const counts = new Map<string, number>();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts].map(([card, count]) => ({ card, count }));
}

/** Equal cards that follow each other. */
export function runsOf(cards: readonly string[]): Pile[] {
  const runs: { card: string; count: number }[] = [];
  for (const card of cards) {
    const last = runs.at(-1);
    if (last?.card === card) last.count += 1;
    else runs.push({ card, count: 1 });
  }
  return runs;
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
