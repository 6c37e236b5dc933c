/** Forms made from a schema: which input a value needs, the state of the inputs, and the JSON value that they make. */
import { t } from './texts';
import { humanised } from './labels';
import { GameSchema, isRecord, isSeat, type Schema, tagIn, tagOf } from './schema';

/** Longest text that is one word or name; a longer one is a message. */
const MOST_WORD = 200;

/** The kind of input that a value needs. */
export type Kind =
  | { readonly kind: 'const'; readonly value: unknown }
  | { readonly kind: 'enum'; readonly values: readonly unknown[] }
  | { readonly kind: 'flag' }
  | { readonly kind: 'seat' }
  | { readonly kind: 'number'; readonly schema: Schema; readonly whole: boolean }
  | { readonly kind: 'word'; readonly schema: Schema }
  | { readonly kind: 'message'; readonly schema: Schema }
  | { readonly kind: 'either'; readonly options: readonly Schema[] }
  | { readonly kind: 'maybe'; readonly inner: Schema }
  | { readonly kind: 'list'; readonly schema: Schema; readonly item: Schema }
  | { readonly kind: 'tuple'; readonly items: readonly Schema[] }
  | { readonly kind: 'map'; readonly schema: Schema; readonly value: Schema }
  | { readonly kind: 'fields'; readonly schema: Schema }
  | { readonly kind: 'union'; readonly options: readonly Option[] }
  | { readonly kind: 'json' };

export interface Option {
  readonly name: string;
  readonly schema: Schema;
}

/** The contents of the inputs of a value. */
export type FormState =
  | { is: 'text'; text: string }
  | { is: 'flag'; on: boolean }
  | { is: 'maybe'; on: boolean; inner: FormState }
  | { is: 'list'; rows: { id: number; state: FormState }[] }
  | { is: 'map'; rows: { id: number; name: string; state: FormState }[] }
  | { is: 'fields'; fields: Record<string, FormState> }
  | { is: 'union'; chosen: string; options: Record<string, FormState> };

/** Why the value of one input cannot be sent, by the path of the input. */
export type Problems = Record<string, string>;

export interface Context {
  readonly game: GameSchema;
  readonly seats: number;
}

let lastId = 0;

/** An id for a new row. */
export function rowId(): number {
  return ++lastId;
}

export function kindOf(game: GameSchema, schema: Schema): Kind {
  const alternatives = game.alternatives(schema);
  if (game.isNullable(schema)) {
    if (alternatives.length === 0) return { kind: 'const', value: null };
    const inner = alternatives.length === 1 ? alternatives[0]! : { anyOf: alternatives };
    return { kind: 'maybe', inner };
  }
  return alternatives.length === 1 ? single(alternatives[0]!) : union(alternatives);
}

function single(schema: Schema): Kind {
  if (schema.const !== undefined) return { kind: 'const', value: schema.const };
  if (schema.enum !== undefined)
    return schema.enum.length === 1 ? { kind: 'const', value: schema.enum[0] } : { kind: 'enum', values: schema.enum };
  switch (schema.type) {
    case 'boolean':
      return { kind: 'flag' };
    case 'integer':
      return isSeat(schema) ? { kind: 'seat' } : { kind: 'number', schema, whole: true };
    case 'number':
      return { kind: 'number', schema, whole: false };
    case 'string':
      return { kind: (schema.maxLength ?? 0) > MOST_WORD ? 'message' : 'word', schema };
    case 'array':
      if (schema.prefixItems !== undefined) return { kind: 'tuple', items: schema.prefixItems };
      return typeof schema.items === 'object' ? { kind: 'list', schema, item: schema.items } : { kind: 'json' };
    case 'object':
      if (schema.properties !== undefined) return { kind: 'fields', schema };
      return typeof schema.additionalProperties === 'object'
        ? { kind: 'map', schema, value: schema.additionalProperties }
        : { kind: 'json' };
    default:
      return { kind: 'json' };
  }
}

