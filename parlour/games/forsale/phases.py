"""The two phases: each holds the data that exists only during that phase."""

from typing import TypeAlias

from mypy_extensions import mypyc_attr

from parlour.core import Comparable, Seat
from parlour.games.forsale.values import Sell, SellAny


@mypyc_attr(allow_interpreted_subclasses=True)
class Auction(Comparable):
    """A round of part I. `inside` lists the seats that have not passed."""

    def __init__(self, market: list[int], bids: list[int], inside: list[Seat], turn: Seat, record: int = 0) -> None:
        self.market = market
        self.bids = bids
        self.inside = inside
        self.turn = turn
        self.record = record

    def copy(self) -> "Auction":
        return Auction(self.market[:], self.bids[:], self.inside[:], self.turn, self.record)


@mypyc_attr(allow_interpreted_subclasses=True)
class Sale(Comparable):
    """A round of part II. `chosen` holds each seat's answer until all seats have answered."""

    def __init__(self, market: list[int], chosen: list[Sell | SellAny | None]) -> None:
        self.market = market
        self.chosen = chosen

    def copy(self) -> "Sale":
        return Sale(self.market[:], self.chosen[:])


Phase: TypeAlias = Auction | Sale
