"""Asks, events, faults and results, and the seven methods of a state."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, Self, TypeAlias, TypeVar

from msgspec import Struct

from parlour.core.dice import Dice
from parlour.core.values import Name, Salt, Seat, Value, Word

By: TypeAlias = int | None
"""A seat, or None: the table itself where it acts, a spectator where it sees."""

A = TypeVar("A")


class Join(Value, frozen=True):
    """A seat is added, and its salt is stirred into the dice."""

    name: Name
    salt: Salt = ""


class Leave(Value, frozen=True):
    """A seat leaves for good. Reasons: quit, dead, flood, kicked, faults."""

    seat: Seat
    why: Word


class Close(Value, frozen=True):
    """The round ends: its time is up, or all answers are in."""


class Stop(Value, frozen=True):
    """The time of the whole match is up; it is scored as it stands."""


Table: TypeAlias = Join | Leave | Close | Stop
"""An input that is no seat's decision."""


class Ask(Value, Generic[A], frozen=True, kw_only=True):
    """A decision that a seat has to make. Each game adds the fields it needs."""

    sealed: ClassVar[bool] = False
    """Whether the answer stays hidden from all others until the round closes. The contract tests check this."""
    default: ClassVar[Any] = None
    """The answer for players whose protocol cannot express this ask; None: every player has to answer."""

    choices: tuple[A, ...] | None = None
    """All legal answers, or None if there are too many to list."""
    waits: bool = True
    """False if the seat has answered and may still replace its answer while the round is open."""
    span: int | None = None
    """Asks with the same span share one deadline; None: the ask has its own."""


class Event(Value, frozen=True):
    """Something that happened. An event class derives from `Public` or defines `seen_by`."""

    def __init_subclass__(cls) -> None:
        """Reject a class that does not state who sees its events, so that no secret becomes public by oversight."""
        super().__init_subclass__()
        if cls.seen_by is Event.seen_by:
            raise TypeError(f"event class {cls.__name__}: derive it from Public, or define seen_by")

    @abstractmethod
    def seen_by(self, who: By) -> "Event | None":
        """The event as `who` may see it, built from nothing like a view; None if `who` must not see it."""
        raise NotImplementedError


class Public(Event, frozen=True):
    """An event that all seats and spectators see in full."""

    def seen_by(self, who: By) -> Self:
        return self


class Fault(Value, frozen=True):
    """A seat's mistake or timeout, as it is recorded and as the seat is told."""

    kind: Literal["unreadable", "illegal", "late", "gone", "unasked"]
    code: str
    words: str = ""
    facts: dict[str, int | str] = {}


GONE = Fault("gone", "gone", "has left")


class Finding(Event, frozen=True):
    """The rules noticed an inconsistency, but the match continues. For the host's log, not for players."""

    fault: Fault

    def seen_by(self, who: By) -> None:
        return None


class Result(Value, frozen=True):
    """Scores and ranks by seat. Ranks do not follow from scores, because the rule book may break ties."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class State(Protocol[A]):
    """A position of a game. Only `play` changes it, and an illegal action leaves no trace."""

    def asks(self) -> Mapping[By, Ask[A]]:
        """The open asks by seat. A key of None marks a round that the table closes."""

    def play(self, by: By, action: A | Table) -> list[Event]:
        """Check everything, then change the state; or raise IllegalAction."""

    def amends(self, seat: Seat, faults: Sequence[Fault]) -> A | Leave | None:
        """The price of the faults on this ask: the action to play instead, or None to ask again."""

    def view(self, who: By) -> Value:
        """Everything that `who` may know; cached until the next change."""

    def result(self) -> Result | None:
        """Not None exactly when the game is over."""

    def copy(self) -> Self: ...

    def redeal(self, seat: Seat, dice: Dice) -> Self:
        """A copy in which everything hidden from the seat is dealt again."""


class Board(Struct, frozen=True):
    """A view laid out for people: a heading, columns, and a row for each seat."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    footer: str = ""
    """Information for the viewer alone, such as its hand."""
