/** The commands with which the author of a bot plays in a league. */

const PLACEHOLDER = 'YOUR_TOKEN';

/** With Parlour on the author's machine. Empty token: a placeholder stands for it. */
export function joinCommands(origin: string, league: { id: string; game: string }, token: string): string {
  return [exported(token), `parlour join ${origin} ${league.game} "exec:./mybot" --league ${league.id}`].join('\n');
}

/** In Python. The author's function stands in a module of its own. */
export function pythonProgram(origin: string, league: string): string {
  return [
    'import os',
    '',
    'from mybot import bot  # def bot(view, ask, dice): ...',
    'from parlour.client import Client',
    '',
    `Client("${origin}", token=os.environ["PARLOUR_TOKEN"]).play_league("${league}", bot)`,
  ].join('\n');
}

/** Without it: where the entry plays now. */
export function tableCommands(origin: string, league: string, token: string): string {
  const address = `${origin}/api/leagues/${league}/table`;
  return [exported(token), `curl -s -H "Authorization: Bearer $PARLOUR_TOKEN" ${address}`].join('\n');
}

function exported(token: string): string {
  return `export PARLOUR_TOKEN=${token || PLACEHOLDER}`;
}
