/** Reads transcripts as far as a check of hashes needs. The rules of the games are known to the arena alone. */
import { fromHex, indexOfBytes, linesOf, toHex } from './bytes';
import type { Crypto } from './crypto';

export interface Sitting {
  readonly name: string;
  readonly salt: string;
}

export interface Header {
  readonly kind: 'header';
  readonly match: string;
  readonly game: string;
  readonly version: number;
  readonly commit: string;
  readonly players: readonly Sitting[];
}

export interface Fault {
  readonly kind: string;
  readonly code: string;
}

/** One input, the end, or the seed. Fields of the other kinds are missing. */
export interface Link {
  readonly kind: 'input' | 'end' | 'reveal';
  readonly prev: string;
  readonly n: number;
  readonly by?: number;
  readonly do?: unknown;
  readonly said?: unknown;
  readonly fault?: Fault;
  readonly end?: unknown;
  readonly seed?: string;
}

/** A record with its line, counted from 1. */
export type NumberedLink = Link & { readonly line: number };

/** A line that is wrong by itself; `line` counts from 1. */
export interface BadLine {
  readonly line: number;
  readonly why: 'empty' | 'cut' | 'json' | 'header' | 'record' | 'link' | 'number' | 'order';
}

/** A transcript, and the first thing that is wrong with its chain. */
export interface Transcript {
  readonly header: Header | null;
  /** The records after the header. */
  readonly links: readonly NumberedLink[];
  /** The hash of each line that could be read, in hexadecimal. */
  readonly hashes: readonly string[];
  readonly lines: readonly Uint8Array[];
  readonly bad: BadLine | null;
}

const FOLLOWS: Record<string, readonly string[]> = {
  header: ['input', 'end'],
  input: ['input', 'end'],
  end: ['reveal'],
  reveal: [],
};

/** Read a transcript and check its chain: each line has the hash of the line before, and its own number. Records after
 * a broken link are still read, so that the other checks can tell what they find. */
export async function readTranscript(data: Uint8Array, crypto: Crypto): Promise<Transcript> {
  const { lines, rest } = linesOf(data);
  const hashes: string[] = [];
  const links: NumberedLink[] = [];
  let header: Header | null = null;
  let bad: BadLine | null = null;
  let last = 'header';
  const note = (line: number, why: BadLine['why']) => (bad ??= { line, why });
  if (lines.length === 0) note(1, rest.length === 0 ? 'empty' : 'cut');
  for (const [i, raw] of lines.entries()) {
    const record = parsed(raw);
    hashes.push(toHex(await crypto.sha256(raw)));
    if (i === 0) {
      header = isHeader(record) ? record : null;
      if (header === null) note(1, record === undefined ? 'json' : 'header');
      continue;
    }
    if (!isLink(record)) {
      note(i + 1, record === undefined ? 'json' : 'record');
      continue;
    }
    links.push({ ...record, line: i + 1 });
    if (record.prev !== hashes[i - 1]) note(i + 1, 'link');
    if (record.n !== i) note(i + 1, 'number');
    if (!FOLLOWS[last]?.includes(record.kind)) note(i + 1, 'order');
    last = record.kind;
  }
  if (rest.length > 0) note(lines.length + 1, 'cut');
  return { header, links, hashes, lines, bad };
}

/** The end of a match: its line, counted from 1, the hash of this line, and the result as it is written there. */
export interface Ending {
  readonly line: number;
  readonly head: string;
  readonly result: Uint8Array;
}

const RESULT = new TextEncoder().encode(',"end":');

export function endingOf(transcript: Transcript): Ending | null {
  const found = transcript.links.findLast((link) => link.kind === 'end');
  const raw = found === undefined ? undefined : transcript.lines[found.line - 1];
  const head = found === undefined ? undefined : transcript.hashes[found.line - 1];
  if (found === undefined || raw === undefined || head === undefined) return null;
  const start = indexOfBytes(raw, RESULT);
  if (start < 0) return null;
  return { line: found.line, head, result: raw.subarray(start + RESULT.length, raw.length - 1) };
}

/** The revealed seed and its line; null if there is none. */
export function seedOf(transcript: Transcript): { line: number; seed: Uint8Array } | null {
  const found = transcript.links.at(-1);
  const seed = found?.kind === 'reveal' ? fromHex(found.seed ?? '') : null;
  return found === undefined || seed === null ? null : { line: found.line, seed };
}

/** All players with their salts: those in the header, then those who joined later. */
export function sittings(transcript: Transcript): Sitting[] {
  const later = transcript.links.filter((link) => link.by === undefined && link.fault === undefined);
  return [...(transcript.header?.players ?? []), ...later.map((link) => link.do).filter(isJoin)];
}

function parsed(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isHeader(value: unknown): value is Header {
  return (
    isRecord(value) &&
    value.kind === 'header' &&
    [value.match, value.game, value.commit].every((text) => typeof text === 'string') &&
    typeof value.version === 'number' &&
    Array.isArray(value.players) &&
    value.players.every(isSitting)
  );
}

function isSitting(value: unknown): value is Sitting {
  return isRecord(value) && typeof value.name === 'string' && typeof value.salt === 'string';
}

function isJoin(value: unknown): value is Sitting {
  return isSitting(value) && (value as { type?: unknown }).type === 'Join';
}

function isLink(value: unknown): value is Link {
  return (
    isRecord(value) &&
    (value.kind === 'input' || value.kind === 'end' || value.kind === 'reveal') &&
    typeof value.prev === 'string' &&
    typeof value.n === 'number'
  );
}
