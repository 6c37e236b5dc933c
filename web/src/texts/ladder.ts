const plural = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : '±'}${Math.abs(value).toFixed(1)}`;

export const ladder = {
  title: 'Ladder',
  lead: 'Who plays best, as far as the rated matches show: quick matches, and those of leagues without teams.',
  games: 'Games',
  rank: 'Rank',
  player: 'Player',
  rating: 'Rating',
  range: 'Range',
  matches: 'Matches',
  trend: 'Trend',
  last: 'Last match',
  hint: 'The line is the range in which the skill almost surely lies, and the dot is the estimate. Players are ranked by the left end, the rating: a good player with few matches rises with each of them. The trend is the change of the estimate in the last ten matches.',
  range_: (low: string, mean: string, high: string) => `from ${low} to ${high}, estimate ${mean}`,
  figure: (value: number) => value.toFixed(1).replace('-', '−'),
  signed,
  kinds: { account: '', bot: 'built-in bot', command: 'of the host' } as Record<string, string>,
  provisional: 'Not ranked yet',
  provisionalLead: (matches: number) => `A rank needs ${plural(matches, 'rated match', 'rated matches')}.`,
  of: (matches: number, needed: number) => `${matches} of ${needed}`,
  none: (game: string) => `Nobody has a rating in ${game} yet`,
  noneLead:
    'Log in, and play a quick match yourself or with your bot, or enter a league. Built-in bots at the table are rated, too; with a guest at the table, nobody is.',
  play: 'Play now',
  connect: 'Connect a bot',
  tournaments: 'Tournaments',
  more: 'Show more',
  noRanks: 'Nobody has enough matches for a rank.',

  back: 'Ladder',
  noPlayer: 'There is no such player, or no rated match.',
  allOf: (game: string) => `Ladder of ${game}`,
  chart: (game: string, matches: number, first: string, last: string) =>
    `Estimated skill in ${game} over the last ${plural(matches, 'rated match', 'rated matches')}: from ${first} to ${last}`,
  chartLegend: 'The line is the estimate after each match, the band around it how uncertain it is.',
  rated: 'Rated matches',
  when: 'When',
  change: 'Change',
  estimate: 'Estimate',
  replay: 'Replay',
  older: 'Older ones are not listed.',
};
