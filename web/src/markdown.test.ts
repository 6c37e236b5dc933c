import { expect, test } from 'vitest';
import { blocksOf } from './markdown';

const plain = (text: string) => ({ text, isBold: false });

test('headings, paragraphs and lists are told apart', () => {
  const blocks = blocksOf('## Aim\nHave the most.\n\nA long\nparagraph.\n\n- one\n  and more\n- **two**');
  expect(blocks).toEqual([
    { kind: 'heading', runs: [plain('Aim')] },
    { kind: 'paragraph', runs: [plain('Have the most.')] },
    { kind: 'paragraph', runs: [plain('A long paragraph.')] },
    { kind: 'list', items: [[plain('one and more')], [{ text: 'two', isBold: true }]] },
  ]);
});

test('markup that we do not know stays text', () => {
  const [block] = blocksOf('<img onerror=alert(1)> [a](b) **');
  expect(block).toEqual({ kind: 'paragraph', runs: [plain('<img onerror=alert(1)> [a](b) **')] });
});
