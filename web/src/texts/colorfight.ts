const number = (value: number) => value.toLocaleString('en');
const plural = (count: number, one: string) => `${number(count)} ${one}${count === 1 ? '' : 's'}`;

interface CellFacts {
  readonly x: number;
  readonly y: number;
  readonly building: string;
  readonly level: number;
  readonly gold: number;
  readonly energy: number;
  readonly cost: number;
  readonly field: number;
}

const BUILDINGS: Record<string, string> = { ' ': 'Empty cell', h: 'Home', e: 'Energy well', g: 'Gold mine' };

/** An order in words. */
function orderWords(order: { kind: string; energy?: number; building?: string }, x: number, y: number): string {
  if (order.kind === 'attack') return `Attack ${x}, ${y} with ${number(order.energy ?? 0)}`;
  if (order.kind === 'upgrade') return `Upgrade ${x}, ${y}`;
  return `${order.building === 'e' ? 'Energy well' : 'Gold mine'} at ${x}, ${y}`;
}

export const colorfight = {
  number,
  gold: (amount: number) => `${amount} gold`,
  stage: (view: { over: boolean; turn: number; max_turn: number }) =>
    view.over ? 'over' : `round ${view.turn} of ${view.max_turn}`,
  heading: (view: { width: number; height: number; ruleset: string; turn: number; max_turn: number }) =>
    `${view.width} × ${view.height}, ${view.ruleset} rules · round ${view.turn} of ${view.max_turn}`,
  map: (view: { width: number; height: number }) => `Map of ${view.width} by ${view.height} cells`,
  mapKeys:
    'Arrow keys move the cursor from cell to cell, with Shift they move the map. Plus and minus zoom, 0 shows the whole map, H goes to your home. Space selects the cell.',
  mapKeysSeated:
    'A attacks the cell with the least energy, E builds a well, G a mine, U upgrades. Enter sends the list.',
  building: (letter: string) => BUILDINGS[letter] ?? '',
  at: (x: number, y: number) => `${x}, ${y}`,
  level: (level: number) => `level ${level}`,
  nobodys: 'nobody’s land',
  you: 'you',
  cell: (facts: CellFacts, owner: string | null) =>
    [
      `Column ${facts.x}, row ${facts.y}`,
      owner === null ? 'nobody’s' : owner,
      facts.building === ' ' ? 'empty' : `${(BUILDINGS[facts.building] ?? '').toLowerCase()} of level ${facts.level}`,
      `gives ${facts.gold} gold and ${facts.energy} energy`,
      `costs ${number(facts.cost)} energy`,
      ...(facts.field > 0 ? [`of which the force field is ${number(facts.field)}`] : []),
    ].join(', ') + '.',
  givesGold: 'Gives gold',
  givesEnergy: 'Gives energy',
  naturalCost: 'Natural cost',
  field: 'Force field',
  toTake: 'To take it',
  toRenew: 'To renew its field',
  gives: (gold: number, energy: number) => `Gives ${number(gold)} gold, ${number(energy)} energy a round`,
  costsToTake: (cost: number, field: number) =>
    field > 0 ? `costs ${number(cost)}, ${number(field)} of it the field` : `costs ${number(cost)}`,
  costsToRenew: (cost: number) => `${number(cost)} to renew its field`,
  product: (natural: number, made: number) =>
    made === natural || made % natural !== 0 ? number(made) : `${natural} × ${made / natural} = ${number(made)}`,
  ring: (turn: number, most: number) => `Round ${turn} of ${most}`,
  roundOf: (turn: number, most: number) => `${turn} of ${most}`,
  of: (most: number) => `of ${number(most)}`,
  seconds: (left: number) =>
    left < 100 ? `${left} s` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`,
  over: 'over',
  standings: 'Players, by gold',
  income: (amount: number) => `+${number(amount)}`,
  dead: 'has no cells left',
  showHome: (name: string) => `Show the land of ${name} on the map`,
  numbers: (user: { energy: number; energy_source: number; cells: number }) =>
    `${number(user.energy)} energy, ${plural(user.cells, 'cell')}`,
  mini: 'Overview. Drag to move the map.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit',
  fitHint: 'Show the whole map',
  tools: 'Map',
  legend: {
    title: 'What the signs mean',
    h: 'home',
    e: 'energy well',
    g: 'gold mine',
    gold: 'little, much gold',
    energy: 'little, much energy',
    field: 'rim: weak, strong force field',
    target: 'you can take it now',
  },
  charts: 'Charts',
  chart: { gold: 'Gold', energy: 'Energy', cells: 'Cells' },
  chartNote: {
    gold: 'decides the game',
    energy: 'in store',
    cells: (cells: number) => `of ${number(cells)}`,
  },
  chartGaps: 'The charts show the rounds that this page has shown since you opened it.',
  chartOf: (title: string, values: readonly string[]) => `${title} by round: ${values.join(', ')}`,
  chartValue: (name: string, value: number) => `${name} ${number(value)}`,

  orders: (turn: number) => `Orders for round ${turn}`,
  energyLeft: (left: number, all: number) => ({ label: 'Energy', left: number(left), all: `of ${number(all)} left` }),
  goldLeft: (left: number, all: number) => ({ label: 'Gold', left: number(left), all: `of ${number(all)} left` }),
  chosen: 'The selected cell',
  close: 'Deselect the cell',
  choose: 'Select a cell on the map: one beside your land to attack it, one of your own to build on it.',
  chooseLit: 'Cells with a bright corner can be taken with the energy you have.',
  attack: 'Attack',
  renew: 'Renew the field',
  change: 'Change the attack',
  energy: 'Energy to spend',
  less: 'Less energy',
  more: 'More energy',
  least: (energy: number) => `Least ${number(energy)}`,
  double: (energy: number) => `Double ${number(energy)}`,
  all: (energy: number) => `All ${number(energy)}`,
  attackGain: (energy: number, field: number) =>
    `If nobody else attacks it, it is yours with a force field of ${number(field)} for ${number(energy)} energy.`,
  build: (letter: string, gain: number) =>
    letter === 'e'
      ? { name: 'Energy well', gain: `+${gain} energy a round` }
      : { name: 'Gold mine', gain: `+${gain} gold a round` },
  upgrade: (level: number) => `Upgrade to level ${level}`,
  price: (price: { gold: number; energy: number }) =>
    [price.gold > 0 ? `${number(price.gold)} gold` : '', price.energy > 0 ? `${number(price.energy)} energy` : '']
      .filter(Boolean)
      .join(' and '),
  list: 'Your list',
  order: orderWords,
  attackNote: (cost: number) => `costs ${number(cost)} at least`,
  remove: (words: string) => `Remove: ${words}`,
  clear: 'Clear',
  send: (orders: number) => (orders === 0 ? 'Send no orders' : `Send ${plural(orders, 'order')}`),
  sendAgain: (orders: number) => (orders === 0 ? 'Send an empty list' : `Send ${plural(orders, 'order')} instead`),
  sent: 'Sent',
  enter: 'Enter',
  isSent: 'Your list is with the referee. Until the round closes you can change it and send it again.',
  isChanged: 'You changed the list after you sent it. What you sent counts until you send again.',
  untilClose: 'The round closes when everybody has sent a list, or when the time is up.',
  listsLeft: (left: number) => (left <= 3 ? ` ${plural(left, 'more list')} can be sent in this round.` : ''),
  noMoreLists: 'You have sent ten lists in this round; the last one counts.',
  someFail: (count: number) => `${plural(count, 'order')} in the list cannot be carried out and would cost nothing.`,
  waiting: 'The next round begins in a moment.',
  youAreDead: 'You have no cells left, so you give no more orders. Your gold still counts.',
  ended: 'The game is over.',
  refused: (words: string) => `Refused: ${words}`,
  tooLate: 'Your change came too late: the round had closed. The list that you sent before was played.',
  moreSetbacks: (count: number) => `and ${plural(count, 'more line')} in the log`,
  setbacks: 'Last round',
  dropped: 'Taken from your list',
  problems: {
    below_cost: 'This is less than the cell costs.',
    no_energy: 'There is not enough energy left.',
    no_neighbour: 'None of your cells touches it.',
    not_yours: 'The cell is not yours.',
    has_building: 'There is a building already.',
    no_gold: 'There is not enough gold left.',
    no_building: 'There is nothing to upgrade.',
    best_level: 'It has the best level, 4.',
    home_first: 'Upgrade your home first: nothing can be better than it.',
    not_taken: 'Not taken: others spent as much on it. The energy is gone.',
  },
  tutorial: {
    players: ['You', 'Otter', 'Wren'],
    steps: [
      {
        title: 'Everybody wants the map',
        text: 'You are the yellow circle. Each round your cells give you energy and gold. Energy takes more cells, gold builds on them, and the player with the most gold at the end wins.',
      },
      {
        title: 'Attack',
        text: 'Spend energy on a cell beside your land, at least as much as it costs. It is yours if you spent more than all others together. All players give their orders at the same time, and nobody sees them before the round closes.',
      },
      {
        title: 'Force fields',
        text: 'A cell that you take gets a force field of twice what you spent, at most 1000. It makes the cell more expensive for others, and it fades where enemies stand beside it. Thick rims are strong fields.',
      },
      {
        title: 'Build and upgrade',
        text: 'For 100 gold an empty cell of yours becomes an energy well or a gold mine. Upgrades make it better, but never better than your home. Build early: gold that you spend must come back before the end.',
      },
      {
        title: 'The richest wins',
        text: 'After the last round only the gold that you still have counts. Energy is worth nothing then, so spend it while there is land to take.',
      },
    ],
  },
};
