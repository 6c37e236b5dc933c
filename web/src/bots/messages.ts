/** The messages between the arena and a bot, made readable for its author. All of it is text that others may have written. */

export const KINDS = ['ask', 'answer', 'fault', 'stderr', 'note', 'other'] as const;
export type Kind = (typeof KINDS)[number];

/** A message as the arena tells it. */
export interface LoggedMessage {
  readonly n: number;
  readonly ms: number;
  readonly from: 'server' | 'client';
  readonly text: string;
  readonly size: number;
  readonly cut: boolean;
}

/** A line of the list: a message, or something that the bot wrote beside its messages. */
export interface Entry {
  readonly key: string;
  /** The number of the message. */
  readonly n: number;
  readonly ms: number;
  readonly from: 'server' | 'client';
  readonly kind: Kind;
  /** The number of the ask that it belongs to, if it is known. */
  readonly ask: number | null;
  readonly text: string;
  readonly size: number;
  readonly cut: boolean;
  /** One line. */
  readonly summary: string;
}

/** How much of a message is shown in one line. */
const MOST_SUMMARY = 160;
/** A value that is no longer than this is written in one line. */
const WIDTH = 96;

const OF_SERVER: Record<string, Kind> = { ask: 'ask', fault: 'fault', again: 'ask' };
const OF_CLIENT: Record<string, Kind> = { answer: 'answer', again: 'answer', stderr: 'stderr' };

interface Said {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly words?: unknown;
  readonly text?: unknown;
  readonly note?: unknown;
  readonly action?: unknown;
  readonly ask?: { readonly type?: unknown };
  readonly event?: { readonly type?: unknown };
  readonly view?: unknown;
}

/** The lines for a message: an answer with a note has two. */
export function entriesOf(message: LoggedMessage): readonly Entry[] {
  const said = read(message);
  const type = typeof said?.type === 'string' ? said.type : '';
  const kinds = message.from === 'server' ? OF_SERVER : OF_CLIENT;
  const kind = Object.hasOwn(kinds, type) ? kinds[type]! : 'other';
  const ask = typeof said?.id === 'number' ? said.id : null;
  const { n, ms, from, text, size, cut } = message;
  const key = `m${n}`;
  if (kind === 'stderr' && typeof said?.text === 'string') return [besides(key, 'stderr', message, said.text, null)];
  const entry = { key, n, ms, from, kind, ask, text, size, cut, summary: summaryOf(said, type, ask, text) };
  const hasNote = kind === 'answer' && typeof said?.note === 'string' && said.note !== '';
  return hasNote ? [entry, besides(`${key}n`, 'note', message, said.note as string, ask)] : [entry];
}

/** Something that the bot said beside its moves. */
function besides(key: string, kind: Kind, { n, ms, from }: LoggedMessage, text: string, ask: number | null): Entry {
  const size = new TextEncoder().encode(text).length;
  return { key, n, ms, from, kind, ask, text, size, cut: false, summary: firstLine(text) };
}

/** The message as JSON, if all of it is kept. Of a longer one, its type and number. */
function read({ text, cut }: LoggedMessage): Said | null {
  const whole = cut ? null : parsed(text);
  if (whole !== null) return whole;
  const begins = /^\{"type":"(\w{1,20})"(?:,"id":(\d{1,9})[,}])?/.exec(text);
  return begins === null ? null : { type: begins[1], ...(begins[2] ? { id: Number(begins[2]) } : {}) };
}

function parsed(text: string): Said | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function summaryOf(said: Said | null, type: string, ask: number | null, text: string): string {
  if (said === null || type === '') return firstLine(text);
  const head = ask === null ? type : `${type} ${ask}`;
  const rest =
    typeof said.words === 'string'
      ? said.words
      : said.action !== undefined
        ? JSON.stringify(said.action)
        : (nameOf(said.ask) ?? nameOf(said.event));
  return firstLine(rest === null ? head : `${head}: ${rest}`);
}

function nameOf(value: { readonly type?: unknown } | undefined): string | null {
  return typeof value?.type === 'string' ? value.type : null;
}

function firstLine(text: string): string {
  const line = visible(text.slice(0, 4 * MOST_SUMMARY).trimEnd()).replace(/\s*\n\s*/g, ' ⏎ ');
  const letters = [...line];
  return letters.length <= MOST_SUMMARY ? line : `${letters.slice(0, MOST_SUMMARY).join('')} …`;
}

