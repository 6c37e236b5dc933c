"""What the referee has to tell: besides events, these."""

from typing import Any, TypeAlias

from msgspec import Struct

from parlour.core.game import Ask, Event, Fault, Result
from parlour.core.values import Seat, Value


class Took(Struct, frozen=True, gc=False):
    """An answer was taken. To its sender alone."""

    seat: Seat
    n: int


class Refused(Struct, frozen=True):
    """An answer was not taken, and what that cost: an action played instead, a Leave, or None. To its sender alone."""

    seat: Seat
    n: int
    fault: Fault
    cost: Any
    attempt: int
    view: Any = None
    """What the seat saw before the cost was played, where the game explains faults. It is not sent."""


class Asked(Struct, frozen=True, gc=False):
    """A seat is asked. Times are in milliseconds and None without a clock."""

    seat: Seat
    n: int
    ask: Ask[Any]
    attempt: int
    due: float | None
    limit_ms: int | None
    bank_ms: int | None
    last_ms: int | None


class Replied(Struct, frozen=True):
    """The answer to a free question. To its sender alone."""

    seat: Seat
    id: int
    answer: Value


class Void(Value, frozen=True):
    """The match broke down by a fault of ours; nobody won or lost."""

    code: str
    words: str
    facts: dict[str, int | str] = {}


class Signature(Struct, frozen=True):
    """A server's signature of how a match ended, and the key to check it with; both in hexadecimal."""

    signature: str
    public_key: str


class Over(Struct, frozen=True):
    """The match has ended. The chain's head binds every line up to the end."""

    end: Result | Void
    head: str
    record: str | None = None
    """Where the transcript is, if it is kept. Not told before the end: the seed may lie beside it."""
    signed: Signature | None = None
    """Where there is a server that signs."""


Notice: TypeAlias = Event | Took | Refused | Asked | Replied | Over
