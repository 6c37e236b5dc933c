import { expect, test } from 'vitest';
import { joinCommands, pythonProgram, tableCommands } from './commands';

const ORIGIN = 'http://arena.test:8000';

test('the commands contain the token, or a placeholder for it', () => {
  const league = { id: 'f00d', game: 'maze' };
  expect(joinCommands(ORIGIN, league, 'secret')).toBe(
    'export PARLOUR_TOKEN=secret\nparlour join http://arena.test:8000 maze "exec:./mybot" --league f00d',
  );
  expect(joinCommands(ORIGIN, league, '')).toContain('PARLOUR_TOKEN=YOUR_TOKEN');
  expect(tableCommands(ORIGIN, 'f00d', '')).toContain('http://arena.test:8000/api/leagues/f00d/table');
  expect(pythonProgram(ORIGIN, 'f00d')).toContain('.play_league("f00d", bot)');
});
