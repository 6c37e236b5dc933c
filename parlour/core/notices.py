"""The messages from the referee to seats and spectators, apart from events."""

from typing import Any, TypeAlias

from msgspec import Struct

from parlour.core.game import Ask, Event, Fault, Result
from parlour.core.values import Seat, Value


class Took(Struct, frozen=True, gc=False):
    """An answer was accepted. Sent to its seat only."""

    seat: Seat
    n: int


class AnswerRefused(Struct, frozen=True):
    """An answer was not accepted. `cost` is the action played instead, a Leave, or None. Sent to its seat only."""

    seat: Seat
    n: int
    fault: Fault
    cost: Any
    attempt: int
    view: Any = None
    """The seat's view from before the cost was played, for games that explain faults. It is not sent."""


class Asked(Struct, frozen=True, gc=False):
    """A seat is asked. Times are None without a clock."""

    seat: Seat
    n: int
    ask: Ask[Any]
    attempt: int
    due: float | None
    limit_ms: int | None
    bank_ms: int | None
    last_ms: int | None


class Replied(Struct, frozen=True):
    """The reply to a free question. Sent to its seat only."""

    seat: Seat
    id: int
    answer: Value


class Void(Value, frozen=True):
    """The match was ended by a bug of ours; there is no result."""

    code: str
    words: str
    facts: dict[str, int | str] = {}


class Signature(Struct, frozen=True):
    """A server's signature of a result, and the public key that checks it; both in hexadecimal."""

    signature: str
    public_key: str


class Over(Struct, frozen=True):
    """The match has ended. `head` is the hash of the end line, which covers all lines before it."""

    end: Result | Void
    head: str
    record: str | None = None
    """Where the transcript is stored, if it is. Secret before the end, because the seed may be stored beside it."""
    signed: Signature | None = None
    """Present if the server signs results."""


Notice: TypeAlias = Event | Took | AnswerRefused | Asked | Replied | Over