function union(alternatives: readonly Schema[]): Kind {
  if (alternatives.length === 0) return { kind: 'json' };
  if (alternatives.every((each) => ['integer', 'number', 'string'].includes(String(each.type))))
    return { kind: 'either', options: alternatives };
  if (alternatives.every((each) => each.enum !== undefined))
    return { kind: 'enum', values: alternatives.flatMap((each) => each.enum ?? []) };
  return { kind: 'union', options: alternatives.map(optionOf) };
}

function optionOf(schema: Schema, index: number): Option {
  const name = tagIn(schema) ?? schema.title ?? `${index + 1} ${String(schema.type ?? 'value')}`;
  return { name, schema };
}

/** Whether one text input holds the value, so that an empty text can mean that there is none. */
export function isTextual(kind: Kind): boolean {
  return ['enum', 'seat', 'number', 'word', 'message', 'either', 'json'].includes(kind.kind);
}

/** Whether values are words of the game that the viewer may want to pick from what the table shows. */
export function isPickable(kind: Kind): boolean {
  return kind.kind === 'word' && kind.schema.pattern === undefined;
}

/** The fields of an object type that a player fills in: all but its tag. Required ones come first. */
export function inputFields(schema: Schema): readonly { key: string; schema: Schema; isRequired: boolean }[] {
  const fields = Object.entries(schema.properties ?? {})
    .filter(([key, field]) => !(key === 'type' && (field.enum?.length === 1 || field.const !== undefined)))
    .map(([key, field]) => ({ key, schema: field, isRequired: (schema.required ?? []).includes(key) }));
  return [...fields.filter((each) => each.isRequired), ...fields.filter((each) => !each.isRequired)];
}

// States

/** The state of empty inputs, or of inputs that hold the schema's default. */
export function newState(game: GameSchema, schema: Schema): FormState {
  const whole = game.resolve(schema);
  return whole.default === undefined ? emptyState(game, whole) : stateOf(game, whole, whole.default);
}

function emptyState(game: GameSchema, schema: Schema): FormState {
  const kind = kindOf(game, schema);
  switch (kind.kind) {
    case 'flag':
      return { is: 'flag', on: false };
    case 'maybe':
      return { is: 'maybe', on: false, inner: newState(game, withoutDefault(kind.inner)) };
    case 'list':
      return { is: 'list', rows: newRows(game, kind.item, kind.schema.minItems ?? 0) };
    case 'tuple':
      return { is: 'list', rows: kind.items.map((item) => ({ id: rowId(), state: newState(game, item) })) };
    case 'map':
      return { is: 'map', rows: [] };
    case 'fields':
      return {
        is: 'fields',
        fields: Object.fromEntries(inputFields(kind.schema).map((field) => [field.key, newState(game, field.schema)])),
      };
    case 'union':
      return unionState(game, kind.options, kind.options[0]!.name);
    case 'number':
      return { is: 'text', text: kind.schema.minimum === undefined ? '' : smallStart(kind.schema) };
    default:
      return { is: 'text', text: '' };
  }
}

/** Small ranges start with their least number; a wide range has no likely one. */
function smallStart(schema: Schema): string {
  const { minimum, maximum } = schema;
  return minimum !== undefined && maximum !== undefined && maximum - minimum <= 100 ? String(minimum) : '';
}

function newRows(game: GameSchema, item: Schema, count: number): { id: number; state: FormState }[] {
  return Array.from({ length: count }, () => ({ id: rowId(), state: newState(game, item) }));
}

function unionState(game: GameSchema, options: readonly Option[], chosen: string): FormState {
  const schema = options.find((each) => each.name === chosen)?.schema;
  return { is: 'union', chosen, options: schema === undefined ? {} : { [chosen]: newState(game, schema) } };
}

