"""For Sale as numbers: one index for each action."""

from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from parlour.core import BadOptions, Draft, Encoding, IndexRun, Part, Seat
from parlour.games.forsale.rules import PASS, SELLS
from parlour.games.forsale.setup import CHEQUES, ESTATES, SEATS, start_coins, step_of
from parlour.games.forsale.values import Bid, BidOrPass, ChooseEstate, Options, Pass, Sell, View

USUAL_COINS = 18
MOST_COINS = 250
MOST_SEATS = SEATS[-1]
NOBODY = MOST_SEATS
HIGHEST_CHEQUE = CHEQUES[-1]
HIGHEST_ESTATE = ESTATES[-1]


def parts(most: int) -> tuple[Part, ...]:
    """The observation where players have at most so many coins."""
    return (
        Part("buying", 1, 1, "1 in part I, when estates are bought"),
        Part("selling", 1, 1, "1 in part II, when they are sold"),
        Part("rounds left", 1, 8, "rounds of this part after this one"),
        Part("seats", 1, SEATS[-1], "number of players"),
        Part("estates", HIGHEST_ESTATE, 1, "1 for each estate on the table, by value from 1"),
        Part("cheques", HIGHEST_CHEQUE + 1, 2, "how many cheques of each value are on the table, from 0"),
        Part("hand", HIGHEST_ESTATE, 1, "1 for each own estate, by value from 1"),
        Part("earned", 1, 120, "sum of the own cheques"),
        Part("record", 1, most, "highest bid in this auction"),
        Part("turn", 1, NOBODY, f"who bids: 0 is oneself, then in bidding order; {NOBODY} is nobody"),
        Part("bids", MOST_SEATS, most, "bid of each seat in bidding order, oneself first; 0 where nobody sits"),
        Part("inside", MOST_SEATS, 1, "1 for each seat that has not passed, in the same order"),
        Part("open", 1, 1, "1 if balances are open"),
        Part("coins", MOST_SEATS, most, "coins of each seat in the same order, bids included; 0 if hidden"),
    )


class ForSaleEncoding(Encoding):
    """The same for 3 to 6 seats, and for all options but more coins than usual."""

    version = 0
    omits = (
        "There is no history: estates and coins of the others follow from past events, which an agent may remember.",
        "Of the own cheques only the sum is shown.",
    )
    dtype = "uint8"

    def __init__(self, seats: int, options: Options) -> None:
        coins = max(USUAL_COINS, start_coins(seats, options))
        if coins > MOST_COINS:
            raise BadOptions(f"start_coins: {coins} coins cannot be encoded; the most is {MOST_COINS}")
        self.parts = parts(coins)
        self.choices = (
            IndexRun("pass", 1, "pass"),
            IndexRun("bid", coins, "raise the own bid to 1, 2, 3 ... coins"),
            IndexRun("sell", HIGHEST_ESTATE, "sell the estate of value 1, 2, 3 ..."),
        )
        self._coins = coins
        self._seats = seats
        at = self.starts()
        self._estates, self._cheques, self._hand = at["estates"] - 1, at["cheques"], at["hand"] - 1
        self._earned, self._record, self._turn, self._open = at["earned"], at["record"], at["turn"], at["open"]
        self._bids = slice(at["bids"], at["bids"] + seats)
        self._inside = at["inside"]
        self._balances = slice(at["coins"], at["coins"] + seats)
        step = step_of(options)
        orders = [[(seat + step * place) % seats for place in range(seats)] for seat in range(seats)]
        self._around = [itemgetter(*order) for order in orders]
        """By seat: values by seat in bidding order, its own first."""
        self._places = [[order.index(other) for other in range(seats)] for order in orders]
        """By seat: the place of each seat in that order."""
        self._blank = bytearray(self.size)
        self._blank[at["seats"]] = seats
        self._actions: tuple[Bid | Pass | Sell, ...] = (
            PASS,
            *[Bid(amount) for amount in range(1, coins + 1)],
            *SELLS.values(),
        )
        self._masks: dict[tuple[int, int, bool], NDArray[np.int8]] = {}

    def observe(
        self, seat: Seat, view: View, ask: BidOrPass | ChooseEstate | None, draft: Draft = ()
    ) -> NDArray[np.uint8]:
        row = self._blank[:]
        row[2] = view.rounds - view.round
        if view.part == 1:
            self._show_auction(row, view, seat)
        elif view.part == 2:
            row[1] = 1
            for cheque in view.market:
                row[self._cheques + cheque] += 1
        for estate in view.hand:
            row[self._hand + estate] = 1
        row[self._earned] = sum(view.cheques)
        coins = self._around[seat](view.coins)
        if None in coins:
            row[self._balances.start] = coins[0]
        else:
            row[self._open] = 1
            row[self._balances] = coins
        return np.frombuffer(row, np.uint8)

    def _show_auction(self, row: bytearray, view: View, seat: Seat) -> None:
        places = self._places[seat]
        row[0] = 1
        for estate in view.market:
            row[self._estates + estate] = 1
        row[self._record] = view.record
        row[self._turn] = NOBODY if view.turn is None else places[view.turn]
        row[self._bids] = self._around[seat](view.bids)
        for other in view.inside:
            row[self._inside + places[other]] = 1

    def mask(self, seat: Seat, view: View, ask: BidOrPass | ChooseEstate | None, draft: Draft = ()) -> NDArray[np.int8]:
        if isinstance(ask, BidOrPass):
            known = ask.record, ask.coins, ask.may_pass
            mask = self._masks.get(known)
            return self._auction_mask(*known) if mask is None else mask
        row = bytearray(len(self._actions))
        if ask is not None:
            for estate in view.hand:
                row[self._coins + estate] = 1
        return np.frombuffer(row, np.int8)

    def _auction_mask(self, record: int, coins: int, may_pass: bool) -> NDArray[np.int8]:
        """Kept, since few auctions differ in these."""
        mask = self._masks[record, coins, may_pass] = np.zeros(len(self._actions), np.int8)
        mask[record + 1 : coins + 1] = 1
        mask[0] = may_pass or coins <= record
        return mask

    def action(
        self, index: int, seat: Seat, view: View, ask: BidOrPass | ChooseEstate, draft: Draft = ()
    ) -> Bid | Pass | Sell:
        return self._actions[index]

    def indexes(self, action: Bid | Pass | Sell, seat: Seat, view: View, ask: BidOrPass | ChooseEstate) -> Draft:
        match action:
            case Bid(amount=amount):
                return (amount,)
            case Sell(estate=estate):
                return (self._coins + estate,)
        return (0,)
