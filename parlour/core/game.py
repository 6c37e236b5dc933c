"""What happens in a game: asks, actions, events, faults and results, and the seven methods of a state."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, Self, TypeAlias, TypeVar

from msgspec import Struct

from parlour.core.dice import Dice
from parlour.core.values import Name, Salt, Seat, Value, Word

By: TypeAlias = int | None
"""Who acts, None being the table itself; or who sees, None being a spectator."""

A = TypeVar("A")


class Join(Value, frozen=True):
    """A seat is added; its salt stirs the dice."""

    name: Name
    salt: Salt = ""


class Leave(Value, frozen=True):
    """Gone for good, for one of a few short reasons: quit, dead, flood, kicked, faults."""

    seat: Seat
    why: Word


class Close(Value, frozen=True):
    """The round ends: its time is up, or all answers are in."""


class Stop(Value, frozen=True):
    """The match's own time is up: it is scored as it stands."""


Table: TypeAlias = Join | Leave | Close | Stop
"""What happens and is no seat's decision."""


class Ask(Value, Generic[A], frozen=True, kw_only=True):
    """A seat is to decide. Games add what the decision needs."""

    sealed: ClassVar[bool] = False
    """A promise, and tested: nobody else sees anything of the answer before the round closes."""
    default: ClassVar[Any] = None
    """What is answered for those whose protocol has no words for this ask; None: everybody has to decide it."""

    choices: tuple[A, ...] | None = None
    """All legal answers; None where they are too many to list."""
    waits: bool = True
    """False: has answered, and may replace the answer while the round is open."""
    span: int | None = None
    """Asks of one span share one deadline; None: a deadline of its own."""


class Event(Value, frozen=True):
    """Something happened. Every event class states who sees it: it derives from `Public`, or defines `seen_by`."""

    def __init_subclass__(cls) -> None:
        """Refuse a class that does not say who sees its events; otherwise a secret could become public unnoticed."""
        super().__init_subclass__()
        if cls.seen_by is Event.seen_by:
            raise TypeError(f"event class {cls.__name__}: derive it from Public, or define seen_by")

    @abstractmethod
    def seen_by(self, who: By) -> "Event | None":
        """The event as `who` may know it, filled from nothing like a view; None if `who` learns nothing of it."""
        raise NotImplementedError


class Public(Event, frozen=True):
    """An event that all seats and spectators see whole."""

    def seen_by(self, who: By) -> Self:
        return self


class Fault(Value, frozen=True):
    """A blunder, as it is recorded and as its own seat is told."""

    kind: Literal["unreadable", "illegal", "late", "gone", "unasked"]
    code: str
    words: str = ""
    facts: dict[str, int | str] = {}


GONE = Fault("gone", "gone", "has left")


class Finding(Event, frozen=True):
    """The rules found themselves to be inconsistent and the match goes on. For the host's log, not for players."""

    fault: Fault

    def seen_by(self, who: By) -> None:
        return None


class Result(Value, frozen=True):
    """Scores and ranks by seat; ties are the rule book's business, so ranks are not derived from scores."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class State(Protocol[A]):
    """A position of a game. Only `play` changes it, and an illegal action leaves no trace."""

    def asks(self) -> Mapping[By, Ask[A]]:
        """Who is to decide what. A key of None marks a round that the table closes."""

    def play(self, by: By, action: A | Table) -> list[Event]:
        """Check everything, then change; or raise IllegalAction."""

    def amends(self, seat: Seat, faults: Sequence[Fault]) -> A | Leave | None:
        """The price of the faults on this ask: what is played instead, or None to ask again."""

    def view(self, who: By) -> Value:
        """All that `who` may know, cached until the next change."""

    def result(self) -> Result | None:
        """Not None exactly when the game is over."""

    def copy(self) -> Self: ...

    def redeal(self, seat: Seat, dice: Dice) -> Self:
        """A copy in which all that the seat cannot know is dealt again."""


class Board(Struct, frozen=True):
    """A view laid out for people: a heading, columns, and a row for each seat."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    footer: str = ""
    """What only the viewer holds."""
