export const proof = {
  label: 'Proof',
  badge: { running: 'Checking …', holds: 'Proved', fails: 'Does not hold', open: 'Partly proved' },
  badgeHint: 'Show the proof',
  title: {
    running: 'Checking the transcript …',
    holds: 'This is the match as it was played',
    fails: 'This transcript does not hold',
    open: 'Nothing is wrong, but not everything can be checked here',
  },
  by: {
    browser: 'hashes and signature checked in your browser just now',
    bundled: 'hashes and signature checked just now by code in this page',
  },
  states: { holds: 'holds', fails: 'does not hold', open: 'cannot be checked here' },
  checks: {
    commitment: 'Commitment',
    salts: 'Salts',
    chain: 'Chain',
    replay: 'Replay',
    signature: 'Signature',
    receipt: 'Your receipt',
  },
  failed: 'The transcript could not be loaded, so nothing was checked.',
  limitsLabel: 'What this cannot show:',
  limits:
    'the arena and the last player to sit down, acting together, could still have chosen the cards. An arena could also drop a match it dislikes, so dropped tables stay listed. And this page comes from the arena itself. To trust nobody, check the file with a program that you installed:',
  command: (file: string) => `parlour verify ${file}`,
  copyCommand: 'Copy',
  commitment: {
    holds:
      'Before the first move the arena published a fingerprint (SHA-256) of its secret seed. The seed it showed after the end has that fingerprint.',
    wrong: (line: number) =>
      `The seed in line ${line} is not the one that the arena committed to before the first move.`,
    other: 'The commitment in line 1 is not the one that the arena published for this match.',
    noSeed: 'The transcript does not show the seed yet. The arena adds it after the end.',
    noHeader: 'Line 1 cannot be read, so the commitment is not known.',
    seed: (hex: string) => `seed ${hex}`,
  },
  salts: {
    own: 'The salt of this browser is in line 1 as it was given. Seed and salts together made the dice, so the arena alone did not choose them.',
    signed:
      'Seed and salts together made the dice, so neither the arena nor one player alone chose them. The salts are in line 1 as the arena signed it.',
    wrong: (seat: number) =>
      `The salt of seat ${seat} is not the one that this browser gave. The dice were made with another salt.`,
    changed: 'Line 1, which has the salts, is not the line that the arena signed. A salt may have been changed.',
    none: 'No player gave a salt. The seed of the arena alone made the dice.',
    unknown: 'There is no receipt and no signature to compare the salts with. The players know which salts they gave.',
    noHeader: 'Line 1 cannot be read, so the salts are not known.',
    count: (salts: number, seats: number) =>
      `${salts} ${salts === 1 ? 'salt' : 'salts'} of ${seats} ${seats === 1 ? 'seat' : 'seats'}`,
  },
  chain: {
    holds:
      'Every line holds the fingerprint of the line before it. Change one letter anywhere and all later lines stop matching.',
    empty: 'The file is empty.',
    cut: (line: number) => `Line ${line} has no end: the file was cut here.`,
    json: (line: number) => `Line ${line} cannot be read: it was changed or damaged.`,
    header: (line: number) => `Line ${line} is not the header of a match.`,
    record: (line: number) => `Line ${line} is not a record of a match.`,
    link: (line: number) =>
      `Line ${line} does not hold the fingerprint of line ${line - 1}. One of the two was changed.`,
    number: (line: number) => `Line ${line} has a wrong number. Lines were added or removed.`,
    order: (line: number) => `Line ${line} is a record that cannot come at this place.`,
    count: (lines: number) => `${lines} ${lines === 1 ? 'line' : 'lines'}`,
    head: (lines: number, head: string) => `${lines} lines, head ${head}`,
  },
  replay: {
    holds:
      'The arena played all moves again by the rules: the same dice, the same faults at the same price, the same result. Only the rules can show this, so the arena was asked.',
    fails: (why: string, line: number | null) =>
      `The arena checked the moves by the rules, and ${line === null ? 'they do not hold' : `line ${line} is wrong`}: ${why}.`,
    open: (why: string) => `The arena could not play all moves again: ${why}.`,
    noAnswer: (why: string) => `The arena was asked to play the moves again and did not answer. ${why}`,
    running: 'The arena is playing the moves again by the rules …',
    rules: (moves: number, game: string, version: number) => `${moves} moves, rules ${game} ${version}`,
  },
  signature: {
    holds:
      'The arena signed the last fingerprint and the result with its key. It cannot show another match under this name later.',
    header: 'Line 1 is not the line that the arena signed.',
    head: 'The last fingerprint is not the one that the arena signed. A line was changed and all later fingerprints were computed again.',
    invalid: 'The signature is not valid for this match, its fingerprints and its result.',
    key: 'The result is signed with another key than the one that the arena publishes.',
    broken:
      'The signature is valid for the first line and the end. The chain between them is broken, so it does not cover the lines there.',
    noHeader: 'Line 1 cannot be read, so it is not known which match was signed.',
    noEnd: 'The transcript has no end, and only finished matches are signed.',
    unknown: (match: string) => `This arena does not know the match ${match}, so there is no signature to compare.`,
    unsigned: 'The arena gives no signature for this match.',
    shown: (key: string) => `key ${key}`,
  },
  receipt: {
    holds: (answers: number) =>
      `This browser kept what it sent and was told. ${answers === 1 ? 'Its one answer is' : `All ${answers} of its answers are`} in the transcript, in order.`,
    match: (theirs: string, ours: string) => `The transcript is of match ${theirs}, your receipt of match ${ours}.`,
    header: 'Line 1 is not the header that this browser was told when the match began.',
    seat: (seat: number) => `Seat ${seat} has another player in the transcript than in your receipt.`,
    commit: 'The commitment in line 1 is not the one that this browser was told before it sat down.',
    head: 'The last fingerprint is not the one that this browser was told at the end.',
    end: 'The result is not the one that this browser was told at the end.',
    missing: (action: string, ask: number) =>
      `Your answer ${action} to question ${ask} is not in the transcript, and you were not told that it was refused.`,
    instead: (line: number, action: string) => `Line ${line} has ${action} instead.`,
    untold: (line: number, fault: string) =>
      `Line ${line} has a fault of yours (${fault}) of which this browser was not told.`,
    lacking: (fault: string) => `This browser was told of a fault (${fault}) that the transcript does not have.`,
    others: (answers: number, others: number) =>
      `${answers} answers of this browser are in the transcript, in order. ${others} more of your seat were not sent from here: the referee plays for you when there is no choice, and you may have played elsewhere.`,
    unfinished: 'Your receipt ends before the match did, so it has no last fingerprint to compare.',
    broken: 'The receipt in this browser cannot be read.',
    lost: 'This browser could not keep a receipt of this match: there was no room in its storage.',
    losing:
      'This browser keeps no receipt of this match: there is no room in its storage, or it is switched off. You can play on as usual.',
    count: (answers: number, seat: number) => `${answers} answers, seat ${seat}`,
  },
};
