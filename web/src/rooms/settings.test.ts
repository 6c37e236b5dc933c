import { describe, expect, it } from 'vitest';
import { changesOf, formOf, NAME, problemsOf, type RoomFields } from './settings';

const FIELDS: RoomFields = {
  ruleset: 'seed',
  max_turn: 500,
  round_time: 1,
  first_round_time: 'never',
  finish_time: 0,
  max_player: null,
  allow_join_after_start: true,
  allow_manual_mode: false,
  replay_enable: 'always',
  room_description: '',
};
const BOUNDS = {
  max_turn: { least: 200, most: 2000 },
  round_time: { least: 0.2, most: 20 },
  first_round_time: { least: 0, most: 60 },
  finish_time: { least: 0, most: 60 },
  room_description: { least: 0, most: 5 },
};

describe('settings of a room', () => {
  it('are the same after a form that nobody touched', () => {
    expect(changesOf(formOf(FIELDS), FIELDS)).toEqual({});
    const timed: RoomFields = { ...FIELDS, first_round_time: 3, max_player: 4 };
    expect(changesOf(formOf(timed), timed)).toEqual({});
  });

  it('are sent if they differ', () => {
    const form = { ...formOf(FIELDS), max_turn: '300', first: 'seconds', firstSeconds: '2.5', max_player: '8' };
    expect(changesOf(form, FIELDS)).toEqual({ max_turn: 300, first_round_time: 2.5, max_player: 8 });
  });

  it('have reasons if they cannot be used', () => {
    const form = {
      ...formOf(FIELDS),
      max_turn: '200.5',
      round_time: '0.1',
      finish_time: '',
      room_description: '<b>bold',
    };
    expect(Object.keys(problemsOf(form, BOUNDS)).sort()).toEqual([
      'finish_time',
      'max_turn',
      'room_description',
      'round_time',
    ]);
    expect(problemsOf(form, BOUNDS).round_time).toContain('0.2 to 20');
    expect(problemsOf(formOf(FIELDS), BOUNDS)).toEqual({});
  });

  it('count the seconds before the first round only if there are some', () => {
    const form = { ...formOf(FIELDS), firstSeconds: '99' };
    expect(problemsOf(form, BOUNDS)).toEqual({});
    expect(problemsOf({ ...form, first: 'seconds' }, BOUNDS)).toHaveProperty('firstSeconds');
  });
});

describe('the name of a room', () => {
  it('begins with a letter or a digit', () => {
    for (const good of ['a', 'My.room-1', '0_']) expect(NAME.test(good)).toBe(true);
    for (const bad of ['', '.', '..', '-a', 'a b', 'ü', 'a/b', 'x'.repeat(65)]) expect(NAME.test(bad)).toBe(false);
  });
});
