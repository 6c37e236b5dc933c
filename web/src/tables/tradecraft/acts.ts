/** The possible acts of the viewer, computed from the draft and the view. Board and dock share them. */
import { t } from './texts';
import type { Turn } from '../contract';
import { checkOf, craftOf, type Craft } from './bench';
import type { Book } from './book';
import type { TradeDraft } from './draft.svelte';
import { stockOf, ZERO } from './fraction';
import { lastCheck } from './history';
import { problemsOf, sideOf } from './proposal';
import { prospectOf, type Trade } from './trading';
import type { Action, Ask, Propose, View } from './types';
import { inWords } from './words';

export type TradeTurn = Turn<Ask, Action>;

/** The recipe on the bench; null: none was chosen. */
export function craftFor(draft: TradeDraft, view: View, book: Book | null): Craft | null {
  if (draft.recipe === null || book === null) return null;
  const hand = stockOf(view.hand);
  return craftOf(book, draft.recipe, draft.batches ?? ZERO, hand, draft.preferred, view.whole_batches);
}

/** Have the referee check what lies on the bench; the dock crafts it if the referee finds it right. */
export function sendCraft(craft: Craft | null, draft: TradeDraft, turn: TradeTurn | null): void {
  if (craft === null || !craft.isPossible || turn?.ask?.ask.type !== 'CraftItems' || turn.isSending) return;
  const check = checkOf(craft);
  draft.checking = check;
  turn.answer(check);
}

/** Why the referee refused what lies on the bench; empty if it did not, or if something else lies there now. */
export function refusedCraft(craft: Craft | null, view: View): string {
  const last = lastCheck(view);
  if (craft === null || last === null || last.code === 0) return '';
  const { input, output } = checkOf(craft);
  const isSame = JSON.stringify([last.input, last.output]) === JSON.stringify([input, output]);
  return isSame ? last.reason : '';
}

/** Lines of the proposal that cannot be sent. */
export function wrongLines(draft: TradeDraft, view: View): number {
  const partner = draft.partner === null ? {} : (view.hands[draft.partner] ?? {});
  return problemsOf(draft.offer, view.hand).size + problemsOf(draft.request, partner).size;
}

/** The proposal as it is sent. */
export function proposalOf(draft: TradeDraft, partner: number): Propose {
  const { message } = draft;
  const sides = { offer: sideOf(draft.offer), request: sideOf(draft.request) };
  return { type: 'Propose', partner, ...sides, message: message.trim() };
}

/** The effect of a trade on the way to the target, in a sentence; empty if it is not known. */
export function effectWords(book: Book | null, view: View, seat: number | null, trade: Trade | null): string {
  if (book === null || seat === null || trade === null) return '';
  const words = t.tradecraft.decision;
  const [now, then] = [prospectOf(book, view, seat, null), prospectOf(book, view, seat, trade)];
  if (now === null || then === null) return '';
  if (then.is === 'held') return words.afterHeld;
  const missing = inWords(then.items);
  if (now.is === 'held') return words.after(missing);
  const before = inWords(now.items);
  if (before === missing) return `${words.now(before)} ${words.same}`;
  return `${words.now(before)} ${then.items.size === 0 ? words.afterNothing : words.after(missing)}`;
}
