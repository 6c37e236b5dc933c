"""A bot that tracks all public information, samples deals that fit it, and simulates its options in each."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from mypy_extensions import mypyc_attr

from parlour.core import Dice, Event, Place, Seat
from parlour.games.forsale.phases import Auction, Sale
from parlour.games.forsale.rules import PASS, SELLS, State
from parlour.games.forsale.setup import CHEQUES, ESTATES, REMOVED, step_of
from parlour.games.forsale.values import Bid, BidOrPass, ChooseEstate, Options, Pass, Passed, Sell, Sold, View, Won

AUCTION_WORLDS = 12
SALE_WORLDS = 24
HIGHEST_BID = 12
COIN_BONUS = 2.5
"""Extra worth of a coin in the first auction, for what it can still buy; falls to zero at the last."""
RAISES = (1, 2)
"""A raise by two may be cheaper: half of an odd bid is rounded against the bidder."""
DIVISORS = (3, 4, 4, 6)
"""Model of the other bidders: their limit is the spread of the market divided by one of these."""
DEVIATIONS = (-1, 0, 1)
"""Model of the other sellers: how far they deviate from `usual_place`, until their sales show it."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Thinker:
    """One match. Missing information is guessed, so the bot may also join late."""

    def __init__(self) -> None:
        self._options = Options()
        self._paid: defaultdict[Seat, int] = defaultdict(int)
        self._bought: defaultdict[Seat, list[int]] = defaultdict(list)
        self._cheques: defaultdict[Seat, list[int]] = defaultdict(list)
        self._sold: set[int] = set()
        self._deviations: defaultdict[Seat, list[int]] = defaultdict(lambda: list(DEVIATIONS))

    def sit(self, place: Place) -> None:
        self._options = place.options

    def event(self, seen: Event) -> None:
        match seen:
            case Passed(seat=seat, estate=estate, paid=paid) | Won(seat=seat, estate=estate, paid=paid):
                self._bought[seat].append(estate)
                self._paid[seat] += paid
            case Sold(estates=estates, cheques=cheques):
                for seat, (estate, cheque) in enumerate(zip(estates, cheques, strict=True)):
                    self._cheques[seat].append(cheque)
                    hand = self._hand(seat)
                    if estate in hand:
                        self._deviations[seat].append(hand.index(estate) - usual_place(hand, cheques))
                self._sold.update(estates)

    def _hand(self, seat: Seat) -> list[int]:
        return sorted(set(self._bought[seat]) - self._sold)

    def __call__(self, view: View, ask: BidOrPass | ChooseEstate, dice: Dice) -> Bid | Pass | Sell:
        assert view.seat is not None
        if ask.choices is not None and len(ask.choices) == 1:
            return ask.choices[0]
        table = self._table(view, view.seat, dice)
        if isinstance(ask, ChooseEstate):
            return best_sale(table, view.seat, self._deviations, dice)
        return best_bid(table, view.seat, ask.may_pass, dice)

    def _table(self, view: View, me: Seat, dice: Dice) -> State:
        """A possible state, given the events and the view."""
        table = State()
        table.options, table.dice, table.over = self._options, dice, False
        table.step = step_of(self._options)
        table.seats, table.round, table.first = len(view.coins), view.round, me
        self._fill_coins(table, view, me)
        self._fill_cards(table, view, me, dice)
        return table

    def _fill_coins(self, table: State, view: View, me: Seat) -> None:
        """Seats start with equal coins, so hidden coins follow from the payments."""
        table.start = (view.coins[me] or 0) + self._paid[me]
        table.coins = [
            max(table.start - self._paid[seat], view.bids[seat]) if coins is None else coins
            for seat, coins in enumerate(view.coins)
        ]
        table.bank = table.start * table.seats - sum(table.coins)

    def _fill_cards(self, table: State, view: View, me: Seat, dice: Dice) -> None:
        """The round tells how many cards each seat holds; unknown ones are drawn from the unseen cards."""
        seats, market = range(table.seats), list(view.market)
        hands = [list(view.hand) if seat == me else self._hand(seat) for seat in seats]
        cheques = [list(view.cheques) if seat == me else self._cheques[seat] for seat in seats]
        if view.part == 1:
            table.phase = Auction(market, list(view.bids), list(view.inside), me, view.record)
            sizes = [view.round - (seat in view.inside) for seat in seats]
            estates, others = unseen(ESTATES, [*hands, market], dice), unseen(CHEQUES, cheques, dice)
        else:
            table.phase = Sale(market, [None] * table.seats)
            sizes = [len(view.hand)] * table.seats
            estates, others = unseen(ESTATES, [*hands, self._sold], dice), unseen(CHEQUES, [*cheques, market], dice)
        table.hands = [filled(hand, size, estates) for hand, size in zip(hands, sizes, strict=True)]
        table.cheques = [filled(won, len(view.cheques), others) for won in cheques]
        removed = REMOVED[table.seats]
        table.estate_deck, table.removed_estates = estates[removed:], estates[:removed]
        table.cheque_deck, table.removed_cheques = others[removed:], others[:removed]


