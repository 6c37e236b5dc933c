import { expect, test } from 'vitest';
import { type ChatMessage, lastNumber, linesOf, merged, refreshed, unreadAfter } from './messages';

const said = (n: number, name = 'Ada'): ChatMessage => ({ n, ms: n, seat: 0, name, text: `message ${n}` });
const numbers = (messages: readonly ChatMessage[]) => messages.map((message) => message.n);

test('messages that come twice or in another order are shown once, in their order', () => {
  expect(numbers(merged([said(1), said(5)], [said(5), said(3)]))).toEqual([1, 3, 5]);
});

test('a message that was deleted is gone, and one that arrived meanwhile stays', () => {
  const known = [said(1), said(2), said(9)];
  expect(numbers(refreshed(known, [said(1), said(4)], 4))).toEqual([1, 4, 9]);
  expect(numbers(refreshed(known, [], 2))).toEqual([9]);
});

test('own messages and those of muted players are not unread', () => {
  const messages = [said(1, 'Bob'), said(2, 'Bob'), said(3, 'Ada'), said(4, 'Eve')];
  expect(unreadAfter(messages, 1, 'Ada', (name) => name === 'Eve')).toBe(1);
  expect(unreadAfter(messages, 0, null, () => false)).toBe(4);
});

test('a run of messages of a muted player is one line', () => {
  const messages = [said(1, 'Eve'), said(2, 'Eve'), said(3, 'Ada'), said(4, 'Eve')];
  const lines = linesOf(messages, (name) => name === 'Eve');
  expect(lines.map((line) => (line.kind === 'muted' ? `${line.name} ${line.n}` : line.message.text))).toEqual([
    'Eve 1',
    'message 3',
    'Eve 4',
  ]);
});

test('the last number is 0 if there is none', () => {
  expect([lastNumber([]), lastNumber([said(3), said(7)])]).toEqual([0, 7]);
});
