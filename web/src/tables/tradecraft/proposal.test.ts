import { expect, it } from 'vitest';
import { changed, problemOf, problemsOf, sideOf } from './proposal';

const HAND = { coal: 2, stick: 4, iron_ingot: '1/2' };

it.each([
  ['coal', '2', null],
  ['coal', '1/2', 'fraction'],
  ['coal', '0.5', 'fraction'],
  ['coal', '4/2', null],
  ['coal', '3', 'too_many'],
  ['coal', 'some', 'not_a_number'],
  ['coal', '0', 'not_a_number'],
  ['gold_ingot', '1', 'too_many'],
])('%s %s: %s', (item, text, problem) => expect(problemOf(item, text, HAND)).toBe(problem));

it('lists the lines that cannot be sent', () => {
  expect([...problemsOf({ coal: '1/8', stick: '4' }, HAND)]).toEqual([['coal', 'fraction']]);
});

it('counts up and down, and takes out what is none', () => {
  expect(changed({}, 'coal', 1)).toEqual({ coal: '1' });
  expect(changed({ coal: '1', stick: '2' }, 'coal', -1)).toEqual({ stick: '2' });
  expect(changed({ coal: '1/2' }, 'coal', 1)).toEqual({ coal: '1' });
});

it('is sent in whole numbers', () => expect(sideOf({ coal: '4/2', stick: ' 3' })).toEqual({ coal: 2, stick: 3 }));
