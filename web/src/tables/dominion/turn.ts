/** The legal moves of a turn, computed from the view, so that only these are lit. */
import { choicesOf, costOf, FACTS, isTreasure, kindOf, worthOf } from './cards';
import type { Buy, Play, View } from './types';

/** An action card that asks for choices before it is played. Places are those of the hand in the view. */
export interface Pending {
  readonly card: string;
  readonly place: number;
  /** The places of the cards to discard, in order. */
  readonly discard: readonly number[];
  readonly trash: number | null;
  readonly gain: string | null;
}

export interface Counters {
  readonly actions: number;
  readonly buys: number;
  readonly money: number;
}

/** Why a card of the hand cannot be played. */
export type PlayObstacle = 'no_actions' | 'not_an_action' | 'no_treasure' | 'nothing_to_trash' | 'nothing_to_gain';
/** Why a card cannot be bought. */
export type BuyObstacle = 'no_buys' | 'empty' | 'dear';

/** How much more than the trashed card the gained one may cost; Workshop trashes none and has a limit instead. */
const MORE: Readonly<Record<string, number>> = { mine: 3, remodel: 2 };
const WORKSHOP_LIMIT = 4;

/** The money that can be spent: the money of actions and the treasures of the hand, except those that are held back. */
export function purseOf(view: View, kept: readonly number[]): number {
  const treasures = view.buys > 0 ? view.hand.filter((_, place) => !kept.includes(place)) : [];
  return treasures.reduce((sum, card) => sum + worthOf(card), view.money);
}

export interface Bill {
  readonly money: number;
  readonly spent: number;
  readonly left: number;
  readonly buysLeft: number;
}

/** The cost of the cards in the tray, and the money that is left. */
export function billOf(view: View, tray: readonly string[], kept: readonly number[]): Bill {
  const money = purseOf(view, kept);
  const spent = tray.reduce((sum, card) => sum + costOf(card), 0);
  return { money, spent, left: money - spent, buysLeft: view.buys - tray.length };
}

/** Why one more card cannot be put into the tray; null: it can. */
export function obstacleToBuy(
  view: View,
  tray: readonly string[],
  kept: readonly number[],
  card: string,
): BuyObstacle | null {
  const { left, buysLeft } = billOf(view, tray, kept);
  const taken = tray.filter((each) => each === card).length;
  if ((view.supply[card] ?? 0) <= taken) return 'empty';
  if (buysLeft < 1) return 'no_buys';
  return costOf(card) > left ? 'dear' : null;
}

/** Why the tray cannot be bought as it is, such as after a treasure was held back; null: it can. */
export function obstacleOfTray(view: View, tray: readonly string[], kept: readonly number[]): BuyObstacle | null {
  const { left, buysLeft } = billOf(view, tray, kept);
  if (buysLeft < 0) return 'no_buys';
  if (tray.some((card) => (view.supply[card] ?? 0) < tray.filter((each) => each === card).length)) return 'empty';
  return left < 0 ? 'dear' : null;
}

/** The buy of the tray. Treasures are named only if some are held back. */
export function buyOf(view: View, tray: readonly string[], kept: readonly number[]): Buy {
  const named = view.hand.filter((card, place) => isTreasure(card) && !kept.includes(place));
  const all = view.hand.filter(isTreasure).length;
  return { type: 'Buy', cards: [...tray], ...(named.length < all ? { treasures: named } : {}) };
}

/** Why the card at a place of the hand cannot be played; null: it can. */
export function obstacleToPlay(view: View, place: number): PlayObstacle | null {
  const card = view.hand[place];
  if (card === undefined || kindOf(card) !== 'action') return 'not_an_action';
  if (view.actions < 1) return 'no_actions';
  const rest = view.hand.filter((_, each) => each !== place);
  if (card === 'mine' && !rest.some(isTreasure)) return 'no_treasure';
  if (card === 'remodel' && rest.length === 0) return 'nothing_to_trash';
  if (card === 'workshop' && gainsFor(view, card, null).length === 0) return 'nothing_to_gain';
  return null;
}