/** Characters that cannot be seen, or change the direction of the text after them. */
// eslint-disable-next-line no-control-regex
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The text with control characters that can be seen. Newlines and tabs stay. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (letter) => {
    const code = letter.charCodeAt(0);
    if (code < 32) return String.fromCharCode(0x2400 + code);
    return code === 127 ? '␡' : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** JSON for people: short values in one line, long ones in several. Other text as it is. Control characters can be seen. */
export function pretty(text: string): string {
  try {
    return visible(written(JSON.parse(text), ''));
  } catch {
    return visible(text);
  }
}

function written(value: unknown, indent: string): string {
  const line = JSON.stringify(value);
  if (line.length + indent.length <= WIDTH || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  if (!Array.isArray(value)) {
    const parts = Object.entries(value).map(
      ([name, each]) => `${inner}${JSON.stringify(name)}: ${written(each, inner)}`,
    );
    return `{\n${parts.join(',\n')}\n${indent}}`;
  }
  if (value.every((each) => typeof each !== 'object' || each === null)) {
    return `[\n${wrapped(value, inner)}\n${indent}]`;
  }
  return `[\n${value.map((each) => inner + written(each, inner)).join(',\n')}\n${indent}]`;
}

/** Numbers and words beside each other, as many as fit. */
function wrapped(values: readonly unknown[], indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const each of values) {
    const next = JSON.stringify(each);
    if (line !== '' && indent.length + line.length + next.length + 2 > WIDTH) {
      lines.push(`${indent}${line},`);
      line = next;
    } else line = line === '' ? next : `${line}, ${next}`;
  }
  return [...lines, `${indent}${line}`].join('\n');
}

/** Entries of these kinds that contain the words, whatever their case. */
export function found(entries: readonly Entry[], kinds: ReadonlySet<Kind>, words: string): readonly Entry[] {
  const wanted = words.trim().toLowerCase();
  return entries.filter(
    (entry) =>
      kinds.has(entry.kind) &&
      (wanted === '' || entry.text.toLowerCase().includes(wanted) || entry.summary.toLowerCase().includes(wanted)),
  );
}

/** How many there are of each kind. */
export function countsOf(entries: readonly Entry[]): Record<Kind, number> {
  const counts = { ask: 0, answer: 0, fault: 0, stderr: 0, note: 0, other: 0 };
  for (const { kind } of entries) counts[kind] += 1;
  return counts;
}

/** A fault, with what the bot was shown when it made it. */
export interface LiveFault {
  readonly entry: Entry;
  readonly words: string;
  readonly code: string;
  /** The action that was played instead, as JSON; null: none. */
  readonly cost: string | null;
  /** The view of the ask that was open; undefined if it is not kept. */
  readonly view: unknown;
}

/** The faults among the messages. The position of a fault is the one of the last ask before it. */
export function faultsOf(entries: readonly Entry[]): readonly LiveFault[] {
  const faults: LiveFault[] = [];
  let ask: Entry | null = null;
  for (const entry of entries) {
    if (entry.kind === 'ask' && entry.summary.startsWith('ask')) ask = entry;
    if (entry.kind === 'fault') faults.push(faultOf(entry, ask));
  }
  return faults;
}

function faultOf(entry: Entry, ask: Entry | null): LiveFault {
  const said = parsed(entry.text) as { words?: unknown; code?: unknown; cost?: unknown } | null;
  const asked = ask !== null && (entry.ask === 0 || ask.ask === entry.ask) ? parsed(ask.text) : null;
  return {
    entry,
    words: typeof said?.words === 'string' ? visible(said.words) : entry.summary,
    code: typeof said?.code === 'string' ? visible(said.code) : '',
    cost: said?.cost == null ? null : visible(JSON.stringify(said.cost)),
    view: asked?.view,
  };
}

/** Two pieces of a text of which the second may begin with the end of the first. */
export function joined(first: string, second: string): string {
  for (let size = Math.min(first.length, second.length); size > 0; size--) {
    if (first.endsWith(second.slice(0, size))) return first + second.slice(size);
  }
  return first + second;
}
