"""The vocabulary of For Sale: what players do, are asked and see, and the house rules."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Finding, Seat, Value

Number: TypeAlias = Annotated[int, Meta(ge=-2_000_000_000, le=2_000_000_000)]
"""Any number a player may send; whether it is a good one is for the rules."""


class Options(Value, frozen=True, kw_only=True):
    """House rules. RULES.md says what each value does and why the default is what it is."""

    start_coins: Literal["flat_18", "by_count"] | Annotated[int, Meta(ge=1, le=10_000)] = "flat_18"
    refund_rounding: Literal["down", "up"] = "down"
    bid_semantics: Literal["add_to_own", "absolute", "over_record"] = "add_to_own"
    """What a number in the game's own protocol is added to; actions are always absolute."""
    pass_code: Annotated[int, Meta(ge=-999_999_999, le=0)] = 0
    """The number that passes in the game's own protocol."""
    opener_may_pass: bool = True
    bid_direction: Literal["cw", "ccw"] = "cw"
    first_player_rule: Literal["last_winner", "rotate", "fixed", "random"] = "last_winner"
    initial_first: Annotated[str, Meta(pattern=r"^(seeded_random|youngest|seat:[0-5])$(?!\n)")] | None = None
    """None: the youngest if every seat has an age, else drawn."""
    ages: tuple[Annotated[int, Meta(ge=0, le=1000)], ...] | None = None
    max_attempts: Annotated[int, Meta(ge=1, le=100)] = 3
    bid_fault_policy: Literal["retry", "clamp"] = "retry"
    sell_fallback: Literal["lowest", "random_seeded"] = "lowest"
    tie_break: Literal["coins_then_shared", "shared"] = "coins_then_shared"
    balances: Literal["hidden", "open"] = "hidden"
    invariant_policy: Literal["strict", "lenient"] = "strict"


# Actions


class Bid(Value, frozen=True, omit_defaults=True):
    """Raise your bid to so many coins in all."""

    amount: Number
    said: Number | None = None
    """The number as it came over the game's own protocol, if it was another."""


class Pass(Value, frozen=True):
    """Leave this auction: take the cheapest estate and get half of your bid back."""


class Sell(Value, frozen=True):
    """Offer the estate of this value, face down."""

    estate: Number


class SellAny(Value, frozen=True):
    """The price of silence under `sell_fallback: random_seeded`: an estate drawn when all are turned."""


Action: TypeAlias = Bid | Pass | Sell | SellAny


# Asks


class BidOrPass(Ask[Bid | Pass], frozen=True, kw_only=True):
    """Part I: raise above the record, or pass."""

    record: int
    bid: int
    coins: int
    may_pass: bool = True


class ChooseEstate(Ask[Sell], frozen=True, kw_only=True):
    """Part II: choose one of your estates, hidden until all have chosen."""

    sealed: ClassVar[bool] = True


# Events


class EstatesOpened(Event, frozen=True):
    """A round of part I begins."""

    round: int
    estates: tuple[int, ...]
    first: Seat


class Raised(Event, frozen=True):
    seat: Seat
    bid: int


class Passed(Event, frozen=True):
    """Took the cheapest estate and paid what was not refunded."""

    seat: Seat
    estate: int
    paid: int
    refund: int


class Won(Event, frozen=True):
    """The last one standing took the best estate and paid the whole bid."""

    seat: Seat
    estate: int
    paid: int


class ChequesOpened(Event, frozen=True):
    """A round of part II begins."""

    round: int
    cheques: tuple[int, ...]


class Chose(Event, frozen=True):
    """To its seat alone."""

    seat: Seat
    estate: int | None
    """None: to be drawn when all are turned."""

    def seen_by(self, who: By) -> "Chose | None":
        return self if who == self.seat else None


class Sold(Event, frozen=True):
    """All are turned at once: by seat, the estate and the cheque it fetched."""

    estates: tuple[int, ...]
    cheques: tuple[int, ...]


class Left(Event, frozen=True):
    seat: Seat
    why: str


class Suspected(Finding, frozen=True):
    """An inconsistency that was put right."""


class View(Value, frozen=True, kw_only=True):
    """The table as one seat, or a spectator, may see it."""

    seat: Seat | None
    part: Literal[1, 2, 3]
    """1: buying estates, 2: selling them, 3: over."""
    round: int
    rounds: int
    market: tuple[int, ...]
    """The estates or cheques on the table, lowest first."""
    turn: Seat | None
    record: int
    bids: tuple[int, ...]
    inside: tuple[Seat, ...]
    """Who has not passed yet in this auction."""
    coins: tuple[int | None, ...]
    """None where balances are hidden."""
    hand: tuple[int, ...]
    """Own estates, lowest first."""
    cheques: tuple[int, ...]
    """Own cheques, in the order they were won."""
