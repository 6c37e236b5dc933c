import { expect, test } from 'vitest';
import { transcriptOf } from '../../tests/transcripts';
import { matchIn } from './file';

test('the match of a transcript is in its first line', () => {
  expect(matchIn(transcriptOf('forsale/protocol-1'))).toBe('7c911468c99a51fd');
});

test.each(['', 'x', '{"match":3}\n', '{"match":"../me"}\n', 'null\n', '[]\n'])('%j has no match', (text) => {
  expect(matchIn(new TextEncoder().encode(text))).toBeNull();
});
