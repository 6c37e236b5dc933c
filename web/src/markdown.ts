/** Reads the simple Markdown of the rules of a game: headings, paragraphs, lists and bold text. Everything else is text. */

export interface Run {
  readonly text: string;
  readonly isBold: boolean;
}

export type Block =
  | { readonly kind: 'heading'; readonly runs: readonly Run[] }
  | { readonly kind: 'paragraph'; readonly runs: readonly Run[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Run[])[] };

export function blocksOf(text: string): Block[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap(blocksOfPart);
}

/** A heading may be followed by other lines without an empty line between them. */
function blocksOfPart(part: string): Block[] {
  const [first = '', ...rest] = part.split('\n');
  const heading = /^#{1,6}\s+(.*)$/.exec(first);
  if (heading !== null) {
    const after = rest.length > 0 ? blocksOfPart(rest.join('\n').trim()) : [];
    return [{ kind: 'heading', runs: runsOf(heading[1] ?? '') }, ...after];
  }
  if (/^[-*]\s/.test(first)) return [{ kind: 'list', items: itemsOf(part).map(runsOf) }];
  return [{ kind: 'paragraph', runs: runsOf(part.replace(/\s*\n\s*/g, ' ')) }];
}

/** The items of a list; a line that begins with spaces continues the item before. */
function itemsOf(part: string): string[] {
  const items: string[] = [];
  for (const line of part.split('\n')) {
    const item = /^[-*]\s+(.*)$/.exec(line);
    if (item !== null) items.push(item[1] ?? '');
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return items;
}

function runsOf(text: string): Run[] {
  return text
    .split(/(\*\*[^*]+\*\*)/)
    .filter((run) => run !== '')
    .map((run) => (run.startsWith('**') ? { text: run.slice(2, -2), isBold: true } : { text: run, isBold: false }));
}
