"""Options, actions, asks, events and the view of For Sale."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Finding, Public, Seat, Value
from parlour.core.values import rule

Number: TypeAlias = Annotated[int, Meta(ge=-2_000_000_000, le=2_000_000_000)]
"""Any number that can be sent; the rules check whether it is legal."""


class Options(Value, frozen=True, kw_only=True):
    """House rules. RULES.md explains each value and the reason for its default."""

    start_coins: Annotated[
        Literal["flat_18", "by_count"] | Annotated[int, Meta(ge=1, le=10_000)],
        rule("Coins each player begins with: 18, or 18 for 3 and 4 players and 14 for more, or a number."),
    ] = "flat_18"
    refund_rounding: Annotated[
        Literal["down", "up"], rule("How half of an odd bid is rounded when it is refunded.")
    ] = "down"
    bid_semantics: Annotated[
        Literal["add_to_own", "absolute", "over_record"],
        rule("What a number in the game's own protocol is added to. Actions always state the whole bid."),
    ] = "add_to_own"
    pass_code: Annotated[
        int, Meta(ge=-999_999_999, le=0), rule("The number that passes in the game's own protocol.")
    ] = 0
    opener_may_pass: Annotated[bool, rule("Whether the first bidder of a round may pass without a bid.")] = True
    bid_direction: Annotated[Literal["cw", "ccw"], rule("Clockwise, or counter-clockwise, around the table.")] = "cw"
    first_player_rule: Annotated[
        Literal["last_winner", "rotate", "fixed", "random"], rule("Who bids first in the rounds after the first.")
    ] = "last_winner"
    initial_first: Annotated[
        Literal["seeded_random", "youngest", "seat:0", "seat:1", "seat:2", "seat:3", "seat:4", "seat:5"] | None,
        rule("Who opens the first auction. If not set: the youngest if all ages are known, else a random seat."),
    ] = None
    ages: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=1000)], ...] | None, rule("The age of each player, by seat.")
    ] = None
    max_attempts: Annotated[
        int, Meta(ge=1, le=100), rule("Attempts at each question before the referee answers it.")
    ] = 3
    bid_fault_policy: Annotated[Literal["retry", "clamp"], rule("After a bad bid: ask again, or bid all coins.")] = (
        "retry"
    )
    sell_fallback: Annotated[
        Literal["lowest", "random_seeded"], rule("The estate that is sold after the last failed attempt.")
    ] = "lowest"
    tie_break: Annotated[Literal["coins_then_shared", "shared"], rule("Whether coins break ties.")] = (
        "coins_then_shared"
    )
    balances: Annotated[Literal["hidden", "open"], rule("Whether players see each other's coins.")] = "hidden"
    invariant_policy: Annotated[
        Literal["strict", "lenient"], rule("Whether wrong counts of estates end the match or are only reported.")
    ] = "strict"


# Actions


class Bid(Value, frozen=True, omit_defaults=True):
    """Raise your bid to this many coins in all."""

    amount: Number
    said: Number | None = None
    """The number sent over the game's own protocol, if it differs from the amount."""


class Pass(Value, frozen=True):
    """Leave this auction: take the cheapest estate and get half of your bid back."""


class Sell(Value, frozen=True):
    """Offer the estate of this value, face down."""

    estate: Number


class SellAny(Value, frozen=True):
    """Played for a seat that failed to choose, under `sell_fallback: random_seeded`: sells a random estate."""


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


class EstatesOpened(Public, frozen=True):
    """A round of part I begins."""

    round: int
    estates: tuple[int, ...]
    first: Seat


class Raised(Public, frozen=True):
    seat: Seat
    bid: int


class Passed(Public, frozen=True):
    """The seat took the cheapest estate and paid its bid minus the refund."""

    seat: Seat
    estate: int
    paid: int
    refund: int


class Won(Public, frozen=True):
    """The last bidder took the best estate and paid the whole bid."""

    seat: Seat
    estate: int
    paid: int


class ChequesOpened(Public, frozen=True):
    """A round of part II begins."""

    round: int
    cheques: tuple[int, ...]


class Chose(Event, frozen=True):
    """A sealed choice; only its own seat sees it."""

    seat: Seat
    estate: int | None
    """None: drawn at the reveal."""

    def seen_by(self, who: By) -> "Chose | None":
        return self if who == self.seat else None


class Sold(Public, frozen=True):
    """The reveal: by seat, the estate and the cheque it fetched."""

    estates: tuple[int, ...]
    cheques: tuple[int, ...]


class Left(Public, frozen=True):
    seat: Seat
    why: str


class Suspected(Finding, frozen=True):
    """An inconsistency that did not end the match."""


class View(Value, frozen=True):
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
    """Seats that have not passed in this auction."""
    coins: tuple[int | None, ...]
    """None where balances are hidden."""
    hand: tuple[int, ...]
    """Own estates, lowest first."""
    cheques: tuple[int, ...]
    """Own cheques, in the order they were won."""
