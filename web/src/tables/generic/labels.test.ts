import { expect, test } from 'vitest';
import { actionWords, helpText, humanised, inWords, scalarText, shownWord } from './labels';

test.each([
  ['CleanUp', 'Clean up'],
  ['max_turn', 'Max turn'],
  ['wild_ones', 'Wild ones'],
  ['BidOrCall', 'Bid or call'],
  ['HTTPError', 'HTTP error'],
  ['round', 'Round'],
  ['', ''],
])('%s is written %s', (name, words) => expect(humanised(name)).toBe(words));

test('words of a game lose their underscores, other texts stay', () => {
  expect(shownWord('dark_oak_planks')).toBe('dark oak planks');
  expect(shownWord('a_b c')).toBe('a_b c');
  expect(shownWord('┼')).toBe('┼');
});

test('single values in words', () => {
  expect([null, true, false, 0, 'x'].map(scalarText)).toEqual(['none', 'yes', 'no', '0', 'x']);
});

test('any value in one line', () => {
  expect(inWords({ type: 'Bid', count: 3, face: 2 })).toBe('count 3, face 2');
  expect(inWords({ oak_planks: 2 })).toBe('oak planks 2');
  expect(inWords([1, 2])).toBe('1, 2');
  expect(inWords([])).toBe('none');
  expect(inWords({ type: 'Done' })).toBe('done');
});

test('an action in one line leaves out empty fields', () => {
  expect(actionWords({ type: 'CleanUp', top: null })).toBe('Clean up');
  expect(actionWords({ type: 'Discard', cards: ['estate', 'copper'] })).toBe('Discard: estate, copper');
  expect(actionWords({ type: 'Play', card: 'cellar', discard: ['estate'], trash: null })).toBe(
    'Play: card cellar, discard estate',
  );
});

test('descriptions say none instead of None', () => {
  expect(helpText('By seat, as last shown to all.')).toBe('As last shown to all.');
  expect(helpText('None: all of them; `top` is a card.')).toBe('None: all of them; top is a card.');
  expect(helpText('The bid to beat; None at first.')).toBe('The bid to beat; none at first.');
  expect(helpText('By seat.')).toBe('');
  expect(helpText(undefined)).toBe('');
});
