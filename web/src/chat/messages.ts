/** Chat messages in their order, from the feed and from requests. */
import type { Schemas } from '../api/client';

export type ChatMessage = Pick<Schemas['ChatMessage'], 'n' | 'ms' | 'seat' | 'name' | 'text'>;

/** All messages once, by number. */
export function merged(known: readonly ChatMessage[], more: readonly ChatMessage[]): ChatMessage[] {
  const all = new Map([...known, ...more].map((message) => [message.n, message]));
  return [...all.values()].sort((a, b) => a.n - b.n);
}

/**
 * The messages after all were loaded again. Messages that the arena no longer has are gone, except those that
 * arrived after the request was sent, whose numbers are above `since`.
 */
export function refreshed(known: readonly ChatMessage[], loaded: readonly ChatMessage[], since: number): ChatMessage[] {
  return merged(
    loaded,
    known.filter((message) => message.n > since),
  );
}

export function lastNumber(messages: readonly ChatMessage[]): number {
  return messages.at(-1)?.n ?? 0;
}

/** How many messages of others came after number `seen`. */
export function unreadAfter(
  messages: readonly ChatMessage[],
  seen: number,
  own: string | null,
  isMuted: (name: string) => boolean,
): number {
  return messages.filter(({ n, name }) => n > seen && name !== own && !isMuted(name)).length;
}

/** A message, or a run of messages of a muted player in its place. */
export type ChatLine =
  | { readonly kind: 'message'; readonly message: ChatMessage }
  | { readonly kind: 'muted'; readonly n: number; readonly name: string };

export function linesOf(messages: readonly ChatMessage[], isMuted: (name: string) => boolean): ChatLine[] {
  const lines: ChatLine[] = [];
  for (const message of messages) {
    const last = lines.at(-1);
    if (!isMuted(message.name)) lines.push({ kind: 'message', message });
    else if (last?.kind !== 'muted' || last.name !== message.name)
      lines.push({ kind: 'muted', n: message.n, name: message.name });
  }
  return lines;
}
