import { expect, test } from 'vitest';
import { bundledCrypto } from './crypto';
import { proofOf, transcriptOf } from '../../tests/transcripts';
import { commonPairs, compareReceipt, isSame } from './receipt_check';
import { readReceipt } from './receipt_file';
import { readTranscript } from './transcript';

const fixture = proofOf('forsale/faults');
const transcript = await readTranscript(transcriptOf('forsale/faults'), bundledCrypto);

function compared(lines: readonly string[]) {
  return compareReceipt(transcript, readReceipt(lines)!);
}

const answers = fixture.receipt.flatMap((line, i) => (line.includes('"kind":"answer"') ? [i] : []));
const faults = fixture.receipt.flatMap((line, i) => (line.includes('"kind":"fault"') ? [i] : []));

test('the receipt has answers and faults to compare', () => {
  expect(answers.length).toBeGreaterThan(5);
  expect(faults.length).toBeGreaterThan(1);
  expect(compared(fixture.receipt)).toMatchObject({ state: 'holds' });
});

test('an answer that the transcript lacks is named', () => {
  const place = answers[2]!;
  const other = fixture.receipt[place]!.replace(/"action":\{.*\}/, '"action":{"type":"Bid","amount":77}}');
  expect(compared(fixture.receipt.with(place, other))).toMatchObject({ state: 'fails' });
  expect(compared(fixture.receipt.with(place, other)).words).toContain('"amount":77');
});

test('an answer that came too late is missing rightly, if the arena said so', () => {
  const extra = '{"kind":"answer","id":1,"action":{"type":"Bid","amount":77}}';
  const told = '{"kind":"fault","id":1,"fault":"unasked","code":"closed"}';
  expect(compared(fixture.receipt.toSpliced(answers[2]!, 0, extra))).toMatchObject({ state: 'fails' });
  expect(compared(fixture.receipt.toSpliced(answers[2]!, 0, extra, told))).toMatchObject({ state: 'holds' });
});

test('the last answer before a lost connection may be missing', () => {
  const lost = '{"kind":"answer","id":1,"action":{"type":"Bid","amount":77}}';
  expect(compared(fixture.receipt.toSpliced(answers[2]!, 0, lost, fixture.receipt[1]!))).toMatchObject({
    state: 'holds',
  });
});

test('a fault of which the browser was not told is named', () => {
  const { words, state } = compared(fixture.receipt.toSpliced(faults[0]!, 1));
  expect(state).toBe('fails');
  expect(words).toContain('was not told');
});

test('a fault that the transcript lacks is named', () => {
  const extra = '{"kind":"fault","id":3,"fault":"late","code":"late_by_much"}';
  const { words, state } = compared(fixture.receipt.toSpliced(faults[0]!, 0, extra));
  expect(state).toBe('fails');
  expect(words).toContain('late late_by_much');
});

test.each([
  ['match', /"match":"[^"]*"/, '"match":"another"', 'of match another'],
  ['header', /"header":"[0-9a-f]{4}/, '"header":"0000', 'not the header'],
  ['commitment', /"commit":"[0-9a-f]{4}/, '"commit":"0000', 'commitment'],
  ['head', /"head":"[0-9a-f]{4}/, '"head":"0000', 'last fingerprint'],
  ['result', /"scores":\[/, '"scores":[1', 'result'],
])('another %s is named', (_, part, other, words) => {
  const found = compared(fixture.receipt.map((line) => line.replace(part, other)));
  expect(found.state).toBe('fails');
  expect(found.words).toContain(words);
});

test('moves of the seat that were not sent from here are counted', () => {
  const { words, state } = compared(fixture.receipt.toSpliced(answers.at(-1)!, 1));
  expect(state).toBe('holds');
  expect(words).toContain('1 more of your seat');
});

test('actions are the same if only defaults and orders without effect differ', () => {
  expect(isSame({ type: 'Bid', amount: 6 }, { type: 'Bid', amount: 6, note: '' })).toBe(true);
  expect(isSame({ type: 'Bid', amount: 6, note: '' }, { type: 'Bid', amount: 6 })).toBe(true);
  expect(isSame({ type: 'Bid', amount: 6 }, { type: 'Bid', amount: 7 })).toBe(false);
  expect(isSame({ orders: ['a 1 2 3', 'junk'] }, { orders: ['a 1 2 3', ''] })).toBe(true);
  expect(isSame({ orders: ['a 1 2 3'] }, { orders: ['a 1 2 4'] })).toBe(false);
});

test('common items are found in order', () => {
  const same = (a: string, b: string) => a === b;
  expect(commonPairs([...'abcd'], [...'abxd'], same)).toEqual(['aa', 'bb', 'dd'].map((pair) => [...pair]));
  expect(commonPairs([...'abc'], [...'xyz'], same)).toEqual([]);
  expect(commonPairs([...'ab'], [...'zzab'], same)).toHaveLength(2);
});

test.each([['[]'], ['{"kind":"answer"}'], ['no json']])('%s is no receipt', (line) => {
  expect(readReceipt([line])).toBeNull();
});

test('faults of a time in which the browser was away need not be known', () => {
  const untold = fixture.receipt.toSpliced(faults[0]!, 1);
  const away = untold.map((line) => line.replace('{"kind":"over"', '{"kind":"over","returned":true'));
  expect(compared(untold)).toMatchObject({ state: 'fails' });
  expect(compared(away)).toMatchObject({ state: 'holds' });
});

test('an answer that the browser knew to be late may be missing', () => {
  const extra = '{"kind":"answer","id":1,"action":{"type":"Bid","amount":77},"behind":true}';
  expect(compared(fixture.receipt.toSpliced(answers[2]!, 0, extra))).toMatchObject({ state: 'holds' });
});

test('another answer instead of the last one before a lost connection is named', () => {
  const place = answers.at(-3)!;
  const other = fixture.receipt[place]!.replace(/"action":\{.*\}/, '"action":{"type":"Bid","amount":77}}');
  const returned = fixture.receipt[1]!.replace('{', '{"returned":true,');
  const { words, state } = compared(fixture.receipt.with(place, other).toSpliced(place + 1, 0, returned));
  expect(state).toBe('fails');
  expect(words).toContain('"amount":77');
});
