/** The names of a class in a pasted text or a file, and the table of its passwords. */

export interface NamedLine {
  /** Its line in the text, counted from 1. */
  readonly line: number;
  readonly name: string;
}

/** One name on each line; or the column "name" of a CSV text whose first line names its columns. */
export function namesIn(text: string): readonly NamedLine[] {
  const rows = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const separator = rows[0]?.includes(';') && !rows[0].includes(',') ? ';' : ',';
  const column = cellsOf(rows[0] ?? '', separator).findIndex((cell) => cell.trim().toLowerCase() === 'name');
  return rows
    .map((row, i) => ({ line: i + 1, name: (column === -1 ? row : (cellsOf(row, separator)[column] ?? '')).trim() }))
    .slice(column === -1 ? 0 : 1)
    .filter(({ line, name }) => name !== '' || hasCells(rows[line - 1] ?? '', separator));
}

/** Whether a line of a table has something besides a name. Without a name, the server says what is wrong. */
function hasCells(row: string, separator: string): boolean {
  return row.split(separator).some((cell) => cell.trim() !== '');
}

/** The cells of a line. A cell in quotes may contain the separator, and a quote that is doubled. */
function cellsOf(row: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < row.length; i += 1) {
    const letter = row[i] ?? '';
    if (isQuoted && letter === '"' && row[i + 1] === '"') cell += row[(i += 1)];
    else if (letter === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += letter;
  }
  return [...cells, cell];
}

export interface Given {
  readonly name: string;
  readonly password: string | null;
}

/** A CSV text with names and passwords. */
export function passwordTable(accounts: readonly Given[]): string {
  const rows = [['name', 'password'], ...accounts.map(({ name, password }) => [name, password ?? ''])];
  return rows.map((row) => `${row.map(cellText).join(',')}\n`).join('');
}

/** Spreadsheets calculate a cell that begins like this; an apostrophe makes it text. */
const FORMULA = /^[=+\-@\t]/;

function cellText(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
