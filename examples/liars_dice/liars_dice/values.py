"""The vocabulary of Liar's Dice: what players do, are asked and see, and the house rules."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Public, Seat, Value, rule

Number: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""Any number that a player may send. The rules decide whether it makes a legal bid."""


class Options(Value, frozen=True, kw_only=True):
    """House rules. The README explains each of them."""

    dice: Annotated[int, Meta(ge=1, le=6), rule("Dice that each player begins with.")] = 5
    wild_ones: Annotated[bool, rule("Whether ones count as every face, except in a bid on ones.")] = True
    exact: Annotated[bool, rule("Whether a player may call a bid exact.")] = False
    penalty: Annotated[
        Literal["one", "difference"],
        rule("Dice that a wrong call or a wrong bid costs: one, or as many as the bid was off."),
    ] = "one"
    attempts: Annotated[int, Meta(ge=1, le=10), rule("Tries at one decision before the rules make it.")] = 3


# Actions


class Bid(Value, frozen=True):
    """Claim that at least `count` dice on the table show `face`."""

    count: Number
    face: Number


class Challenge(Value, frozen=True):
    """Call the last bidder a liar: there are fewer such dice."""


class Exact(Value, frozen=True):
    """Say that there are neither more nor fewer such dice than the last bid claims."""


Action: TypeAlias = Bid | Challenge | Exact


# Asks


class BidOrCall(Ask[Action], frozen=True, kw_only=True):
    """Bid higher than the last bid, or call it."""

    last: Bid | None
    """The bid to beat; None at the beginning of a round."""
    dice: int
    """All dice on the table: no bid may claim more."""


# Events


class Rolled(Event, frozen=True):
    """The dice under one seat's cup, lowest first. Only that seat sees them."""

    seat: Seat
    dice: tuple[int, ...]

    def seen_by(self, who: By) -> "Rolled | None":
        return self if who == self.seat else None


class RoundBegan(Public, frozen=True):
    """All players have rolled."""

    round: int
    first: Seat
    counts: tuple[int, ...]
    """How many dice each seat has."""


class Raised(Public, frozen=True):
    seat: Seat
    bid: Bid


class Revealed(Public, frozen=True):
    """A bid was called, and all cups are lifted."""

    caller: Seat
    exact: bool
    """Whether the bid was called exact; otherwise it was challenged."""
    bidder: Seat
    bid: Bid
    cups: tuple[tuple[int, ...], ...]
    found: int
    """How many dice match the bid."""


class Lost(Public, frozen=True):
    """A seat lost dice."""

    seat: Seat
    lost: int
    left: int


class Left(Public, frozen=True):
    seat: Seat
    why: str


class View(Value, frozen=True, kw_only=True):
    """The table as one seat, or a spectator, may see it."""

    seat: Seat | None
    round: int
    turn: Seat | None
    """The seat that is to decide; None after the end."""
    hand: tuple[int, ...]
    """Own dice, lowest first."""
    counts: tuple[int, ...]
    """How many dice each seat has."""
    bids: tuple[Raised, ...]
    """The bids of this round, the last one last."""
    gone: tuple[Seat, ...]
    """Seats that have left. Their dice count until the round ends."""
    went_out: tuple[int, ...]
    """By seat, the round in which it lost its last die; 0 for a seat that still has dice."""
    wild_ones: bool
    revealed: Revealed | None
    """How the last round ended."""