function withoutDefault(schema: Schema): Schema {
  const { default: _, ...rest } = schema;
  return rest;
}

/** The state of inputs that hold a value. Parts of the value that do not fit the schema are left empty. */
export function stateOf(game: GameSchema, schema: Schema, value: unknown): FormState {
  const kind = kindOf(game, schema);
  switch (kind.kind) {
    case 'flag':
      return { is: 'flag', on: value === true };
    case 'maybe': {
      if (value !== null && value !== undefined)
        return { is: 'maybe', on: true, inner: stateOf(game, kind.inner, value) };
      return emptyState(game, schema);
    }
    case 'list':
    case 'tuple': {
      if (!Array.isArray(value)) return emptyState(game, withoutDefault(schema));
      const item = (i: number) => (kind.kind === 'list' ? kind.item : (kind.items[i] ?? {}));
      return { is: 'list', rows: value.map((each, i) => ({ id: rowId(), state: stateOf(game, item(i), each) })) };
    }
    case 'map': {
      const rows = isRecord(value) ? Object.entries(value) : [];
      return {
        is: 'map',
        rows: rows.map(([name, each]) => ({ id: rowId(), name, state: stateOf(game, kind.value, each) })),
      };
    }
    case 'fields': {
      const given = isRecord(value) ? value : {};
      const fields = inputFields(kind.schema).map(({ key, schema: field }) => [
        key,
        key in given ? stateOf(game, field, given[key]) : newState(game, field),
      ]);
      return { is: 'fields', fields: Object.fromEntries(fields) };
    }
    case 'union': {
      const tag = tagOf(value);
      const option = kind.options.find((each) => each.name === tag) ?? kind.options[0]!;
      return { is: 'union', chosen: option.name, options: { [option.name]: stateOf(game, option.schema, value) } };
    }
    case 'json':
      return { is: 'text', text: JSON.stringify(value) };
    default:
      return { is: 'text', text: value === null || value === undefined ? '' : String(value) };
  }
}

// Values

interface Reading {
  readonly context: Context;
  readonly problems: Problems;
}

const MISSING = Symbol('missing');

/** The JSON value of a form, and why it cannot be sent yet. */
export function read(context: Context, schema: Schema, state: FormState): { value: unknown; problems: Problems } {
  const problems: Problems = {};
  const value = valueOf({ context, problems }, schema, state, '');
  return { value: value === MISSING ? null : value, problems };
}

function valueOf(reading: Reading, schema: Schema, state: FormState, path: string): unknown {
  const kind = kindOf(reading.context.game, schema);
  if (kind.kind === 'const') return kind.value;
  switch (state.is) {
    case 'flag':
      return state.on;
    case 'maybe':
      return maybeValue(reading, kind, state, path);
    case 'list':
      return listValue(reading, kind, state, path);
    case 'map':
      return mapValue(reading, kind, state, path);
    case 'fields':
      return fieldsValue(reading, kind, state, path);
    case 'union': {
      const option = kind.kind === 'union' ? kind.options.find((each) => each.name === state.chosen) : undefined;
      const inner = state.options[state.chosen];
      if (option === undefined || inner === undefined) return fail(reading, path, t.generic.problems.choose);
      return valueOf(reading, option.schema, inner, path);
    }
    case 'text':
      return textValue(reading, kind, state.text, path);
  }
}

function fail(reading: Reading, path: string, words: string): typeof MISSING {
  reading.problems[path] ??= words;
  return MISSING;
}

function maybeValue(reading: Reading, kind: Kind, state: FormState & { is: 'maybe' }, path: string): unknown {
  if (kind.kind !== 'maybe') return null;
  const inner = kindOf(reading.context.game, kind.inner);
  if (isTextual(inner) && state.inner.is === 'text')
    return state.inner.text.trim() === '' ? null : valueOf(reading, kind.inner, state.inner, path);
  return state.on ? valueOf(reading, kind.inner, state.inner, path) : null;
}

