"""A bot that keeps the public books, deals itself worlds that fit them, and plays its plans out in each."""

from collections import defaultdict
from collections.abc import Sequence

from parlour.core import Dice, Event, Seat
from parlour.games.forsale.phases import Auction, Sale
from parlour.games.forsale.rules import CHEQUES, ESTATES, PASS, REMOVED, SELLS, State
from parlour.games.forsale.values import Bid, BidOrPass, ChooseEstate, EstatesOpened, ChequesOpened, Raised, Options, Pass, Passed, Sell, Sold, View, Won

AUCTION_WORLDS = 12
SALE_WORLDS = 24
THIRST = 0.5
STEPS = (1, 2)
BOLD = (2, 3, 3, 4)
OBJ = "max"
HIGHEST = 12
SLIPS = (-1, 0, 1)
LEARN = 1
DEEP = 0


class Thinker:
    """One match's memory. What it has not seen it makes up, so it may also join late."""

    def __init__(self) -> None:
        self._paid: defaultdict[Seat, int] = defaultdict(int)
        self._hands: defaultdict[Seat, list[int]] = defaultdict(list)
        self._cheques: defaultdict[Seat, list[int]] = defaultdict(list)
        self._sold: set[int] = set()
        self._market: list[int] = []
        self._bids: dict[Seat, int] = {}
        self._slips: defaultdict[Seat, list[int]] = defaultdict(lambda: list(SLIPS))
        self._bold: defaultdict[Seat, list[float]] = defaultdict(lambda: list(BOLD))

    def event(self, seen: Event) -> None:
        match seen:
            case EstatesOpened(estates=cards) | ChequesOpened(cheques=cards):
                self._market, self._bids = list(cards), {}
            case Raised(seat=seat, bid=bid):
                self._bids[seat] = bid
        match seen:
            case Passed(seat=seat, estate=estate) if LEARN and len(self._market) > 1:
                low, high = self._bids.get(seat, 0), max(self._bids.values(), default=0) + 1
                self._bold[seat].append(6 * (low + high) / (self._market[-1] - self._market[0]))
                self._market.remove(estate)
        match seen:
            case Passed(seat=seat, estate=estate, paid=paid) | Won(seat=seat, estate=estate, paid=paid):
                self._hands[seat].append(estate)
                self._paid[seat] += paid
            case Sold(estates=estates, cheques=cheques):
                for seat, cheque in enumerate(cheques):
                    hand = sorted(set(self._hands[seat]) - self._sold)
                    if estates[seat] in hand and self._market:
                        self._slips[seat].append(hand.index(estates[seat]) - place(hand, self._market))
                    self._cheques[seat].append(cheque)
                self._sold.update(estates)

    def __call__(self, view: View, ask: BidOrPass | ChooseEstate, dice: Dice) -> Bid | Pass | Sell:
        if ask.choices is not None and len(ask.choices) == 1:
            return ask.choices[0]
        seat = view.seat or 0
        table = self._table(view, seat, dice)
        if isinstance(ask, ChooseEstate):
            return best_sale(table, seat, dice, self._slips)
        action = best_bid(table, seat, dice, self._bold)
        must_bid = ask.record == 0 and (ask.choices is None or PASS not in ask.choices)
        return Bid(1) if must_bid and action == PASS else action

    def _table(self, view: View, seat: Seat, dice: Dice) -> State:
        """A state that fits the books and the view; how the unseen cards lie is for `redeal`."""
        state = State()
        state.options, state.step, state.dice, state.over = Options(), 1, dice, False
        seats = state.seats = len(view.coins)
        state.round, state.first = view.round, seat
        auction = view.part == 1
        coins = view.coins[seat] or 0
        state.start = coins + self._paid[seat]
        state.coins = [
            max(state.start - self._paid[other], view.bids[other]) if known is None else known
            for other, known in enumerate(view.coins)
        ]
        state.bank = state.start * seats - sum(state.coins)
        held = [view.round - (other in view.inside) if auction else len(view.hand) for other in range(seats)]
        estates = [[card for card in self._hands[other] if card not in self._sold] for other in range(seats)]
        estates[seat] = list(view.hand)
        cheques = [self._cheques[other] for other in range(seats)]
        cheques[seat] = list(view.cheques)
        market = list(view.market)
        unseen = _without(ESTATES, *estates, self._sold, market if auction else ())
        unseen_cheques = _without(CHEQUES, *cheques, () if auction else market)
        dice.shuffle(unseen)
        dice.shuffle(unseen_cheques)
        state.hands = [_filled(cards, count, unseen) for cards, count in zip(estates, held, strict=True)]
        state.cheques = [_filled(cards, len(view.cheques), unseen_cheques) for cards in cheques]
        removed = REMOVED[seats]
        state.estate_deck, state.removed_estates = unseen[removed:], unseen[:removed]
        state.cheque_deck, state.removed_cheques = unseen_cheques[removed:], unseen_cheques[:removed]
        state.phase = (
            Auction(market, list(view.bids), list(view.inside), seat, view.record)
            if auction
            else Sale(market, [None] * seats)
        )
        return state


