import { expect, it } from 'vitest';
import type { Board, Field, Shape } from './shapes';
import { cellText, smallColumns, tellingOf } from './small';

const word = (text: string): Shape => ({ is: 'word', text });
const field = (name: string, shape: Shape): Field => ({ key: name, name, help: '', shape });
const EMPTY: Board = { facts: [], seats: null, lines: [], panels: [], empty: [] };

it('takes columns of short values, those that tell the seats apart first', () => {
  const columns = ['Gone', 'Message', 'Dice', 'Hand'].map((name) => ({ key: name, name, help: '' }));
  const chips: Shape = { is: 'chips', items: [] };
  const rows = [
    [word('no'), word('I will never say so again'), word('5'), chips],
    [word('no'), word('ok'), word('3'), chips],
  ];
  expect(smallColumns({ columns, rows }).map(({ name }) => name)).toEqual(['Dice', 'Gone']);
});

it('shows the board of a board game, but no huge one', () => {
  const rows = [
    [word('x'), word('o')],
    [word(''), word('x')],
  ];
  const lines = [field('Moves', { is: 'chips', items: [word('a')] })];
  const panels = [field('Board', { is: 'grid', rows })];
  expect(tellingOf({ ...EMPTY, lines, panels })).toEqual({ is: 'grid', rows });
  const huge = Array.from({ length: 30 }, () => Array.from({ length: 30 }, () => word('x')));
  expect(tellingOf({ ...EMPTY, lines, panels: [field('Board', { is: 'grid', rows: huge })] })).toMatchObject({
    is: 'line',
  });
});

it('shows a record of short values, else single values, else nothing', () => {
  const bid = field('Bid', { is: 'record', name: '', fields: [field('Count', word('3')), field('Face', word('6'))] });
  const facts = [field('Round', word('2')), field('A very long name', word('1'))];
  expect(tellingOf({ ...EMPTY, facts, panels: [bid] })).toMatchObject({ is: 'facts', name: 'Bid' });
  expect(tellingOf({ ...EMPTY, facts })).toMatchObject({ is: 'facts', name: null, fields: [facts[0]] });
  expect(tellingOf(EMPTY)).toBeNull();
});

it('cuts the text of a cell to two letters', () => {
  expect(
    [word('knight'), { is: 'flag', on: true } as const, { is: 'none', text: 'none' } as const].map(cellText),
  ).toEqual(['kn', '•', '']);
});
