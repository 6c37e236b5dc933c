/** Names and values from a schema, in words for people. */
import { t } from './texts';
import { isRecord } from './schema';

/** "CleanUp" and "clean_up" become "Clean up". */
export function humanised(name: string): string {
  const words = spaced(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "CleanUp" and "clean_up" become "clean up". Abbreviations such as "ID" stay. */
export function spaced(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/_+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
}

/** A word of a game, such as "oak_planks", as people write it. Anything that is not such a word stays as it is. */
export function shownWord(text: string): string {
  return /^[A-Za-z0-9]+(_[A-Za-z0-9]+)+$/.test(text) ? text.replaceAll('_', ' ') : text;
}

/** A short text for a value that is no list and no object. */
export function scalarText(value: unknown): string {
  if (value === null || value === undefined) return t.generic.none;
  if (typeof value === 'boolean') return value ? t.generic.yes : t.generic.no;
  return typeof value === 'string' ? shownWord(value) : String(value);
}

/** Any value in one line. */
export function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? t.generic.none : value.map(inWords).join(', ');
  if (!isRecord(value)) return scalarText(value);
  const parts = Object.entries(value)
    .filter(([key]) => key !== 'type')
    .map(([key, each]) => `${shownWord(key)} ${inWords(each)}`);
  return parts.length > 0 ? parts.join(', ') : typeof value.type === 'string' ? spaced(value.type) : t.generic.none;
}

/** An action in one line: its name, and the fields that have a value. */
export function actionWords(action: unknown): string {
  if (!isRecord(action)) return inWords(action);
  const name = typeof action.type === 'string' ? humanised(action.type) : '';
  const fields = fieldsOf(action);
  if (fields.length === 0) return name;
  const words = fields.length === 1 ? inWords(fields[0]![1]) : inWords(Object.fromEntries(fields));
  return name === '' ? words : `${name}: ${words}`;
}

/** The fields of a tagged object that say something. */
export function fieldsOf(value: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([key, each]) => key !== 'type' && !isEmpty(each));
}

export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Descriptions are written for programs, which say None for no value. */
export function helpText(description: string | undefined): string {
  return (description ?? '')
    .replace(/^By seat[.,:]?\s*/i, '')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/\b(None|null)\b/g, t.generic.nullWord)
    .replace(/^./, (first) => first.toUpperCase());
}
