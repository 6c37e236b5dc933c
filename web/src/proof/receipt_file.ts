/** Reads receipts: what a player sent and was told in one match, one JSON object per line. */
import { isRecord } from './transcript';

export type Entry =
  | { readonly kind: 'hello'; readonly commit: string; readonly salt?: string }
  | {
      readonly kind: 'seat';
      readonly match: string;
      readonly seat: number;
      readonly players: readonly string[];
      readonly header: string;
      readonly returned?: boolean;
    }
  | { readonly kind: 'answer'; readonly id: number; readonly action: unknown; readonly behind?: boolean }
  | { readonly kind: 'fault'; readonly id: number; readonly fault: string; readonly code: string }
  | { readonly kind: 'over'; readonly end: unknown; readonly head: string; readonly returned?: boolean };

export type EntryOf<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

const KINDS = ['hello', 'seat', 'answer', 'fault', 'over'];

export class Receipt {
  constructor(readonly entries: readonly Entry[]) {}

  of<K extends Entry['kind']>(kind: K): EntryOf<K>[] {
    return this.entries.filter((entry): entry is EntryOf<K> => entry.kind === kind);
  }

  /** Match, seat and header; undefined if no match has begun. */
  get place(): EntryOf<'seat'> | undefined {
    return this.of('seat')[0];
  }

  get seat(): number {
    return this.place?.seat ?? -1;
  }

  get over(): EntryOf<'over'> | undefined {
    return this.of('over').at(-1);
  }

  /** All salts given for this commitment. */
  salts(commit: string): string[] {
    return this.of('hello').flatMap((hello) => (hello.commit === commit && hello.salt ? [hello.salt] : []));
  }
}

/** null if it is not a receipt, or no match has begun in it. */
export function readReceipt(lines: readonly string[]): Receipt | null {
  try {
    const entries = lines.map((line): unknown => JSON.parse(line));
    if (!entries.every(isEntry)) return null;
    const receipt = new Receipt(entries);
    return receipt.place === undefined ? null : receipt;
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is Entry {
  return isRecord(value) && KINDS.includes(String(value.kind));
}
