export const projector = {
  title: 'Projector',
  live: 'Live',
  example: 'A recorded match',
  standings: (days: number) => `Wins of the last ${days} days`,
  counts: 'Counts, not ratings. Guests are not listed.',
  league: {
    state: (state: string, left: string, settled: number, matches: number) =>
      state === 'open'
        ? `Open for entries, ${left} left`
        : state === 'over'
          ? 'Final table'
          : `${settled} of ${matches} matches played`,
    enterAt: 'Enter your bot at',
    entries: 'Entries',
    noEntries: 'Nobody has entered yet.',
    mean: 'Mean points',
    next: 'Being played, and next',
    frozen: 'The table is frozen. Later results are shown when the league is over.',
  },
  place: 'Place',
  name: 'Name',
  wins: 'Wins',
  matches: 'Matches',
  join: 'Come and play',
  joinLead: 'Scan the code, or open the address.',
  onlyHere: 'Only this machine can open this address. Open the projector at the address that the others use.',
  qr: (address: string) => `QR code of ${address}`,
  over: 'The match is over',
  back: 'Back',
  next: 'Next',
  pause: 'Pause',
  goOn: 'Go on',
  full: 'Full screen',
  controls: 'Projector controls',
  keys: 'Keys: Space pauses, ← and → go back and on, F fills the screen.',
  at: (n: number, of: number) => `${n} of ${of}`,
};
