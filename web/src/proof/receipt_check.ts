/** Compares a receipt with a transcript: the same match, and this seat's answers and faults in the same order.
 *
 * Which question a line answers is known to the rules alone, so answers are compared by their order. An answer that is
 * missing in the transcript must have been refused, unless it was the last one of a connection. `parlour verify
 * --receipt` compares more strictly. */
import { t } from '../texts';
import { finding, type Finding } from './findings';
import type { Entry, EntryOf, Receipt } from './receipt_file';
import { endingOf, isRecord, sittings, type NumberedLink, type Transcript } from './transcript';

const MOST_SHOWN = 80;

export function compareReceipt(transcript: Transcript, receipt: Receipt): Finding {
  const { seat } = receipt;
  const fails = (words: string, line: number | null = null) => finding('receipt', 'fails', words, '', line);
  const other = otherMatch(transcript, receipt);
  if (other !== null) return fails(other, 1);
  const compared = new Comparison(transcript, receipt);
  const trouble = compared.trouble() ?? otherEnd(transcript, receipt);
  if (trouble !== null) return fails(trouble.words, trouble.line);
  const { taken, others } = compared;
  const detail = t.proof.receipt.count(taken, seat);
  if (receipt.over === undefined) return finding('receipt', 'open', t.proof.receipt.unfinished, detail);
  const words = others === 0 ? t.proof.receipt.holds(taken) : t.proof.receipt.others(taken, others);
  return finding('receipt', 'holds', words, detail);
}

/** Why the transcript is of another match; null if it is of the same. */
function otherMatch(transcript: Transcript, receipt: Receipt): string | null {
  const words = t.proof.receipt;
  const { header, hashes } = transcript;
  const { place } = receipt;
  if (header === null || place === undefined) return words.header;
  if (header.match !== place.match) return words.match(header.match, place.match);
  const hellos = receipt.of('hello');
  if (hellos.length > 0 && hellos.every((hello) => hello.commit !== header.commit)) return words.commit;
  if (hashes[0] !== place.header) return words.header;
  if (sittings(transcript)[place.seat]?.name !== place.players[place.seat]) return words.seat(place.seat);
  return null;
}

interface Trouble {
  readonly words: string;
  readonly line: number | null;
}

function otherEnd(transcript: Transcript, receipt: Receipt): Trouble | null {
  const ending = endingOf(transcript);
  const { over } = receipt;
  if (ending === null || over === undefined) return null;
  const end: unknown = JSON.parse(new TextDecoder().decode(ending.result));
  if (!isSame(over.end, end)) return { words: t.proof.receipt.end, line: ending.line };
  return over.head === ending.head ? null : { words: t.proof.receipt.head, line: ending.line };
}

class Comparison {
  /** How many answers of the receipt are in the transcript. */
  taken = 0;
  /** How many answers of the seat in the transcript are not in the receipt. */
  others = 0;
  readonly #receipt: Receipt;
  /** The lines in which the seat acted or was charged with a fault. */
  readonly #said: readonly NumberedLink[];
  /** By answer of the receipt: its line. */
  readonly #used = new Map<Entry, NumberedLink>();

  constructor(transcript: Transcript, receipt: Receipt) {
    this.#receipt = receipt;
    this.#said = transcript.links.filter((link) => isOf(link, receipt.seat) && link.fault?.kind !== 'gone');
    this.#matchAnswers();
  }

  trouble(): Trouble | null {
    return this.#missingAnswer() ?? this.#faults();
  }

  /** Find the lines of the answers, both in order: as many as possible. */
  #matchAnswers(): void {
    const answers = this.#receipt.of('answer');
    const lines = this.#said.filter((link) => actionOf(link) !== undefined);
    for (const [answer, line] of commonPairs(answers, lines, (a, b) => isSame(a.action, actionOf(b)))) {
      this.#used.set(answer, line);
    }
    this.taken = this.#used.size;
    const used = new Set(this.#used.values());
    this.others = lines.filter((line) => !used.has(line)).length;
  }

