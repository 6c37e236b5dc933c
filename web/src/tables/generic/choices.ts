/** How a list of legal answers is laid out: a group by action, a grid where two numbers make the difference. */
import { fieldsOf, humanised, inWords, spaced } from './labels';
import { isRecord, tagOf } from './schema';

export interface Choice {
  /** Its place in the ask's list. */
  readonly index: number;
  readonly action: unknown;
  /** The text of its button, beside the name of its group. */
  readonly label: string;
  /** The whole answer in words. */
  readonly words: string;
}

export interface ChoiceGrid {
  readonly rowName: string;
  readonly columnName: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly (Choice | null)[] }[];
}

export interface ChoiceGroup {
  readonly tag: string;
  readonly name: string;
  /** The common part of all choices of the group, in words. */
  readonly shared: string;
  readonly choices: readonly Choice[];
  /** Set if a grid shows the choices better than a row of buttons. */
  readonly grid: ChoiceGrid | null;
}

const LEAST_FOR_GRID = 6;
const MOST_COLUMNS = 8;

/** The choices by type of action: single answers first, then long lists. The order within a group stays. */
export function grouped(choices: readonly unknown[]): readonly ChoiceGroup[] {
  const byTag = new Map<string, number[]>();
  choices.forEach((action, index) => {
    const tag = tagOf(action) ?? '';
    byTag.set(tag, [...(byTag.get(tag) ?? []), index]);
  });
  const groups = [...byTag].map(([tag, places]) => group(tag, places, choices));
  return groups.sort((a, b) => Number(a.choices.length > 1) - Number(b.choices.length > 1));
}

function group(tag: string, places: readonly number[], all: readonly unknown[]): ChoiceGroup {
  const name = humanised(tag);
  const actions = places.map((index) => all[index]);
  const differing = differingFields(actions);
  const choices = places.map((index) => {
    const label = labelOf(all[index], differing);
    const whole = isRecord(all[index]) ? labelOf(all[index], null) : inWords(all[index]);
    return {
      index,
      action: all[index],
      label: label || name || whole,
      words: whole && name ? `${name}: ${whole}` : name || whole,
    };
  });
  return { tag, name, shared: sharedWords(actions, differing), choices, grid: gridOf(choices, differing) };
}

/** The fields that are not the same in all actions; null if there is only one action. */
function differingFields(actions: readonly unknown[]): readonly string[] | null {
  const [first, ...others] = actions;
  if (!isRecord(first) || others.length === 0) return null;
  const keys = new Set(actions.flatMap((each) => (isRecord(each) ? Object.keys(each) : [])));
  const text = (action: unknown, key: string) => (isRecord(action) ? JSON.stringify(action[key]) : undefined);
  return [...keys].filter((key) => key !== 'type' && others.some((each) => text(each, key) !== text(first, key)));
}

function sharedWords(actions: readonly unknown[], differing: readonly string[] | null): string {
  const first = actions[0];
  if (!isRecord(first) || differing === null) return '';
  const shared = fieldsOf(first).filter(([key]) => !differing.includes(key));
  return shared.map(([key, value]) => `${spaced(key)} ${inWords(value)}`).join(', ');
}

function labelOf(action: unknown, keys: readonly string[] | null): string {
  if (!isRecord(action)) return inWords(action);
  const fields = fieldsOf(action).filter(([key]) => keys === null || keys.includes(key));
  if (fields.length === 1) return inWords(fields[0]![1]);
  return fields.map(([key, value]) => `${spaced(key)} ${inWords(value)}`).join(', ');
}

function gridOf(choices: readonly Choice[], differing: readonly string[] | null): ChoiceGrid | null {
  if (differing?.length !== 2 || choices.length < LEAST_FOR_GRID) return null;
  const pairs = choices.map((choice) => differing.map((key) => (choice.action as Record<string, unknown>)[key]));
  if (!pairs.flat().every((value) => ['number', 'string'].includes(typeof value))) return null;
  const [firsts, seconds] = [0, 1].map((side) => distinct(pairs.map((pair) => pair[side])));
  const isTurned = seconds!.length > MOST_COLUMNS && firsts!.length < seconds!.length;
  const [rows, columns, row] = isTurned ? [seconds!, firsts!, 1] : [firsts!, seconds!, 0];
  if (columns.length > MOST_COLUMNS || columns.length < 2 || rows.length * columns.length > 2 * choices.length)
    return null;
  const at = (r: unknown, c: unknown) => pairs.findIndex((pair) => pair[row] === r && pair[1 - row] === c);
  return {
    rowName: spaced(differing[row]!),
    columnName: spaced(differing[1 - row]!),
    columns: columns.map(inWords),
    rows: rows.map((r) => ({ name: inWords(r), cells: columns.map((c) => choices[at(r, c)] ?? null) })),
  };
}

function distinct(values: readonly unknown[]): readonly unknown[] {
  const found = [...new Set(values)];
  return found.every((value) => typeof value === 'number') ? found.sort((a, b) => Number(a) - Number(b)) : found;
}

/** The choices whose words contain all the words that were typed. */
export function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter((choice) => wanted.every((word) => choice.words.toLowerCase().includes(word)));
}
