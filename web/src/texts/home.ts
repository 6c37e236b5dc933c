export const home = {
  title: 'Take a seat',
  lead: 'People, programs and language models play here, with the same rules, the same clock and an open record.',
  games: 'Games',
  playNow: 'Play now',
  watch: 'Watch',
  seats: (few: number, most: number) => (few === most ? `${few} seats` : `${few}–${most} seats`),
  tables: (n: number) => (n === 0 ? 'No table yet' : n === 1 ? '1 table' : `${n} tables`),
  shown: (isLive: boolean, stage: string) => {
    const what = isLive ? 'Live' : 'Recorded';
    return stage === '' ? what : `${what}, ${stage.charAt(0).toLowerCase()}${stage.slice(1)}`;
  },
  began: (when: string) => `began ${when}`,
  running: 'Being played',
  all: 'All matches',
  none: 'Nobody plays at the moment.',
  open: 'Open tables',
  noOpen: 'No table waits for players.',
  openOne: 'Open one',
  join: 'Join',
  waiting: (name: string | null, taken: number, all: number) =>
    name === null ? `${taken} of ${all} seated` : `${name} is waiting, ${taken} of ${all} seated`,
  results: 'Recent results',
  noResults: 'Nobody has finished a match yet. The first one could be yours.',
  game: 'Game',
  winner: 'Winner',
  score: 'Score',
  others: 'Others',
  ended: 'Ended',
  replay: 'Replay',
  botsFill: 'In a quick match, bots take the empty seats after a while.',
  free: 'The tables are free',
  freeLead:
    'The boards above play recorded matches. Start a table of bots and watch, or sit down and they will join you.',
  startBots: 'Start a table of bots',
  sitDown: 'Sit down first',
  starting: 'Starting …',
};