def unseen(cards: Iterable[int], seen: Iterable[Iterable[int]], dice: Dice) -> list[int]:
    left = list(cards)
    for card in [card for pile in seen for card in pile]:
        left.remove(card)
    dice.shuffle(left)
    return left


def filled(cards: list[int], size: int, stock: list[int]) -> list[int]:
    return sorted(cards + [stock.pop() for _ in range(size - len(cards))])


def best_bid(table: State, me: Seat, may_pass: bool, dice: Dice) -> Bid | Pass:
    """Try every plan: a next raise, then raises by one up to a limit. The plan (0, 0) passes."""
    record = table.phase.record  # type: ignore[union-attr]  # it is an auction
    limits = range(record + 1, min(table.coins[me], HIGHEST_BID) + 1)
    plans = [(record + step, limit) for limit in limits for step in RAISES if record + step <= limit]
    if may_pass:
        plans.insert(0, (0, 0))
    leads = [0.0] * len(plans)
    for _ in range(AUCTION_WORLDS):
        world = table.redeal(me, dice)
        divisors = [dice.pick(DIVISORS) for _ in world.coins]
        for number, (raised, limit) in enumerate(plans):
            trial = world.copy()
            trial.play(me, Bid(raised) if raised else PASS)
            finish_auction(trial, table.round, me, limit, divisors)
            leads[number] += lead(trial, me)
    raised, _ = plans[leads.index(max(leads))]
    return Bid(raised) if raised else PASS


def finish_auction(trial: State, round: int, me: Seat, limit: int, divisors: Sequence[int]) -> None:
    while isinstance(auction := trial.phase, Auction) and trial.round == round:
        seat, market, raised = auction.turn, auction.market, auction.record + 1
        most = limit if seat == me else (market[-1] - market[0]) // divisors[seat]
        trial.play(seat, Bid(raised) if raised <= min(most, trial.coins[seat]) else PASS)


def best_sale(table: State, me: Seat, deviations: defaultdict[Seat, list[int]], dice: Dice) -> Sell:
    """Try every estate, with the other seats near their `usual_place`."""
    hand = table.hands[me]
    leads = [0.0] * len(hand)
    for _ in range(SALE_WORLDS):
        world = table.redeal(me, dice)
        for seat, theirs in enumerate(world.hands):
            if seat != me:
                place = usual_place(theirs, world.phase.market) + dice.pick(deviations[seat])
                world.play(seat, SELLS[theirs[max(0, min(place, len(theirs) - 1))]])
        for number, estate in enumerate(hand):
            trial = world.copy()
            trial.play(me, SELLS[estate])
            leads[number] += lead(trial, me)
    return SELLS[hand[leads.index(max(leads))]]


def usual_place(hand: Sequence[int], cheques: Sequence[int]) -> int:
    """The index in the hand of a plausible sale: the better the cheques, the better the estate."""
    return min(sum(cheques) * len(hand) // (15 * len(cheques)), len(hand) - 1)


def lead(state: State, me: Seat) -> float:
    """Estimated lead over the best other seat, if each unsold estate fetches the remaining cheque of equal rank."""
    estates = [estate for hand in state.hands for estate in hand]
    cheques = state.cheque_deck[:]
    coin = 1.0
    if isinstance(state.phase, Auction):
        estates += state.estate_deck + state.phase.market
        rounds = 11 - state.seats
        coin += COIN_BONUS * (rounds + 1 - state.round) / rounds
    elif not state.over:
        cheques += state.phase.market
    worth = dict(zip(sorted(estates), sorted(cheques), strict=True))
    totals = [
        coin * coins + sum(won) + sum([worth[estate] for estate in hand])
        for coins, won, hand in zip(state.coins, state.cheques, state.hands, strict=True)
    ]
    return totals.pop(me) - max(totals)
