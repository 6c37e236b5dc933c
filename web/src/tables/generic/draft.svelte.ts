/** The unsent values of the viewer. They outlive a refusal and the moments in which nothing is asked. */
import type { OpenAsk } from '../contract';
import { type FormState, newState, stateOf } from './forms';
import type { GameSchema, Tagged } from './schema';
import type { Word } from './sources';

export class GenericDraft {
  /** The forms by the tag of their action or question. */
  forms: Record<string, FormState> = $state({});
  /** The tag of the form that is shown, by kind of ask. */
  tabs: Record<string, string> = $state({});
  /** Why a form cannot be sent, by tag; set by an attempt to send it. */
  tried: Record<string, boolean> = $state({});
  /** By input, the source that its words were picked from last. */
  sources: Record<string, string> = $state({});
  /** Words of the last reply to a question. */
  replyWords: readonly Word[] = $state.raw([]);
  filter = $state('');
  /** The button that sent the last answer: the tag of its form, or the place of its choice. */
  sentBy: string | number | null = $state(null);
  /** The last answer that was taken, by tag. */
  lastTaken: Record<string, unknown> = $state.raw({});
  /** The ask that was shown last; it stays while the table catches up with the present. */
  shown: OpenAsk | null = $state.raw(null);

  #sent: { readonly ask: number; readonly tag: string; readonly action: unknown } | null = null;

  /** The form of an action; made when it is first needed. */
  prepare(game: GameSchema, kind: Tagged): void {
    this.forms[kind.tag] ??= newState(game, kind.schema);
  }

  /** Fill a form with a value, such as the last answer. */
  fill(game: GameSchema, kind: Tagged, value: unknown): void {
    this.forms[kind.tag] = stateOf(game, kind.schema, value);
    this.tried[kind.tag] = false;
  }

  clear(game: GameSchema, kind: Tagged): void {
    this.forms[kind.tag] = newState(game, kind.schema);
    this.tried[kind.tag] = false;
  }

  /** Remember what is being sent, so that it can be kept or forgotten later. */
  sending(ask: number, by: string | number, tag: string, action: unknown): void {
    this.sentBy = by;
    this.#sent = { ask, tag, action };
  }

  /** Another ask without a refusal shows that the answer was taken: its form is emptied. */
  settle(ask: OpenAsk | null, isRefused: boolean): void {
    const sent = this.#sent;
    if (sent === null || ask === null || ask.id === sent.ask || isRefused) return;
    this.lastTaken = { ...this.lastTaken, [sent.tag]: sent.action };
    delete this.forms[sent.tag];
    this.tried[sent.tag] = false;
    this.filter = '';
    this.sentBy = null;
    this.#sent = null;
  }
}
