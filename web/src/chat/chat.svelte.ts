/** The chat of the table at which the viewer has a seat. */
import { api, ApiError, got } from '../api/client';
import { identity } from '../identity.svelte';
import { t } from '../texts';
import { type ChatMessage, lastNumber, merged, refreshed, unreadAfter } from './messages';
import { MutedNames } from './muted.svelte';

export class Chat {
  messages: readonly ChatMessage[] = $state.raw([]);
  /** Why the viewer cannot write now; null: the viewer can. */
  closed: string | null = $state(null);
  /** Whether the panel shows the messages. */
  isOpen = $state(!window.matchMedia('(max-width: 760px)').matches);
  /** The unsent text of the viewer. */
  draft = $state('');
  readonly muted = new MutedNames();
  /** The number of the last message that the viewer has had a chance to read; null: nothing was loaded yet. */
  #seen: number | null = $state(null);
  /** All messages up to this number are here. Those that the viewer wrote may be newer than some that are not. */
  #complete = 0;

  constructor(readonly match: string) {}

  /** How many messages came while the panel was closed. */
  get unread(): number {
    if (this.isOpen || this.#seen === null) return 0;
    return unreadAfter(this.messages, this.#seen, identity.name, (name) => this.muted.has(name));
  }

  toggle(): void {
    this.#seen = lastNumber(this.messages);
    this.isOpen = !this.isOpen;
  }

  /** A message from the feed. */
  take(message: ChatMessage): void {
    this.#add([message]);
  }

  /** Load all messages: the connection is new, and some may have been missed. */
  async load(): Promise<void> {
    const since = lastNumber(this.messages);
    const found = await this.#read(0);
    if (found === null) return;
    this.messages = refreshed(this.messages, found, since);
    this.#complete = Math.max(this.#complete, lastNumber(found));
    this.#seen ??= lastNumber(this.messages);
  }

  /** Load what is new: after the end of a match there is no feed. */
  async loadNew(): Promise<void> {
    const found = await this.#read(this.#complete);
    if (found !== null && found.length > 0) this.#add(found);
  }

  async say(text: string): Promise<void> {
    try {
      const params = { path: { match: this.match } };
      const own = await got(api.POST('/api/matches/{match}/chat', { params, body: { text } }));
      this.messages = merged(this.messages, [own]);
    } catch (e) {
      if (!(e instanceof ApiError)) throw e;
      if (['chat_closed', 'chat_full', 'left', 'no_chat', 'not_yours'].includes(e.code)) this.closed = e.message;
      throw e.code === 'too_many_tries' ? new Error(t.chat.tooFast) : e;
    }
  }

  async report(n: number, why: string): Promise<void> {
    const params = { path: { match: this.match, n } };
    await got(api.POST('/api/matches/{match}/chat/{n}/report', { params, body: { why } }));
  }

  #add(found: readonly ChatMessage[]): void {
    this.messages = merged(this.messages, found);
    this.#complete = Math.max(this.#complete, lastNumber(found));
  }

  /** The messages after a number, or null if they cannot be had now; the next time may be better. */
  async #read(after: number): Promise<readonly ChatMessage[] | null> {
    try {
      const params = { path: { match: this.match }, query: { after } };
      const found = await got(api.GET('/api/matches/{match}/chat', { params }));
      this.closed = found.closed ?? null;
      return found.messages;
    } catch {
      return null;
    }
  }
}
