import { describe, expect, it } from 'vitest';
import { entriesOf, faultsOf, found, joined, KINDS, pretty, visible, type LoggedMessage } from './messages';

const entryOf = (message: LoggedMessage) => entriesOf(message)[0]!;

let n = 0;

function message(from: 'server' | 'client', said: unknown, cut = false): LoggedMessage {
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  return { n: ++n, ms: 0, from, text, size: text.length, cut };
}

const asked = (id: number, view: unknown = { part: 1 }) =>
  entryOf(message('server', { type: 'ask', id, ask: { type: 'BidOrPass' }, view }));
const fault = (id: number, cost: unknown = null) =>
  entryOf(message('server', { type: 'fault', id, kind: 'illegal', code: 'P0401', words: 'too much', cost }));

describe('a message in one line', () => {
  it('says what it is', () => {
    expect(asked(3)).toMatchObject({ kind: 'ask', ask: 3, summary: 'ask 3: BidOrPass' });
    const answer = entryOf(message('client', { type: 'answer', id: 3, action: { type: 'Pass' } }));
    expect(answer).toMatchObject({ kind: 'answer', summary: 'answer 3: {"type":"Pass"}' });
    expect(fault(3)).toMatchObject({ kind: 'fault', summary: 'fault 3: too much' });
    const event = entryOf(message('server', { type: 'event', event: { type: 'Raised', bid: 1 } }));
    expect(event).toMatchObject({ kind: 'other', summary: 'event: Raised' });
  });

  it('does not trust the side that sent it', () => {
    expect(entryOf(message('client', { type: 'ask', id: 1 })).kind).toBe('other');
    expect(entryOf(message('client', { type: 'constructor' })).kind).toBe('other');
    expect(entryOf(message('server', '{"type":"__proto__","id":{}}'))).toMatchObject({ kind: 'other', ask: null });
  });

  it('is short, whatever was sent', () => {
    expect(entryOf(message('client', '7')).summary).toBe('7');
    expect(entryOf(message('client', '')).summary).toBe('');
    expect(entryOf(message('client', 'a'.repeat(9000))).summary).toHaveLength(162);
    expect(entryOf(message('client', '😀'.repeat(400))).summary).toBe(`${'😀'.repeat(160)} …`);
    expect(entryOf(message('client', 'one\ntwo')).summary).toBe('one ⏎ two');
  });

  it('is a line of its own for what the bot wrote beside its moves', () => {
    const stderr = entriesOf(message('client', { type: 'stderr', text: 'thinking\nhard' }));
    expect(stderr).toMatchObject([{ kind: 'stderr', text: 'thinking\nhard', size: 13, summary: 'thinking ⏎ hard' }]);
    const answer = entriesOf(message('client', { type: 'answer', id: 3, action: { type: 'Pass' }, note: 'ž' }));
    expect(answer).toMatchObject([{ kind: 'answer' }, { kind: 'note', ask: 3, text: 'ž', size: 2 }]);
    expect(new Set(answer.map(({ key }) => key)).size).toBe(2);
  });

  it('is known although only its beginning is kept', () => {
    const cut = entryOf(message('server', '{"type":"ask","id":12,"attempt":1,"view":{"ti', true));
    expect(cut).toMatchObject({ kind: 'ask', ask: 12, summary: 'ask 12' });
  });
});

describe('text that may hide something', () => {
  it('shows control characters and changes of direction', () => {
    expect(visible('\u001b[31mred\u0000\r\n\tend\u007f')).toBe('␛[31mred␀␍\n\tend␡');
    expect(visible('a\u202eb\u200bc\u0085\ufeff')).toBe('a\\u202eb\\u200bc\\u0085\\ufeff');
    expect(visible('žluťoučký 😀 <b>')).toBe('žluťoučký 😀 <b>');
  });

  it('is shown as JSON in short lines', () => {
    const numbers = Array.from({ length: 60 }, (_, i) => i);
    const lines = pretty(JSON.stringify({ type: 'ask', view: { owner: numbers, hand: [] } })).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(JSON.parse(lines.join('\n'))).toEqual({ type: 'ask', view: { owner: numbers, hand: [] } });
    expect(pretty('{"a":1}')).toBe('{"a":1}');
    expect(pretty('no JSON\u0007')).toBe('no JSON␇');
  });
});

describe('the list', () => {
  const answer = message('client', { type: 'answer', id: 3, action: { type: 'Pass' }, note: 'because of ÖL' });
  const note = entriesOf(answer)[1]!;
  const entries = [asked(3), note, fault(3)];

  it('is filtered by kind and searched in any case', () => {
    expect(found(entries, new Set(['note']), '')).toEqual([note]);
    expect(found(entries, new Set(KINDS), ' öl ')).toEqual([note]);
    expect(found(entries, new Set(KINDS), 'bidorpass')).toHaveLength(1);
    expect(found(entries, new Set(['ask']), 'öl')).toEqual([]);
  });

  it('knows the position of a fault', () => {
    const faults = faultsOf([asked(3, { part: 1 }), fault(3), asked(4, { part: 2 }), fault(4, { type: 'Pass' })]);
    expect(faults.map(({ view }) => view)).toEqual([{ part: 1 }, { part: 2 }]);
    expect(faults[1]).toMatchObject({ words: 'too much', code: 'P0401', cost: '{"type":"Pass"}' });
  });

  it('does not invent one', () => {
    expect(faultsOf([fault(3)])[0]?.view).toBeUndefined();
    expect(faultsOf([asked(2), fault(3)])[0]?.view).toBeUndefined();
    const cut = entryOf(message('server', '{"type":"ask","id":5,"view":{"ti', true));
    expect(faultsOf([cut, fault(5)])[0]?.view).toBeUndefined();
  });
});

it('joins two pieces that overlap', () => {
  expect(joined('one\ntwo\n', 'two\nthree\n')).toBe('one\ntwo\nthree\n');
  expect(joined('one', 'two')).toBe('onetwo');
  expect(joined('', 'two')).toBe('two');
  expect(joined('two', 'two')).toBe('two');
});
