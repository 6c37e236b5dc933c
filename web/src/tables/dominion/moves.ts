/** The effects of clicks and keys. Moves that cannot succeed are not sent: the draft says why. */
import { choicesOf, isTreasure } from './cards';
import { toggled } from './draft.svelte';
import {
  buyOf,
  canGive,
  gainsOf,
  missingOf,
  obstacleOfTray,
  obstacleToBuy,
  obstacleToPlay,
  type Pending,
  playOf,
} from './turn';
import type { Action, Options, Table } from './types';

/** The open decision of the viewer. */
export type Stage = 'wait' | 'turn' | 'choice' | 'attack' | 'clean';

export function stageOf({ moment, turn, draft }: Table): Stage {
  const { view } = moment;
  const open = turn?.ask ?? null;
  if (turn === null || open === null || turn.isSending || view.seat === null) return 'wait';
  if (draft.sent !== null && draft.sent.view === view) {
    // The view is older than the answer. Only after a lost connection is the same question asked again.
    if (open === draft.sent.ask || open.id !== draft.sent.ask.id) return 'wait';
  }
  const { ask } = open;
  if (ask.type === 'AnswerAttack') return view.attacked === view.seat ? 'attack' : 'wait';
  const isSame = view.actions === ask.actions && view.buys === ask.buys && view.money === ask.money;
  if (view.turn !== view.seat || view.attacked !== null || !isSame) return 'wait';
  if (view.buys === 0) return 'clean';
  return draft.pending === null ? 'turn' : 'choice';
}

/** How many cards the attack wants. */
export function wantedBy({ turn }: Table): number {
  const ask = turn?.ask?.ask;
  return ask?.type === 'AnswerAttack' ? ask.discard : 0;
}

/** The cards that may be put on top of the discard pile. */
export function topsOf({ moment }: Table): string[] {
  const { view, options } = moment;
  const fromPlay = (options as Partial<Options> | undefined)?.top_discard_from === 'hand_or_played';
  return [...new Set(fromPlay ? [...view.hand, ...view.played] : view.hand)];
}

/** Click a card of the hand. */
export function pressHand(table: Table, place: number): void {
  const { moment, draft } = table;
  const card = moment.view.hand[place];
  if (card === undefined) return;
  const stage = stageOf(table);
  if (stage === 'turn') pressInTurn(table, card, place);
  else if (stage === 'choice' && draft.pending !== null) giveCard(table, draft.pending, place);
  else if (stage === 'attack') giveToAttack(table, place);
  else if (stage === 'clean') chooseTop(table, card);
}

function pressInTurn(table: Table, card: string, place: number): void {
  const { moment, draft } = table;
  if (isTreasure(card)) {
    draft.problem = null;
    draft.kept = toggled(draft.kept, place);
    return;
  }
  const obstacle = obstacleToPlay(moment.view, place);
  if (obstacle !== null) draft.refuse(obstacle, card);
  else if (choicesOf(card).length > 0) draft.begin(card, place);
  else send(table, { type: 'Play', card });
}

function giveCard({ moment, draft }: Table, pending: Pending, place: number): void {
  const { view } = moment;
  if (place === pending.place) draft.pending = null;
  else if (choicesOf(pending.card).includes('discard')) draft.choose({ discard: toggled(pending.discard, place) });
  else if (!choicesOf(pending.card).includes('trash')) draft.refuse('choose_pile', pending.card);
  else if (!canGive(view, pending, place)) draft.refuse('not_a_treasure', view.hand[place] ?? null);
  else {
    const trash = place === pending.trash ? null : place;
    const gains = gainsOf(view, { ...pending, trash });
    draft.choose({ trash, gain: gains.includes(pending.gain ?? '') ? pending.gain : null });
  }
}

function giveToAttack(table: Table, place: number): void {
  const { draft } = table;
  const discard = toggled(draft.discard, place);
  if (discard.length > wantedBy(table)) return draft.refuse('enough');
  draft.problem = null;
  draft.discard = discard;
}

/** Choose the card on top of the discard pile; the same card again: none. */
export function chooseTop(table: Table, card: string): void {
  if (stageOf(table) !== 'clean' || !topsOf(table).includes(card)) return;
  table.draft.top = table.draft.top === card ? null : card;
}

