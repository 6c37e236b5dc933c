"""For Sale as numbers: one index for each action."""

import numpy as np
from numpy.typing import NDArray

from parlour.core import BadOptions, Draft, Encoding, IndexRun, Part
from parlour.games.forsale.rules import PASS, SELLS
from parlour.games.forsale.setup import CHEQUES, ESTATES, SEATS, start_coins, step_of
from parlour.games.forsale.values import Bid, BidOrPass, ChooseEstate, Options, Pass, Sell, View

USUAL_COINS = 18
MOST_COINS = 250
OTHERS = SEATS[-1] - 1
NOBODY = SEATS[-1]
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
        Part("coins", 1, most, "own coins, the bid on the table included"),
        Part("bid", 1, most, "own bid in this auction"),
        Part("record", 1, most, "highest bid in this auction"),
        Part("turn", 1, NOBODY, f"who bids: 0 is oneself, then in bidding order; {NOBODY} is nobody"),
        Part("bids", OTHERS, most, "bids of the others in bidding order after oneself; 0 where nobody sits"),
        Part("inside", OTHERS, 1, "1 for each of the others that has not passed"),
        Part("open", 1, 1, "1 if balances are open"),
        Part("balances", OTHERS, most, "coins of the others; 0 if hidden"),
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
        self._step = step_of(options)
        self._at = self.starts()
        self._estates, self._hand = self._at["estates"] - 1, self._at["hand"] - 1
        self._orders = [self._order(seat) for seat in range(seats)]
        self._blank = bytearray(self.size)
        self._blank[self._at["seats"]] = seats
        self._actions: tuple[Bid | Pass | Sell, ...] = (
            PASS,
            *[Bid(amount) for amount in range(1, coins + 1)],
            *SELLS.values(),
        )
        self._masks: dict[tuple[int, int, bool], NDArray[np.int8]] = {}

    def _order(self, seat: int) -> dict[int, int]:
        """By seat, its place in bidding order after this one."""
        return {(seat + self._step * place) % self._seats: place for place in range(self._seats)}

    def observe(self, view: View, ask: BidOrPass | ChooseEstate | None, draft: Draft = ()) -> NDArray[np.uint8]:
        row, at = self._blank[:], self._at
        assert view.seat is not None
        row[2] = view.rounds - view.round
        if view.part == 1:
            row[0] = 1
            for estate in view.market:
                row[self._estates + estate] = 1
            self._show_bids(row, view)
        elif view.part == 2:
            row[1] = 1
            first = at["cheques"]
            for cheque in view.market:
                row[first + cheque] += 1
        for estate in view.hand:
            row[self._hand + estate] = 1
        row[at["earned"]] = sum(view.cheques)
        self._show_coins(row, view)
        return np.frombuffer(row, np.uint8)

    def _show_bids(self, row: bytearray, view: View) -> None:
        at, order = self._at, self._orders[view.seat or 0]
        bids = at["bids"] - 1
        for seat, bid in enumerate(view.bids):
            if bid and seat != view.seat:
                row[bids + order[seat]] = bid
        row[at["bid"]] = view.bids[view.seat or 0]
        row[at["record"]] = view.record
        row[at["turn"]] = NOBODY if view.turn is None else order[view.turn]
        inside = at["inside"] - 1
        for seat in view.inside:
            if seat != view.seat:
                row[inside + order[seat]] = 1

    def _show_coins(self, row: bytearray, view: View) -> None:
        at, order = self._at, self._orders[view.seat or 0]
        row[at["coins"]] = view.coins[view.seat or 0] or 0
        if None not in view.coins:
            row[at["open"]] = 1
            balances = at["balances"] - 1
            for seat, coins in enumerate(view.coins):
                if seat != view.seat and coins is not None:
                    row[balances + order[seat]] = coins

    def mask(self, view: View, ask: BidOrPass | ChooseEstate | None, draft: Draft = ()) -> NDArray[np.int8]:
        if isinstance(ask, BidOrPass):
            known = ask.record, ask.coins, ask.may_pass
            mask = self._masks.get(known)
            if mask is None:
                mask = self._masks[known] = self._bids(*known)
            return mask
        row = bytearray(len(self._actions))
        if ask is not None:
            for estate in view.hand:
                row[self._coins + estate] = 1
        return np.frombuffer(row, np.int8)

    def _bids(self, record: int, coins: int, may_pass: bool) -> NDArray[np.int8]:
        mask = np.zeros(len(self._actions), np.int8)
        mask[record + 1 : coins + 1] = 1
        mask[0] = may_pass or coins <= record
        return mask

    def action(self, index: int, view: View, ask: BidOrPass | ChooseEstate, draft: Draft = ()) -> Bid | Pass | Sell:
        return self._actions[index]

    def indexes(self, action: Bid | Pass | Sell, view: View, ask: BidOrPass | ChooseEstate) -> Draft:
        match action:
            case Bid(amount=amount):
                return (amount,)
            case Sell(estate=estate):
                return (self._coins + estate,)
        return (0,)