  #missingAnswer(): Trouble | null {
    for (const connection of connectionsOf(this.#receipt.entries)) {
      const missing = connection.filter((entry) => entry.kind === 'answer' && !this.#used.has(entry));
      const unexplained = (missing as EntryOf<'answer'>[]).filter(
        (entry) => entry.behind !== true && (!isLast(entry, connection) || this.#isReplaced(entry)),
      );
      const refused = connection.filter(isUnrecorded);
      for (const answer of unexplained) {
        const told = refused.findIndex((fault) => fault.id === answer.id || fault.fault === 'unasked');
        if (told < 0) return this.#missing(answer);
        refused.splice(told, 1);
      }
    }
    return null;
  }

  #missing(answer: EntryOf<'answer'>): Trouble {
    const words = t.proof.receipt.missing(shown(answer.action), answer.id);
    const instead = this.#instead(answer);
    if (instead === undefined) return { words, line: null };
    const { line } = instead;
    return { words: `${words} ${t.proof.receipt.instead(line, shown(actionOf(instead)))}`, line };
  }

  /** Whether another answer was taken instead of the last one of a connection. If it had been lost, the question
   * would have come again. */
  #isReplaced(answer: EntryOf<'answer'>): boolean {
    const answers = this.#receipt.of('answer');
    if (answers.some((entry) => entry !== answer && entry.id === answer.id)) return false;
    const isClosed = answers.slice(answers.indexOf(answer)).some((entry) => this.#used.has(entry));
    const instead = this.#instead(answer);
    if (!isClosed || instead === undefined) return false;
    const from = this.#lineBefore(answer);
    return !this.#said.some(({ line, fault }) => line > from && line <= instead.line && fault !== undefined);
  }

  /** The first line of the seat after the answer before that is not in the receipt. */
  #instead(answer: EntryOf<'answer'>): NumberedLink | undefined {
    const from = this.#lineBefore(answer);
    const used = new Set(this.#used.values());
    return this.#said.find((link) => link.line > from && actionOf(link) !== undefined && !used.has(link));
  }

  /** The line of the last answer before this one; 0 if there is none. */
  #lineBefore(answer: EntryOf<'answer'>): number {
    const answers = this.#receipt.of('answer');
    const before = answers.slice(0, answers.indexOf(answer)).findLast((entry) => this.#used.has(entry));
    return before === undefined ? 0 : (this.#used.get(before)?.line ?? 0);
  }

  /** Each fault in the receipt must be in the transcript, and the reverse if the connection was never lost. */
  #faults(): Trouble | null {
    const told = this.#receipt.of('fault').filter((entry) => entry.fault !== 'unasked');
    const wasConnected = isUnbroken(this.#receipt);
    for (const { line, fault } of this.#said) {
      if (fault === undefined || fault.kind === 'unasked') continue;
      const known = told.findIndex((entry) => entry.fault === fault.kind && entry.code === fault.code);
      if (known >= 0) told.splice(known, 1);
      else if (wasConnected) return { words: t.proof.receipt.untold(line, `${fault.kind} ${fault.code}`), line };
    }
    const lacking = told[0];
    if (lacking === undefined) return null;
    return { words: t.proof.receipt.lacking(`${lacking.fault} ${lacking.code}`), line: null };
  }
}

/** Whether the line is an act or a fault of the seat. A seat that has to leave for a fault is named by the price. */
function isOf(link: NumberedLink, seat: number): boolean {
  if (link.kind !== 'input') return false;
  if (link.by === seat) return true;
  return link.fault !== undefined && isRecord(link.do) && link.do.type === 'Leave' && link.do.seat === seat;
}

/** The action that the seat sent; undefined if there is none in the line. */
function actionOf(link: NumberedLink): unknown {
  return link.fault === undefined ? link.do : link.said;
}

/** Whether it is a fault whose answer is not in the transcript: all but illegal actions. */
function isUnrecorded(entry: Entry): entry is EntryOf<'fault'> {
  return entry.kind === 'fault' && entry.fault !== 'illegal';
}

/** The entries of each connection: it begins with a seat. */
function connectionsOf(entries: readonly Entry[]): Entry[][] {
  const connections: Entry[][] = [[]];
  for (const entry of entries) {
    if (entry.kind === 'seat') connections.push([]);
    connections.at(-1)?.push(entry);
  }
  return connections;
}

/** Whether one connection lasted from the first seat to the end. */
function isUnbroken(receipt: Receipt): boolean {
  const [seats, { over }] = [receipt.of('seat'), receipt];
  return seats.length === 1 && seats[0]?.returned !== true && over !== undefined && over.returned !== true;
}

/** Whether the answer may have been lost: it is the last one of its connection. */
function isLast(answer: Entry, connection: readonly Entry[]): boolean {
  return connection.findLast((entry) => entry.kind === 'answer') === answer;
}

/** Whether a sent action is the recorded one. The referee adds fields that have defaults, leaves out some, and replaces
 * orders that can have no effect by empty texts. */
export function isSame(sent: unknown, recorded: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(recorded)) {
    const others: unknown[] = recorded;
    return sent.length === others.length && sent.every((each, i) => others[i] === '' || isSame(each, others[i]));
  }
  if (isRecord(sent) && isRecord(recorded)) {
    const keys = Object.keys(sent);
    return keys.every((key) => (key in recorded ? isSame(sent[key], recorded[key]) : isEmpty(sent[key])));
  }
  return sent === recorded;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isRecord(value)) return Object.keys(value).length === 0;
  return !value;
}

function shown(action: unknown): string {
  const text = JSON.stringify(action) ?? '';
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)} …`;
}

/** Pairs of equal items, in the order of both lists. Differences are few, so after each the nearest match is taken. */
export function commonPairs<A, B>(
  first: readonly A[],
  second: readonly B[],
  isEqual: (a: A, b: B) => boolean,
): [A, B][] {
  const pairs: [A, B][] = [];
  let i = 0;
  let j = 0;
  while (i < first.length && j < second.length) {
    const [skippedFirst, skippedSecond] = nearest(first, second, i, j, isEqual);
    if (skippedFirst < 0) break;
    i += skippedFirst;
    j += skippedSecond;
    pairs.push([first[i++]!, second[j++]!]);
  }
  return pairs;
}

/** How many items of each list to skip, as few as possible in all, until two are equal; [-1, -1] if none are. */
function nearest<A, B>(
  first: readonly A[],
  second: readonly B[],
  i: number,
  j: number,
  isEqual: (a: A, b: B) => boolean,
): [number, number] {
  for (let skipped = 0; skipped < first.length - i + second.length - j - 1; skipped++) {
    for (let k = 0; k <= skipped; k++) {
      const [a, b] = [i + k, j + skipped - k];
      if (a < first.length && b < second.length && isEqual(first[a]!, second[b]!)) return [k, skipped - k];
    }
  }
  return [-1, -1];
}
