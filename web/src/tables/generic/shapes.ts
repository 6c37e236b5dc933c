/** How the values of a view are drawn: which are facts, which belong to a seat, which are lists, grids or records. */
import { t } from './texts';
import { helpText, humanised, isEmpty, scalarText, shownWord } from './labels';
import { GameSchema, isRecord, isSeat, type Schema, tagOf } from './schema';

export type Shape =
  | { readonly is: 'none'; readonly text: string }
  | { readonly is: 'word'; readonly text: string }
  | { readonly is: 'flag'; readonly on: boolean }
  | { readonly is: 'seat'; readonly seat: number }
  | { readonly is: 'chips'; readonly items: readonly Shape[] }
  | { readonly is: 'counts'; readonly entries: readonly { readonly word: string; readonly count: string }[] }
  | { readonly is: 'grid'; readonly rows: readonly (readonly Shape[])[] }
  | { readonly is: 'record'; readonly name: string; readonly fields: readonly Field[] }
  | { readonly is: 'rows'; readonly columns: readonly Column[]; readonly rows: readonly (readonly Shape[])[] }
  | { readonly is: 'things'; readonly items: readonly Shape[] }
  | { readonly is: 'bySeat'; readonly items: readonly Shape[] };

export interface Column {
  readonly key: string;
  readonly name: string;
  readonly help: string;
}

export interface Field extends Column {
  readonly shape: Shape;
}

/** A view, sorted for drawing. */
export interface Board {
  /** Single values. */
  readonly facts: readonly Field[];
  /** One row for each seat; null if nothing is listed by seat. */
  readonly seats: { readonly columns: readonly Column[]; readonly rows: readonly (readonly Shape[])[] } | null;
  /** Lists and counts that fit into a line or two. */
  readonly lines: readonly Field[];
  /** Everything that needs a panel of its own. */
  readonly panels: readonly Field[];
  /** Lists and records that have nothing in them now. */
  readonly empty: readonly Field[];
}

const BY_SEAT = /\b(by|each|per|every) (seat|player)\b/i;
const LONG_WORD = 24;

/** The shape of a value. `name` is that of its field; `seats` is the number of seats. */
export function shapeOf(game: GameSchema, schema: Schema, value: unknown, seats: number, name = ''): Shape {
  const own = game.of(schema, value);
  if (value === null || value === undefined) return { is: 'none', text: wordForNone(game, schema, value) };
  if (Array.isArray(value)) return listShape(game, own, value, seats);
  if (isRecord(value)) return objectShape(game, own, value, seats);
  if (typeof value === 'boolean') return { is: 'flag', on: value };
  if (isSeatNumber(own, value, seats, name)) return { is: 'seat', seat: value as number };
  return value === '' ? { is: 'none', text: t.generic.none } : { is: 'word', text: scalarText(value) };
}

function wordForNone(game: GameSchema, schema: Schema, value: unknown): string {
  const inner = game.alternatives(schema);
  return value === null && inner.length === 1 && isSeat(inner[0]!) ? t.generic.nobody : t.generic.none;
}

function isSeatNumber(schema: Schema, value: unknown, seats: number, name: string): boolean {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= seats) return false;
  return isSeat(schema) || (schema.type === undefined && ['seat', 'player'].includes(name));
}

function listShape(game: GameSchema, schema: Schema, values: readonly unknown[], seats: number): Shape {
  if (values.length === 0) return { is: 'none', text: t.generic.none };
  const item = (i: number): Schema => schema.prefixItems?.[i] ?? (typeof schema.items === 'object' ? schema.items : {});
  const shapes = values.map((each, i) => shapeOf(game, item(i), each, seats));
  const isNested = values.some((each) => typeof each === 'object' && each !== null);
  if (isNested && tagOf(values[0]) === null && isBySeat(game, schema, values, seats))
    return { is: 'bySeat', items: shapes };
  if (isMatrix(values)) return { is: 'grid', rows: values.map((row, i) => cells(game, item(i), row, seats)) };
  if (shapes.every(isSmall)) return { is: 'chips', items: shapes };
  return rowsOf(shapes) ?? { is: 'things', items: shapes };
}

