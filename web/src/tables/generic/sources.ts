/** Words on the table that a player may want to use in an answer: the cards of a hand, the piles of a supply. */
import { shownWord, spaced } from './labels';
import { GameSchema, isRecord, type Schema } from './schema';
import { isBySeat } from './shapes';

export interface Source {
  /** The name of the view's field, with the seat for lists by seat. */
  readonly key: string;
  readonly field: string;
  readonly seat: number | null;
  readonly words: readonly Word[];
}

export interface Word {
  readonly word: string;
  readonly shown: string;
  /** How many there are; null if they are not counted. */
  readonly count: string | null;
}

const MOST_LENGTH = 80;

/** All lists and counts of words in a view. */
export function sourcesOf(game: GameSchema, view: unknown, seats: number): readonly Source[] {
  if (!isRecord(view)) return [];
  return Object.entries(view).flatMap(([key, value]) => {
    if (key === 'type') return [];
    const schema = game.field(game.view, key);
    if (Array.isArray(value) && isBySeat(game, schema, value, seats))
      return value.flatMap((each, seat) => source(`${key} ${seat}`, key, seat, each));
    const nested = isRecord(value) && typeof value.type === 'string';
    if (nested) return Object.entries(value).flatMap(([inner, each]) => source(`${key} ${inner}`, inner, null, each));
    return source(key, key, null, value);
  });
}

function source(key: string, field: string, seat: number | null, value: unknown): Source[] {
  const words = wordsOf(value);
  return words.length === 0 ? [] : [{ key, field, seat, words }];
}

function wordsOf(value: unknown): Word[] {
  if (Array.isArray(value)) {
    const counts = new Map<string, number>();
    for (const each of value) {
      if (typeof each !== 'string' || each.length > MOST_LENGTH) return [];
      counts.set(each, (counts.get(each) ?? 0) + 1);
    }
    return [...counts].map(([word, count]) => ({ word, shown: shownWord(word), count: String(count) }));
  }
  if (!isRecord(value) || 'type' in value) return [];
  const entries = Object.entries(value);
  if (!entries.every(([, count]) => ['number', 'string'].includes(typeof count))) return [];
  return entries.map(([word, count]) => ({ word, shown: shownWord(word), count: String(count) }));
}

const MOST_WORDS = 60;

/** The words in the reply to a question: names and the things that are counted, without words that the schema lists. */
export function wordsIn(game: GameSchema, schema: Schema, reply: unknown): readonly Word[] {
  const found = new Set<string>();
  collect(game, schema, reply, found);
  return [...found].slice(0, MOST_WORDS).map((word) => ({ word, shown: shownWord(word), count: null }));
}

function collect(game: GameSchema, schema: Schema, value: unknown, found: Set<string>): void {
  const own = game.of(schema, value);
  if (typeof value === 'string') {
    if (own.enum === undefined && own.pattern === undefined && /^[\w-]{1,80}$/.test(value)) found.add(value);
  } else if (Array.isArray(value)) {
    for (const each of value) collect(game, typeof own.items === 'object' ? own.items : {}, each, found);
  } else if (isRecord(value)) {
    for (const [key, each] of Object.entries(value)) {
      const field = own.properties?.[key];
      if (field !== undefined) collect(game, field, each, found);
      else if (own.properties === undefined && /^[\w-]{1,80}$/.test(key)) found.add(key);
    }
  }
}

/** The sources for one input, the likeliest first: one that the input's name or description mentions, then what lies
 * open or belongs to the viewer, then what belongs to others. */
export function ranked(
  sources: readonly Source[],
  input: { readonly name: string; readonly schema: Schema },
  viewer: number | null,
): readonly Source[] {
  const text = `${spaced(input.name)} ${input.schema.description ?? ''}`.toLowerCase();
  const rank = (each: Source) => {
    const isMentioned = mentions(text, spaced(each.field));
    const isOthers = each.seat !== null && each.seat !== viewer;
    const wantsOthers = /\b(partner|opponent|other|another|victim)/.test(text);
    if (wantsOthers && isMentioned) return isOthers ? 0 : 1;
    return (isMentioned ? 0 : 10) + (isOthers ? 5 : each.seat === null ? 0 : 1);
  };
  return [...sources].sort((a, b) => rank(a) - rank(b));
}

/** Whether a text has this name, in the singular or the plural. */
function mentions(text: string, name: string): boolean {
  const stem = name.replace(/s$/, '').replace(/[^a-z ]/g, '');
  return stem !== '' && new RegExp(`\\b${stem}s?\\b`).test(text);
}
