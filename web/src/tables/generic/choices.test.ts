import { expect, test } from 'vitest';
import { grouped, matching } from './choices';
import { momentOf } from '../../../tests/games';

test('the bids of Liar’s Dice are a grid below the single answer', () => {
  const choices = momentOf('liarsdice').ask.choices as unknown[];
  const [challenge, bids] = grouped(choices);
  expect(challenge!.choices.map((each) => each.words)).toEqual(['Challenge']);
  expect(bids!.grid).toMatchObject({ rowName: 'count', columnName: 'face', columns: ['1', '2', '3', '4', '5', '6'] });
  const [first, second] = bids!.grid!.rows;
  expect(first!.name).toBe('8');
  expect(first!.cells.map((cell) => cell?.words ?? null)).toEqual([
    null,
    null,
    null,
    null,
    null,
    'Bid: count 8, face 6',
  ]);
  expect(second!.cells.every((cell) => cell !== null)).toBe(true);
  const places = bids!.grid!.rows.flatMap((row) => row.cells.flatMap((cell) => (cell === null ? [] : [cell.index])));
  expect(places).toEqual(choices.map((_, i) => i).slice(1));
});

test('what all choices of a group have in common is said once', () => {
  const [group] = grouped([
    { type: 'Take', from: 'market', card: 3 },
    { type: 'Take', from: 'market', card: 5 },
  ]);
  expect(group!.shared).toBe('from market');
  expect(group!.choices.map((each) => each.label)).toEqual(['3', '5']);
  expect(group!.choices[0]!.words).toBe('Take: from market, card 3');
  expect(group!.grid).toBeNull();
});

test('a few pairs, and pairs with holes, are no grid', () => {
  const pair = (a: number, b: number) => ({ type: 'Go', a, b });
  expect(grouped([pair(1, 1), pair(1, 2), pair(2, 1)])[0]!.grid).toBeNull();
  const diagonal = Array.from({ length: 8 }, (_, i) => pair(i, i));
  expect(grouped(diagonal)[0]!.grid).toBeNull();
});

test('the side with fewer values is across', () => {
  const choices = Array.from({ length: 20 }, (_, i) => ({ type: 'Put', side: i % 2, place: Math.floor(i / 2) }));
  expect(grouped(choices)[0]!.grid).toMatchObject({ rowName: 'place', columnName: 'side', columns: ['0', '1'] });
});

test('choices that are no objects have labels too', () => {
  expect(grouped(['left', 'right'])[0]!.choices.map((each) => each.label)).toEqual(['left', 'right']);
});

test('a filter wants all words', () => {
  const [group] = grouped(['red fox', 'red hen', 'blue hen']);
  expect(matching(group!.choices, 'HEN red').map((each) => each.label)).toEqual(['red hen']);
  expect(matching(group!.choices, ' ')).toHaveLength(3);
});