function listValue(reading: Reading, kind: Kind, state: FormState & { is: 'list' }, path: string): unknown {
  const item = (i: number) =>
    kind.kind === 'list' ? kind.item : kind.kind === 'tuple' ? (kind.items[i] ?? {}) : ({} as Schema);
  const values = state.rows.map((row, i) => valueOf(reading, item(i), row.state, `${path}/${row.id}`));
  if (kind.kind === 'list') {
    const { minItems = 0, maxItems = Infinity } = kind.schema;
    if (values.length < minItems) fail(reading, path, t.generic.problems.atLeast(minItems));
    if (values.length > maxItems) fail(reading, path, t.generic.problems.atMost(maxItems));
  }
  return values;
}

function mapValue(reading: Reading, kind: Kind, state: FormState & { is: 'map' }, path: string): unknown {
  if (kind.kind !== 'map') return {};
  const made: Record<string, unknown> = {};
  for (const row of state.rows) {
    const name = row.name.trim();
    const at = `${path}/${row.id}`;
    if (name === '') fail(reading, `${at}/name`, t.generic.problems.needed);
    else if (Object.hasOwn(made, name)) fail(reading, `${at}/name`, t.generic.problems.twice);
    else if (name.length > (kind.schema.propertyNames?.maxLength ?? Infinity))
      fail(reading, `${at}/name`, t.generic.problems.tooLong(kind.schema.propertyNames!.maxLength!));
    const value = valueOf(reading, kind.value, row.state, `${at}/value`);
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  }
  const { maxProperties = Infinity, minProperties = 0 } = kind.schema;
  if (state.rows.length > maxProperties) fail(reading, path, t.generic.problems.atMost(maxProperties));
  if (state.rows.length < minProperties) fail(reading, path, t.generic.problems.atLeast(minProperties));
  return made;
}

function fieldsValue(reading: Reading, kind: Kind, state: FormState & { is: 'fields' }, path: string): unknown {
  if (kind.kind !== 'fields') return {};
  const tag = tagIn(kind.schema);
  const made: Record<string, unknown> = tag === null ? {} : { type: tag };
  for (const field of inputFields(kind.schema)) {
    const inner = state.fields[field.key];
    if (inner === undefined) continue;
    const whole = reading.context.game.resolve(field.schema);
    if (!field.isRequired && isLeftEmpty(whole, inner)) continue;
    const value = valueOf(reading, field.schema, inner, `${path}/${field.key}`);
    if (value === MISSING || (!field.isRequired && same(value, whole.default))) continue;
    made[field.key] = value;
  }
  return made;
}

/** An optional input with an empty text stands for the default. */
function isLeftEmpty(schema: Schema, state: FormState): boolean {
  return state.is === 'text' && state.text.trim() === '' && schema.default !== '';
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function textValue(reading: Reading, kind: Kind, text: string, path: string): unknown {
  const trimmed = text.trim();
  const words = t.generic.problems;
  switch (kind.kind) {
    case 'enum': {
      const found = kind.values.find((value) => String(value) === text);
      return found === undefined ? fail(reading, path, words.choose) : found;
    }
    case 'seat': {
      const seat = Number(trimmed);
      const isThere = /^\d+$/.test(trimmed) && seat < reading.context.seats;
      return isThere ? seat : fail(reading, path, words.choosePlayer);
    }
    case 'number': {
      const why = whyNotANumber(kind.schema, kind.whole, trimmed);
      return why === null ? Number(trimmed) : fail(reading, path, why);
    }
    case 'word':
    case 'message': {
      const why = whyNotAText(kind.schema, kind.kind === 'word' ? trimmed : text);
      return why === null ? (kind.kind === 'word' ? trimmed : text) : fail(reading, path, why);
    }
    case 'either':
      return eitherValue(reading, kind.options, trimmed, path);
    default:
      return jsonValue(reading, trimmed, path);
  }
}

function whyNotANumber(schema: Schema, whole: boolean, text: string): string | null {
  const words = t.generic.problems;
  if (text === '') return words.needed;
  const value = Number(text);
  if (whole ? !/^[-+]?\d+$/.test(text) : !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text))
    return whole ? words.whole : words.number;
  if (whole && !Number.isSafeInteger(value)) return words.number;
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? undefined : schema.exclusiveMinimum + 1);
  const most = schema.maximum ?? (schema.exclusiveMaximum === undefined ? undefined : schema.exclusiveMaximum - 1);
  const low = least !== undefined && value < least;
  const high = most !== undefined && value > most;
  if ((low || high) && least !== undefined && most !== undefined) return words.between(least, most);
  if (low) return words.least(least);
  return high ? words.most(most) : null;
}