function cells(game: GameSchema, schema: Schema, row: readonly unknown[], seats: number): readonly Shape[] {
  const inner = game.resolve(schema).items;
  return row.map((each) => shapeOf(game, typeof inner === 'object' ? inner : {}, each, seats));
}

/** At least two rows and three columns of single values. */
function isMatrix(values: readonly unknown[]): values is readonly (readonly unknown[])[] {
  const first = values[0];
  if (values.length < 2 || !Array.isArray(first) || first.length < 3) return false;
  return values.every(
    (row) =>
      Array.isArray(row) && row.length === first.length && row.every((each) => !isRecord(each) && !Array.isArray(each)),
  );
}

/** Records of one type make a table. */
function rowsOf(shapes: readonly Shape[]): Shape | null {
  const first = shapes[0];
  if (first?.is !== 'record' || first.fields.length === 0) return null;
  const keys = first.fields.map((field) => field.key).join();
  const isLike = (each: Shape): each is Shape & { is: 'record' } =>
    each.is === 'record' && each.name === first.name && each.fields.map((field) => field.key).join() === keys;
  if (!shapes.every(isLike)) return null;
  return { is: 'rows', columns: first.fields, rows: shapes.map((each) => each.fields.map((field) => field.shape)) };
}

function objectShape(game: GameSchema, schema: Schema, value: Readonly<Record<string, unknown>>, seats: number): Shape {
  const tag = tagOf(value);
  const isMap = tag === null && schema.properties === undefined;
  const entries = Object.entries(value).filter(([key]) => key !== 'type');
  if (isMap && entries.length === 0) return { is: 'none', text: t.generic.none };
  if (isMap && entries.every(([, each]) => ['number', 'string'].includes(typeof each)))
    return { is: 'counts', entries: entries.map(([word, count]) => ({ word: shownWord(word), count: String(count) })) };
  const own = (key: string): Schema =>
    schema.properties?.[key] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {});
  const fields = entries.map(([key, each]) => fieldOf(game, own(key), key, each, seats));
  return { is: 'record', name: tag === null ? '' : humanised(tag), fields };
}

function fieldOf(game: GameSchema, schema: Schema, key: string, value: unknown, seats: number): Field {
  const help = helpText(game.resolve(schema).description);
  return { key, name: humanised(key), help, shape: shapeOf(game, schema, value, seats, key) };
}

/** Whether a shape is a single value. */
export function isSingle(shape: Shape): boolean {
  return ['none', 'word', 'flag', 'seat'].includes(shape.is);
}

/** Whether a shape fits on a chip. */
function isSmall(shape: Shape): boolean {
  return isSingle(shape) && !(shape.is === 'word' && shape.text.length > LONG_WORD);
}

/** Whether a list has one entry for each seat. The description says so; without one, anything but words is taken for it. */
export function isBySeat(game: GameSchema, schema: Schema, value: readonly unknown[], seats: number): boolean {
  if (value.length !== seats || seats === 0) return false;
  const list = game.of(schema, value);
  const item = typeof list.items === 'object' ? game.resolve(list.items) : {};
  if (isSeat(item)) return false;
  const words = schema.description ?? list.description;
  if (words !== undefined) return BY_SEAT.test(words);
  return value.every((each) => typeof each === 'number' || typeof each === 'object');
}

/** Fields that say nothing new: the viewer's own seat is marked everywhere. */
const LEFT_OUT = new Set(['type', 'seat']);

