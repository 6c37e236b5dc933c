/** The parts of a view for a small picture: a few numbers for each seat, and one list or grid that tells most. */
import type { Board, Field, Shape } from './shapes';

const MOST_COLUMNS = 3;
const MOST_LETTERS = 12;
const MOST_CELLS = 12;

export interface SmallColumn {
  readonly key: string;
  readonly name: string;
  /** By seat. */
  readonly cells: readonly Shape[];
}

export type Telling =
  | { readonly is: 'line'; readonly field: Field }
  | { readonly is: 'grid'; readonly rows: readonly (readonly Shape[])[] }
  | { readonly is: 'facts'; readonly name: string | null; readonly fields: readonly Field[] };

/** Columns of the seats with short single values. Those that differ between seats come first. */
export function smallColumns(seats: Board['seats']): SmallColumn[] {
  if (seats === null) return [];
  const all = seats.columns.map(({ key, name }, i) => ({ key, name, cells: seats.rows.map((row) => row[i]!) }));
  const short = all.filter(({ name, cells }) => name.length <= MOST_LETTERS && cells.every(isShort));
  const differing = short.filter(isDiffering);
  return [...differing, ...short.filter((column) => !differing.includes(column))].slice(0, MOST_COLUMNS);
}

/** The part beside the seats: a grid, which is the board; else the first list, record or single values. */
export function tellingOf(board: Board): Telling | null {
  for (const { shape } of board.panels)
    if (shape.is === 'grid' && shape.rows.length <= MOST_CELLS && (shape.rows[0]?.length ?? 0) <= MOST_CELLS)
      return { is: 'grid', rows: shape.rows };
  const line = board.lines.find(({ shape }) => shape.is === 'chips' || shape.is === 'counts');
  if (line !== undefined) return { is: 'line', field: line };
  const record = board.panels.find(({ shape }) => shape.is === 'record' && shape.fields.every(isShortField));
  if (record?.shape.is === 'record') return { is: 'facts', name: record.name, fields: firstOf(record.shape.fields) };
  const fields = board.facts.filter(isShortField);
  return fields.length === 0 ? null : { is: 'facts', name: null, fields: firstOf(fields) };
}

function firstOf<T>(fields: readonly T[]): readonly T[] {
  return fields.slice(0, MOST_COLUMNS);
}

function isShortField({ name, shape }: Field): boolean {
  return name.length <= MOST_LETTERS && (shape.is === 'seat' || isShort(shape));
}

function isShort(shape: Shape): boolean {
  if (shape.is === 'word' || shape.is === 'none') return shape.text.length <= MOST_LETTERS;
  return shape.is === 'flag';
}

function isDiffering({ cells }: SmallColumn): boolean {
  return new Set(cells.map((cell) => JSON.stringify(cell))).size > 1;
}

/** A cell of a grid in two letters. */
export function cellText(shape: Shape): string {
  if (shape.is === 'word') return [...shape.text].slice(0, 2).join('');
  return shape.is === 'flag' && shape.on ? '•' : '';
}
