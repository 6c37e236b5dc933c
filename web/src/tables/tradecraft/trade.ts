/** A spectator's picture of tradeCraft: two players, the items that pass between them, and a target. */
import type { Amount, Items, View } from './types';

export type Deal =
  | { readonly is: 'none' }
  /** A proposal lies on the table. `offer` and `request` are known to its two players only. */
  | { readonly is: 'open' | 'accepted'; readonly offer: Items; readonly request: Items }
  | { readonly is: 'rejected' };

export interface Scene {
  readonly left: number;
  /** The other player; null in a match of one. */
  readonly right: number | null;
  readonly others: readonly number[];
  readonly deal: Deal;
}

type Known = Pick<View, 'proposer' | 'order' | 'hands' | 'proposal' | 'history'>;

/** The proposer of this turn and the partner, or whoever proposes next if the partner is not known. */
export function sceneOf(view: Known): Scene {
  const { deal, partner } = dealOf(view);
  const left = view.proposer;
  const place = view.order.indexOf(left);
  const next = view.order[(place + 1) % view.order.length] ?? left;
  const other = partner ?? next;
  const right = other === left ? null : other;
  const others = [...view.hands.keys()].filter((seat) => seat !== left && seat !== right);
  return { left, right, others, deal };
}

/** The outcome of the proposal of this turn. */
function dealOf(view: Known): { deal: Deal; partner: number | null } {
  const { proposal } = view;
  if (proposal !== null) {
    const deal = { is: 'open' as const, offer: proposal.offer ?? {}, request: proposal.request ?? {} };
    return { deal, partner: proposal.partner ?? null };
  }
  const began = view.history.findLastIndex((event) => event.type === 'TurnBegan');
  for (const event of view.history.slice(began + 1)) {
    if (event.type === 'Accepted')
      return { deal: { is: 'accepted', offer: event.offer, request: event.request }, partner: event.partner };
    if (event.type === 'Rejected') return { deal: { is: 'rejected' }, partner: null };
  }
  return { deal: { is: 'none' }, partner: null };
}

export interface Tile {
  readonly item: string;
  readonly amount: Amount;
  /** The item has just changed hands, or is about to. */
  readonly isMarked: boolean;
}

/** The items of a hand, the marked ones first; and how many did not fit, if there are more than `most`. */
export function tilesOf(hand: Items, marked: Items, most: number): { tiles: Tile[]; more: number } {
  const all = Object.entries(hand).map(([item, amount]) => ({ item, amount, isMarked: item in marked }));
  all.sort((a, b) => Number(b.isMarked) - Number(a.isMarked));
  const fits = all.length <= most ? most : most - 1;
  return { tiles: all.slice(0, fits), more: Math.max(0, all.length - fits) };
}