/** Click a pile of the supply: put a card into the tray, or choose the card to gain. */
export function pressPile(table: Table, card: string): void {
  const { moment, draft } = table;
  const { view } = moment;
  const stage = stageOf(table);
  if (stage === 'turn') {
    const obstacle = obstacleToBuy(view, draft.tray, draft.kept, card);
    if (obstacle !== null) return draft.refuse(obstacle, card);
    draft.problem = null;
    draft.tray = [...draft.tray, card];
  } else if (stage === 'choice' && draft.pending !== null) {
    const { pending } = draft;
    if (!choicesOf(pending.card).includes('gain')) draft.refuse('choose_hand', pending.card);
    else if (missingOf(view, pending) === 'trash') draft.refuse('trash_first', pending.card);
    else if (!gainsOf(view, pending).includes(card)) draft.refuse('not_to_gain', card);
    else draft.choose({ gain: pending.gain === card ? null : card });
  }
}

/** Whether a pile is lit: a click on it does something. */
export function isPileLit(table: Table, card: string): boolean {
  const { moment, draft } = table;
  const stage = stageOf(table);
  if (stage === 'turn') return obstacleToBuy(moment.view, draft.tray, draft.kept, card) === null;
  return stage === 'choice' && draft.pending !== null && gainsOf(moment.view, draft.pending).includes(card);
}

/** Whether a card of the hand is lit. */
export function isHandLit(table: Table, place: number): boolean {
  const { moment, draft } = table;
  const stage = stageOf(table);
  if (stage === 'turn') return obstacleToPlay(moment.view, place) === null;
  if (stage === 'choice' && draft.pending !== null) {
    const choices = choicesOf(draft.pending.card);
    return (choices.includes('discard') || choices.includes('trash')) && canGive(moment.view, draft.pending, place);
  }
  return stage === 'attack' || stage === 'clean';
}

/** The main button: play the pending card, buy and end the turn, discard, or end the turn. */
export function confirm(table: Table): void {
  const { moment, draft } = table;
  const stage = stageOf(table);
  if (stage === 'turn' && draft.tray.length > 0) buy(table, true);
  else if (stage === 'turn') send(table, { type: 'CleanUp' });
  else if (stage === 'clean') endTurn(table);
  else if (stage === 'choice' && draft.pending !== null) {
    const missing = missingOf(moment.view, draft.pending);
    if (missing !== null) draft.refuse(`choose_${missing}`, draft.pending.card);
    else send(table, playOf(moment.view, draft.pending));
  } else if (stage === 'attack') {
    if (draft.discard.length < wantedBy(table)) return draft.refuse('discard_more');
    send(table, { type: 'Discard', cards: draft.discard.map((place) => moment.view.hand[place]!) });
  }
}

/** Buy what is in the tray. */
export function buy(table: Table, endsTurn: boolean): void {
  const { moment, draft } = table;
  if (stageOf(table) !== 'turn') return;
  const obstacle = obstacleOfTray(moment.view, draft.tray, draft.kept);
  if (obstacle !== null) return draft.refuse(`tray_${obstacle}`);
  draft.endsTurn = endsTurn;
  send(table, buyOf(moment.view, draft.tray, draft.kept));
}

export function endTurn(table: Table): void {
  const { draft } = table;
  if (stageOf(table) !== 'clean') return;
  draft.endsTurn = false;
  send(table, { type: 'CleanUp', ...(draft.top === null ? {} : { top: draft.top }) });
}

/** Reveal a Moat: the attack has no effect. */
export function reveal(table: Table): void {
  if (stageOf(table) === 'attack' && table.moment.view.hand.includes('moat')) {
    send(table, { type: 'Reveal', card: 'moat' });
  }
}

/** Undo the last thing that was chosen and not yet sent; whether there was one. */
export function takeBack({ draft }: Table): boolean {
  if (draft.pending !== null) draft.pending = null;
  else if (draft.discard.length > 0) draft.discard = draft.discard.slice(0, -1);
  else if (draft.tray.length > 0) draft.tray = draft.tray.slice(0, -1);
  else if (draft.problem === null) return false;
  draft.problem = null;
  return true;
}

function send({ moment, turn, draft }: Table, action: Action): void {
  if (turn === null || turn.ask === null) return;
  draft.problem = null;
  draft.sent = { view: moment.view, ask: turn.ask };
  turn.answer(action);
}
