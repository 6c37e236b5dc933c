const NAMES: Record<string, string> = {};

/** The name of a card as it stands on it. */
function name(card: string): string {
  return (NAMES[card] ??= card.charAt(0).toUpperCase() + card.slice(1));
}

/** `2 Copper, Gold`. */
function list(cards: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts].map(([card, count]) => (count > 1 ? `${count} ${name(card)}` : name(card))).join(', ');
}

const count = (many: number, one: string, more = `${one}s`) => (many === 1 ? `1 ${one}` : `${many} ${more}`);

interface Summary {
  readonly played: readonly string[];
  readonly gained: readonly string[];
  readonly bought: readonly string[];
  readonly trashed: readonly string[];
}

/** `played Smithy, bought Gold`. */
function summary(turn: Summary): string {
  const parts = [
    turn.played.length > 0 ? `played ${list(turn.played)}` : '',
    turn.trashed.length > 0 ? `trashed ${list(turn.trashed)}` : '',
    turn.gained.length > 0 ? `gained ${list(turn.gained)}` : '',
    turn.bought.length > 0 ? `bought ${list(turn.bought)}` : '',
  ].filter(Boolean);
  return parts.join(' · ') || 'did nothing';
}

export const dominion = {
  actions: 'actions',
  buys: 'buys',
  money: 'money',
  cards: (many: number) => count(many, 'card'),
  stage: (view: { over: boolean; areas: readonly { turns: number }[] }) =>
    view.over ? 'over' : `turn ${Math.max(1, ...view.areas.map((area) => area.turns))}`,
  heading: (view: { over: boolean; turn: number; areas: readonly { turns: number }[] }, provinces: number) =>
    `${view.over ? 'The match is over' : `Turn ${view.areas[view.turn]?.turns ?? 1}`} · ${count(provinces, 'Province')} left`,

  name,
  list,
  summary,
  kinds: {
    curse: 'curse',
    treasure: 'treasure',
    victory: 'victory',
    action: 'action',
    attack: 'action, attack',
    reaction: 'action, reaction',
  } as Record<string, string>,
  /** One or two short lines on a card. */
  brief: {
    curse: ['−1 point'],
    copper: ['worth 1'],
    silver: ['worth 2'],
    gold: ['worth 3'],
    estate: ['1 point'],
    duchy: ['3 points'],
    province: ['6 points'],
    cellar: ['+1 action', 'swap cards'],
    market: ['+1 of each'],
    militia: ['+2 money', 'hands to 3'],
    mine: ['treasure', 'up to +3'],
    moat: ['+2 cards', 'shields you'],
    remodel: ['trash, gain', 'up to +2'],
    smithy: ['+3 cards'],
    village: ['+1 card', '+2 actions'],
    woodcutter: ['+1 buy', '+2 money'],
    workshop: ['gain a card', 'up to 4'],
  } as Record<string, string[]>,
  rules: {
    curse: 'Takes 1 point away at the end. Nobody has to take one.',
    copper: 'A treasure worth 1. It is played when you buy.',
    silver: 'A treasure worth 2. It is played when you buy.',
    gold: 'A treasure worth 3. It is played when you buy.',
    estate: 'Counts 1 point at the end. It does nothing before.',
    duchy: 'Counts 3 points at the end. It does nothing before.',
    province: 'Counts 6 points at the end. When the last one is gone, the match ends with that turn.',
    cellar: 'Gives 1 action. Discard as many cards as you like from your hand, and draw as many new ones.',
    market: 'Draw 1 card. Gives 1 action, 1 buy and 1 money.',
    militia: 'Gives 2 money. Each other player with more than three cards in hand discards down to three.',
    mine: 'Trash a treasure from your hand, and take a treasure that costs at most 3 more, straight into your hand.',
    moat: 'Draw 2 cards. While it is in your hand, show it when you are attacked, and the attack does nothing to you.',
    remodel: 'Trash a card from your hand, and gain a card that costs at most 2 more.',
    smithy: 'Draw 3 cards.',
    village: 'Draw 1 card. Gives 2 actions.',
    woodcutter: 'Gives 1 buy and 2 money.',
    workshop: 'Gain a card that costs at most 4.',
  } as Record<string, string>,
  noRules: 'This page does not know the card. The rules of the game explain it.',

  supply: 'Supply',
  pile: (card: string, cost: number, left: number) => `${name(card)}, costs ${cost}, ${left} left`,
  inTray: (many: number) => `${many} in your tray`,
  chosenToGain: 'chosen',
  endsWith: 'Ends when all Provinces are gone',
  orEmpty: 'or when three piles are empty',
  provincesLeft: (left: number, most: number) => `${left} of ${most} Provinces left`,
  pilesEmpty: (many: number) => `${many} of 3 piles empty`,
  trash: 'trash',
  trashList: (cards: readonly string[]) => (cards.length === 0 ? 'Nothing was trashed' : `Trashed: ${list(cards)}`),

  seats: 'Players',
  handOf: (many: number) => `${count(many, 'card')} in hand`,
  deck: 'deck',
  discard: 'discard',
  onTop: (card: string) => `${name(card)} on top`,
  emptyPile: 'empty',
  playsNow: 'plays now',
  isAttacked: 'is attacked',
  hasLeft: 'has left',
  lastTurn: (turn: Summary) => `Last turn: ${summary(turn)}`,
  firstTurn: 'No turn yet',

  inPlay: 'In play',
  nothingPlayed: (who: string) => `${who} has played nothing yet this turn.`,
  youPlayedNothing: 'You have played nothing yet this turn.',
  times: (many: number) => `× ${many}`,
  asksYou: 'asks you',
  thisTurn: 'This turn',
  counters: 'Left in this turn',
  after: (value: number, card: string) => `${value} after ${name(card)}`,
  fromHand: (treasures: number) => `${treasures} in hand`,

  tray: 'To buy',
  trayOf: (taken: number, buys: number) => `${taken} of ${count(buys, 'buy')}`,
  emptyTray: 'Click a lit card of the supply to put it here.',
  takeOut: (card: string) => `Take ${name(card)} out of the tray`,
  spent: (spent: number, money: number) => `${spent} of ${money} money spent, `,
  left: (left: number) => (left < 0 ? `${-left} missing` : `${left} left`),

  yourDeck: 'Your deck',
  deckOfPlayer: (name: string) => `Deck of ${name}`,
  deckOf: (cards: number, points: number) => `${count(cards, 'card')} · ${count(points, 'point')}`,
  where: (hand: number, play: number) =>
    [hand > 0 ? `${hand} in hand` : '', play > 0 ? `${play} in play` : ''].filter(Boolean).join(', '),
  points: (points: number) => `${count(points, 'point')} so far`,

  hand: 'Your hand',
  handCard: (card: string) => name(card),
  noHand: 'Your hand is empty.',
  marks: {
    kept: 'held back',
    trash: 'to the trash',
    top: 'on top',
    asking: 'asks you',
  } as Record<string, string>,
  nth: (place: number) => `${place}.`,
  discardNth: (place: number) => `discard ${place}`,

  yourTurn: 'Your turn',
  turnHint: (canPlay: boolean, buys: number, money: number) =>
    [
      canPlay ? 'Click a lit card of your hand to play it.' : '',
      buys > 0 ? `Click lit cards of the supply to buy them: ${money} money.` : 'All buys are in the tray.',
    ]
      .filter(Boolean)
      .join(' '),
  keptHint: 'Click a treasure again to play it with the buy.',
  cleanTitle: 'End of your turn',
  cleanHint: 'Choose the card that lies on top of your discard pile, if you like.',
  cleanNothing: 'Nothing is left to decide.',
  ask: {
    cellar: 'Which cards should Cellar swap?',
    mine: 'Which treasure should Mine trash?',
    remodel: 'Which card should Remodel trash?',
    workshop: 'Which card should Workshop gain?',
  } as Record<string, string>,
  askGain: (card: string) => `Which card should ${name(card)} gain?`,
  pendingHint: {
    cellar: 'Click cards of your hand. You draw as many as you discard.',
    mine: 'Click a lit treasure of your hand.',
    remodel: 'Click a lit card of your hand.',
    workshop: 'Click a lit card of the supply. It costs at most 4.',
  } as Record<string, string>,
  gainHint: (trashed: string, most: number, toHand: boolean) =>
    `${name(trashed)} goes to the trash. Click a lit card: it costs at most ${most} and comes to your ${toHand ? 'hand' : 'discard pile'}.`,
  noGain: (trashed: string) => `${name(trashed)} goes to the trash. No card of the supply is cheap enough to gain.`,
  swap: (many: number) => (many === 0 ? 'Play Cellar, swap nothing' : `Discard ${count(many, 'card')}, draw as many`),
  exchange: (trash: string | null, gain: string | null) =>
    [
      trash === null ? '' : `Trash ${name(trash)}`,
      gain === null ? '' : `${trash === null ? 'Gain' : 'gain'} ${name(gain)}`,
    ]
      .filter(Boolean)
      .join(', '),
  play: (card: string) => `Play ${name(card)}`,
  takeBack: (card: string) => `Take ${name(card)} back`,
  attackTitle: (card: string, many: number) => `${name(card)}: discard ${count(many, 'card')}`,
  attackHint: 'Click cards of your hand, in the order in which they are discarded. The last one lies on top.',
  orReveal: 'Or reveal your Moat, and keep all cards.',
  discardThese: (chosen: number, many: number) =>
    chosen < many ? `Discard ${chosen} of ${many}` : `Discard ${count(many, 'card')}`,
  reveal: 'Reveal Moat',
  endTurn: 'End turn',
  endWithout: 'End turn, buy nothing',
  buyAndEnd: (cards: readonly string[]) => `Buy ${list(cards)}, end turn`,
  buyOnly: 'Only buy',
  sending: 'Sent, waiting for the referee',
  waitsFor: (player: string) => `${player} plays`,
  waitsForAttack: (player: string) => `${player} answers an attack`,
  over: 'The match is over.',
  keys: {
    turn: 'Keys: 1 to 9 for your hand, arrows through hand and supply, Enter presses, E buys and ends the turn, B only buys, Esc takes back.',
    choice:
      'Keys: 1 to 9 for your hand, arrows through hand and supply, Enter presses, E plays the card, Esc takes back.',
    attack: 'Keys: 1 to 9 for your hand, E discards, R reveals, Esc takes back.',
    clean: 'Keys: 1 to 9 for the top card, E ends the turn.',
    wait: '',
  },

  /** Why the page does not send a move. */
  problems: {
    no_actions: () => 'You have no action left.',
    not_an_action: (card: string) => `${name(card)} is not an action card, so it cannot be played.`,
    no_treasure: () => 'Mine needs a treasure in your hand to trash.',
    nothing_to_trash: () => 'Remodel needs another card in your hand to trash.',
    nothing_to_gain: () => 'No card of the supply is cheap enough to gain.',
    not_a_treasure: (card: string) => `Mine trashes treasures only, and ${name(card)} is none.`,
    choose_pile: (card: string) => `${name(card)} takes a card of the supply, not of your hand.`,
    choose_hand: (card: string) => `${name(card)} takes cards of your hand, not of the supply.`,
    trash_first: () => 'First choose the card of your hand to trash.',
    not_to_gain: (card: string) => `${name(card)} cannot be gained with this card.`,
    choose_trash: () => 'Choose the card of your hand to trash.',
    choose_gain: () => 'Choose the card of the supply to gain.',
    discard_more: () => 'Choose more cards to discard.',
    enough: () => 'That is more than you have to discard. Take one back first.',
    no_buys: () => 'You have no buy left for it.',
    empty: (card: string) => `No ${name(card)} is left in the supply.`,
    dear: (card: string) => `${name(card)} costs more than the money you have left.`,
    tray_no_buys: () => 'There are more cards in the tray than you have buys.',
    tray_empty: () => 'A pile does not have enough cards for the tray.',
    tray_dear: () => 'The cards in the tray cost more than you can spend.',
  } as Record<string, (card: string) => string>,
  notSent: 'It is not sent.',
  refused: (words: string) => `Refused: ${words}.`,
  late: 'The time was up.',
  costs: {
    Waste: 'You lost one action.',
    EndTurn: 'The referee ended your turn.',
    AnyDiscard: 'The referee discarded cards at random.',
  } as Record<string, string>,

  tutorial: {
    you: 'You',
    other: 'Marrow',
    deck: {
      title: 'A small, poor deck',
      text: 'You begin with seven Coppers and three Estates, and draw five cards. The supply shows what you can buy: the cost is in the coin, the number of cards left beside it.',
    },
    action: {
      title: 'Play an action',
      text: 'You have one action each turn. Village draws a card and gives two more, so Smithy can follow it and draw three cards.',
    },
    buy: {
      title: 'Then buy',
      text: 'Your treasures and the money of your actions pay for new cards. With one buy you take one card; Market and Woodcutter give more buys. Bought cards go to your discard pile.',
    },
    attack: {
      title: 'Attacks and choices',
      text: 'Militia makes the others discard down to three cards; you choose which. If you hold a Moat, you may show it and keep them all.',
    },
    end: {
      title: 'Provinces decide',
      text: 'The match ends when the last Province is bought, or when three piles are empty. Count the points of all your cards: the most points win.',
    },
  },
};