def _without(cards: Sequence[int], *seen: "Sequence[int] | set[int]") -> list[int]:
    left = list(cards)
    for some in seen:
        for card in some:
            if card in left:
                left.remove(card)
    return left


def _filled(cards: list[int], count: int, unseen: list[int]) -> list[int]:
    cards = cards[:count]
    return sorted(cards + [unseen.pop() for _ in range(count - len(cards))])


def best_bid(table: State, seat: Seat, dice: Dice, habits: defaultdict[Seat, list[float]]) -> Bid | Pass:
    """A plan is a first raise and a limit up to which it goes on by ones."""
    auction = table.phase
    assert isinstance(auction, Auction)
    record, coins = auction.record, table.coins[seat]
    plans = [(0, 0)]
    plans += [
        (first, limit)
        for limit in range(record + 1, min(coins, HIGHEST) + 1)
        for first in [record + step for step in STEPS]
        if first <= limit
    ]
    gains = [0.0] * len(plans)
    for _ in range(AUCTION_WORLDS):
        world = table.redeal(seat, dice)
        bold = [dice.pick(habits[other]) for other in range(table.seats)]
        for number, (first, limit) in enumerate(plans):
            twin = world.copy()
            twin.play(seat, Bid(first) if first else PASS)
            play_auction(twin, seat, limit, bold)
            gains[number] += lead(twin, seat)
    first, _ = plans[gains.index(max(gains))]
    return Bid(first) if first else PASS


def play_auction(state: State, seat: Seat, limit: int, bold: list[float]) -> None:
    round = state.round
    while isinstance(auction := state.phase, Auction) and state.round == round:
        turn, market, raised = auction.turn, auction.market, auction.record + 1
        most = limit if turn == seat else (market[-1] - market[0]) * bold[turn] / 12
        state.play(turn, Bid(raised) if raised <= min(most, state.coins[turn]) else PASS)


def best_sale(table: State, seat: Seat, dice: Dice, slips: defaultdict[Seat, list[int]]) -> Sell:
    hand = table.hands[seat]
    gains = [0.0] * len(hand)
    for _ in range(SALE_WORLDS):
        world = table.redeal(seat, dice)
        for other in range(table.seats):
            if other != seat:
                world.play(other, SELLS[likely(world, other, dice, slips[other])])
        for number, estate in enumerate(hand):
            twin = world.copy()
            twin.play(seat, SELLS[estate])
            for _ in range(DEEP):
                if twin.over:
                    break
                for other in range(table.seats):
                    twin.play(other, SELLS[likely(twin, other, dice, slips[other])])
            gains[number] += lead(twin, seat)
    return SELLS[hand[gains.index(max(gains))]]


def place(hand: Sequence[int], market: Sequence[int]) -> int:
    return min(len(hand) - 1, sum(market) * len(hand) // (15 * len(market)))


def likely(world: State, seat: Seat, dice: Dice, slips: list[int]) -> int:
    hand = world.hands[seat]
    at = place(hand, world.phase.market) + dice.pick(slips)
    return hand[max(0, min(at, len(hand) - 1))]


def lead(state: State, seat: Seat) -> float:
    """An estate is worth the cheque at its own place among all that are to come."""
    phase = state.phase
    estates, cheques = state.estate_deck[:], state.cheque_deck[:]
    for hand in state.hands:
        estates += hand
    buying = isinstance(phase, Auction)
    if not state.over:
        if buying:
            estates += phase.market
        else:
            cheques += phase.market
    worth = dict(zip(sorted(estates), sorted(cheques)))
    rounds = 11 - state.seats
    coin = 1 + THIRST * (rounds - state.round + 1) / rounds if buying else 1
    totals = [
        coin * coins + sum(won) + sum([worth[estate] for estate in hand])
        for coins, won, hand in zip(state.coins, state.cheques, state.hands)
    ]
    mine = totals.pop(seat)
    if OBJ == "max":
        return mine - max(totals)
    if OBJ == "mean":
        return mine - sum(totals) / len(totals)
    if OBJ == "mix":
        return mine - (sum(totals) / len(totals) + max(totals)) / 2
    return mine
