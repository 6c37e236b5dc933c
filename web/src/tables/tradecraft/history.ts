/** The facts about the turn that the own seat knows from events. */
import type { Applied, Checked, View } from './types';

type Happening = View['history'][number];

/** The events of the current turn. */
export function thisTurn(view: Pick<View, 'history'>): readonly Happening[] {
  const began = view.history.findLastIndex((event) => event.type === 'TurnBegan');
  return view.history.slice(began + 1);
}

/** The items that the seat has crafted in this turn. */
export function madeNow(view: Pick<View, 'history' | 'seat'>): readonly Applied[] {
  return thisTurn(view).filter((event) => event.type === 'Applied' && event.seat === view.seat) as Applied[];
}

/** The verdict on the last recipe that the seat had checked in this turn, unless it has been crafted. */
export function lastCheck(view: Pick<View, 'history' | 'seat'>): Checked | null {
  const own = thisTurn(view).filter((event) => 'seat' in event && event.seat === view.seat);
  const last = own.findLast((event) => event.type === 'Checked' || event.type === 'Applied');
  return last?.type === 'Checked' ? last : null;
}

/** A message between the viewer and another seat. */
export interface Letter {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly turn: number;
}

/** All messages that the seat has sent or got, oldest first. */
export function lettersOf(view: Pick<View, 'history' | 'turn'>): Letter[] {
  const letters: Letter[] = [];
  const first = view.history.find((event) => event.type === 'TurnBegan');
  let turn = first === undefined ? view.turn : first.turn - 1; // the oldest events may be forgotten
  for (const event of view.history) {
    if (event.type === 'TurnBegan') turn = event.turn;
    if (event.type === 'Proposed' && event.message && typeof event.partner === 'number')
      letters.push({ from: event.proposer, to: event.partner, text: event.message, turn });
    if (event.type === 'Answered' && event.message)
      letters.push({ from: event.partner, to: event.proposer, text: event.message, turn });
  }
  return letters;
}

export type Outcome = 'none' | 'open' | 'accepted' | 'rejected';

/** The outcome of the proposal of this turn. */
export function outcomeOf(view: Pick<View, 'history' | 'proposal'>): Outcome {
  if (view.proposal !== null) return 'open';
  const found = thisTurn(view).find((event) => event.type === 'Accepted' || event.type === 'Rejected');
  return found === undefined ? 'none' : found.type === 'Accepted' ? 'accepted' : 'rejected';
}

/** The turn in which a seat proposes next; null: not any more. */
export function nextProposal(
  view: Pick<View, 'order' | 'turn' | 'max_turn' | 'phase' | 'proposer'>,
  seat: number,
): number | null {
  const { order, turn, phase } = view;
  const place = order.indexOf(seat);
  const now = order.indexOf(view.proposer);
  if (place < 0 || phase === 'over') return null;
  let ahead = (place - now + order.length) % order.length;
  if (ahead === 0 && phase !== 'propose') ahead = order.length;
  return turn + ahead <= view.max_turn ? turn + ahead : null;
}