/** Whether the pending card may trash or discard the card at a place. */
export function canGive(view: View, pending: Pending, place: number): boolean {
  const card = view.hand[place];
  if (card === undefined || place === pending.place) return false;
  return pending.card === 'mine' ? isTreasure(card) : true;
}

/** The cards of the supply that may be gained with a card, for the card that is trashed. */
export function gainsFor(view: View, card: string, trashed: string | null): string[] {
  const needsTrash = choicesOf(card).includes('trash');
  if (!choicesOf(card).includes('gain') || (needsTrash && trashed === null)) return [];
  const most = trashed === null ? WORKSHOP_LIMIT : costOf(trashed) + (MORE[card] ?? 0);
  return Object.entries(view.supply)
    .filter(([each, count]) => count > 0 && FACTS[each] !== undefined && costOf(each) <= most)
    .map(([each]) => each)
    .filter((each) => card !== 'mine' || isTreasure(each));
}

/** The cards that the pending card may gain now. */
export function gainsOf(view: View, pending: Pending): string[] {
  return gainsFor(view, pending.card, trashedBy(view, pending));
}

export function trashedBy(view: View, pending: Pending): string | null {
  return pending.trash === null ? null : (view.hand[pending.trash] ?? null);
}

/** The choice that is needed before the pending card can be played; null: none. */
export function missingOf(view: View, pending: Pending): 'trash' | 'gain' | null {
  const choices = choicesOf(pending.card);
  if (choices.includes('trash') && pending.trash === null) return 'trash';
  const gains = gainsOf(view, pending);
  return choices.includes('gain') && gains.length > 0 && !gains.includes(pending.gain ?? '') ? 'gain' : null;
}

/** The pending card as an action. */
export function playOf(view: View, pending: Pending): Play {
  const { card, discard, gain } = pending;
  const trash = trashedBy(view, pending);
  return {
    type: 'Play',
    card,
    ...(discard.length > 0 ? { discard: discard.map((place) => view.hand[place]!) } : {}),
    ...(trash !== null ? { trash } : {}),
    ...(gain !== null && gainsOf(view, pending).includes(gain) ? { gain } : {}),
  };
}

/** The counters after the pending card, as far as they are known: cards that will be drawn are not. */
export function countersAfter(view: View, pending: Pending): Counters {
  const { actions = 0, buys = 0, money = 0 } = FACTS[pending.card] ?? {};
  const given = new Set([...pending.discard, ...(pending.trash === null ? [] : [pending.trash])]);
  const gained = pending.card === 'mine' && pending.gain !== null ? worthOf(pending.gain) : 0;
  const left = view.hand.filter((_, place) => !given.has(place)).reduce((sum, card) => sum + worthOf(card), 0);
  return { actions: view.actions - 1 + actions, buys: view.buys + buys, money: view.money + money + left + gained };
}

/** How the match may end: the provinces that are left, and the piles that are empty. */
export function endOf(view: View): { provinces: number; most: number; empty: number } {
  const provinces = view.supply.province ?? 0;
  const empty = Object.values(view.supply).filter((count) => count === 0).length;
  return { provinces, most: Math.max(provinces, view.areas.length === 2 ? 8 : 12), empty };
}

/** A line of the list of own cards. */
export interface Owned {
  readonly card: string;
  readonly count: number;
  readonly inHand: number;
  readonly inPlay: number;
}

/** All own cards and where they are known to be; the others are in the deck or the discard pile. */
export function ownedOf(view: View): Owned[] {
  const inPlay = view.turn === view.seat ? view.played : [];
  return Object.entries(view.owned).map(([card, count]) => ({
    card,
    count,
    inHand: view.hand.filter((each) => each === card).length,
    inPlay: inPlay.filter((each) => each === card).length,
  }));
}

/** The points of all own cards. */
export function pointsOf(view: View): number {
  return Object.entries(view.owned).reduce((sum, [card, count]) => sum + count * (FACTS[card]?.points ?? 0), 0);
}