/** Sort the fields of a view for drawing. */
export function boardOf(game: GameSchema, view: unknown, seats: number): Board {
  const facts: Field[] = [];
  const lines: Field[] = [];
  const panels: Field[] = [];
  const empty: Field[] = [];
  const acting = actingField(game, view, seats); // marked at the seat
  const bySeat: { field: Field; values: readonly unknown[]; item: Schema }[] = [];
  for (const [key, value] of isRecord(view) ? Object.entries(view) : []) {
    if (LEFT_OUT.has(key)) continue;
    const schema = game.field(game.view, key);
    const field = fieldOf(game, schema, key, value, seats);
    if (Array.isArray(value) && isBySeat(game, schema, value, seats)) {
      const item = game.of(schema, value).items;
      bySeat.push({ field, values: value, item: typeof item === 'object' ? item : {} });
    } else if (isFact(game, schema, field.shape)) {
      if (key !== acting) facts.push(field);
    } else if (field.shape.is === 'none') empty.push(field);
    else (['chips', 'counts', 'word'].includes(field.shape.is) ? lines : panels).push(field);
  }
  return { facts, lines, panels, empty, seats: bySeat.length === 0 ? null : seatRows(game, bySeat, seats) };
}

/** A single value, or none where a single value is expected. */
function isFact(game: GameSchema, schema: Schema, shape: Shape): boolean {
  if (shape.is === 'word') return shape.text.length <= 3 * LONG_WORD;
  if (shape.is !== 'none') return isSingle(shape);
  return !game.alternatives(schema).some((each) => each.type === 'array' || each.type === 'object');
}

/** Lists by seat as one table. Records become a column for each of their fields. */
function seatRows(
  game: GameSchema,
  fields: readonly { field: Field; values: readonly unknown[]; item: Schema }[],
  seats: number,
): NonNullable<Board['seats']> {
  const columns: Column[] = [];
  const rows: Shape[][] = Array.from({ length: seats }, () => []);
  for (const { field, values, item } of fields) {
    const shapes = values.map((each) => shapeOf(game, item, each, seats));
    const spread = rowsOf(shapes);
    if (spread?.is === 'rows') {
      columns.push(...spread.columns);
      spread.rows.forEach((row, seat) => rows[seat]!.push(...row));
    } else {
      columns.push(field);
      shapes.forEach((shape, seat) => rows[seat]!.push(shape));
    }
  }
  return { columns, rows };
}

const STAGES = ['phase', 'stage', 'part', 'round', 'turn', 'day', 'hand_number', 'step'];

/** A few words on the stage of the match, such as "Craft · Turn 3 of 15". */
export function headingOf(game: GameSchema, view: unknown): string {
  if (!isRecord(view)) return '';
  const words = STAGES.flatMap((key) => {
    const value = view[key];
    const schema = game.of(game.field(game.view, key), value);
    if (typeof value === 'string' && value !== '') return [humanised(value)];
    if (typeof value !== 'number' || isSeat(schema)) return [];
    const most = view[`max_${key}`] ?? view[`${key}s`];
    return [typeof most === 'number' ? t.generic.outOf(humanised(key), value, most) : `${humanised(key)} ${value}`];
  });
  return words.slice(0, 3).join(' · ');
}

const TO_ACT = ['turn', 'to_act', 'to_move', 'to_play', 'active', 'current', 'mover', 'player', 'acting', 'next'];

/** The seats that have to act, as far as the clocks or a field of the view tell. */
export function toAct(game: GameSchema, view: unknown, seats: number, clocks: readonly number[]): readonly number[] {
  if (clocks.length > 0) return clocks;
  const key = actingField(game, view, seats);
  return key === null || !isRecord(view) ? [] : [view[key] as number];
}

/** The field of a view that names the seat that has to act. */
function actingField(game: GameSchema, view: unknown, seats: number): string | null {
  if (!isRecord(view)) return null;
  const isActing = (key: string) => {
    const schema = game.of(game.field(game.view, key), view[key]);
    return isSeat(schema) && isSeatNumber(schema, view[key], seats, key);
  };
  return TO_ACT.find(isActing) ?? null;
}

/** The facts of an ask that help to answer it. */
export function askFacts(game: GameSchema, ask: unknown, seats: number): readonly Field[] {
  if (!isRecord(ask)) return [];
  const schema = game.ask(tagOf(ask) ?? '');
  return Object.entries(ask)
    .filter(([key, value]) => !['type', 'choices', 'waits', 'span'].includes(key) && !isEmpty(value))
    .map(([key, value]) => fieldOf(game, schema.properties?.[key] ?? {}, key, value, seats));
}