function whyNotAText(schema: Schema, text: string): string | null {
  const words = t.generic.problems;
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  const length = [...text].length;
  if (length === 0 && (minLength > 0 || (schema.default === undefined && maxLength <= MOST_WORD))) return words.needed;
  if (length < minLength) return words.tooShort(minLength);
  if (length > maxLength) return words.tooLong(maxLength);
  if (pattern !== undefined && !matches(pattern, text)) return words.form;
  return null;
}

/** A pattern that this browser cannot read is left to the referee. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/** Several kinds of numbers and texts in one input: the first that fits. */
function eitherValue(reading: Reading, options: readonly Schema[], text: string, path: string): unknown {
  if (text === '') return fail(reading, path, t.generic.problems.needed);
  for (const option of options) {
    if (option.type === 'string') {
      if (whyNotAText(option, text) === null) return text;
    } else if (whyNotANumber(option, option.type === 'integer', text) === null) return Number(text);
  }
  const isFraction = options.some((each) => each.pattern !== undefined && matches(each.pattern, '1/2'));
  return fail(reading, path, isFraction ? t.generic.problems.fraction : t.generic.problems.form);
}

function jsonValue(reading: Reading, text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return fail(reading, path, text === '' ? t.generic.problems.needed : t.generic.problems.json);
  }
}

// Changes

/** Add a word to a list of words. */
export function addWord(game: GameSchema, item: Schema, state: FormState & { is: 'list' }, word: string): void {
  state.rows.push({ id: rowId(), state: stateOf(game, item, word) });
}

/** Add one of a thing to a map of amounts: a new row with 1, or 1 more in the row that there is. */
export function addOne(game: GameSchema, value: Schema, state: FormState & { is: 'map' }, name: string): void {
  const row = state.rows.find((each) => each.name.trim() === name);
  if (row === undefined) {
    const isAmount = ['number', 'either'].includes(kindOf(game, value).kind);
    const inner = isAmount ? ({ is: 'text', text: '1' } as const) : newState(game, value);
    const empty = state.rows.find((each) => each.name.trim() === '');
    if (empty === undefined) state.rows.push({ id: rowId(), name, state: { ...inner } });
    else Object.assign(empty, { name, state: { ...inner } });
  } else if (row.state.is === 'text') row.state.text = stepped(row.state.text, 1);
}

/** A number as text, so many more. A text that is no whole number becomes the next whole number in that direction. */
export function stepped(text: string, by: number, least = -Infinity, most = Infinity): string {
  const fraction = /^(\d+)\/(\d+)$/.exec(text.trim());
  const value = fraction === null ? Number(text) : Number(fraction[1]) / Number(fraction[2]);
  if (text.trim() === '' || Number.isNaN(value)) return String(Math.max(least, Math.min(most, by > 0 ? 1 : 0)));
  const next = Number.isInteger(value) ? value + by : by > 0 ? Math.ceil(value) : Math.floor(value);
  return String(Math.max(least, Math.min(most, next)));
}

/** The title of a field. */
export function fieldName(key: string): string {
  return humanised(key);
}
