"""The one interface: seven methods make a game."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, Self, TypeAlias, TypeVar

from msgspec import Struct

from parlour.core.dialect import Dialect, Scribe
from parlour.core.dice import Dice
from parlour.core.values import Name, Salt, Seat, Sitting, Value, Word

By: TypeAlias = int | None
"""Who acts, None being the table itself; or who sees, None being a spectator."""

A = TypeVar("A")

SHORT_BYTES = 4096
"""An action of so many bytes is recorded as it is, in every game."""


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


class Game(Struct, Generic[A], frozen=True, kw_only=True):
    """Everything the outside needs of a game. One per package, named GAME."""

    name: str
    title: str
    summary: str
    version: int
    """Covers rules, dice, tables and data files: a transcript of another version is not replayed.

    A changed rule needs no new version if an option, by its legacy value, keeps the old one for old matches."""
    data: str = ""
    """SHA-256 of the data files, where there are any."""
    seats: range
    """How many a match may begin with; 0: all join later."""
    served: range | None = None
    """How many may sit at a table that is opened to all, where `seats` allows for more."""
    options: type[Value]
    """House rules: public, and all of them in the header. One that is added later declares its `legacy` value."""
    start: type[Value] | None = None
    """A prepared position: in the header, shown to nobody before the end."""
    prepare: Callable[[str], Any] | None = None
    """A prepared position from the text of a file; ValueError if it is none."""
    actions: tuple[type[Any], ...]
    """What a seat may send."""
    prices: tuple[type[Any], ...] = ()
    """What only `amends` plays; no decoder of a player's ever yields one."""
    borne: frozenset[str] = frozenset()
    """Codes of faults that are never counted against a seat, because the rule book lets players try for ever."""
    shorten: Callable[[Any], Any] | None = None
    """The same action in fewer bytes, called for actions of more than SHORT_BYTES before they are played. Nobody may be
    able to tell the difference, except that long texts may be spelled in a shorter way."""
    most_bytes: int = SHORT_BYTES
    """The longest action that is read, in bytes of its JSON."""
    most_recorded: int = 400_000
    """How many bytes of the transcript a seat may fill while one ask is open, or all asks of one span."""
    asks: tuple[type[Ask[Any]], ...]
    events: tuple[type[Event], ...]
    view: type[Value]
    new: Callable[[int, Any, Any, Dice], State[A]]
    """From the number of seats (0: all join later), options, a prepared position or None, and chance."""
    resolve: Callable[[Any, Sequence[Sitting]], Any]
    """Options as they will stand in the header, given who sits down; BadOptions if they cannot."""
    bound: Callable[[int, Any], int]
    """The most actions a match can take, for so many seats and these options."""
    bots: Mapping[str, Callable[..., Any]]
    """By name: a function of view, ask and dice, or a class of such. There is always a "random"."""
    limit_s: float = 10.0
    """How long a player over a wire may be silent, unless the host says otherwise."""
    dialects: Mapping[str, Callable[[], Dialect]] = {}
    """The game's own wire protocols by name: "stdio" for commands, "tcp" for sockets, others for who asks for them."""
    scribe: Callable[[], Scribe] | None = None
    """Who writes matches down in the game's own form, if it has one."""
    finished: Callable[[Any, Seat], bool] | None = None
    """(state, seat): whether the seat has nothing left to decide before the match is over.

    A player who disconnects then has not left. Without this function, nobody has finished before the end."""
    query: Callable[[Any, Any], Value] | None = None
    """(own view, question) to answer: cannot leak, changes nothing, leaves no line."""
    questions: tuple[type[Value], ...] = ()
    replies: tuple[type[Value], ...] = ()
    audits: Callable[[Any], bool] | None = None
    """Whether, under these options, the rules may report a Finding and go on. Findings are then in the record."""
    explain: Callable[[Any, str, Seat, Any, int, Any], str] | None = None
    """A Fault or Void in the rule book's own terms, given match, seat, cost, number of the attempt, and the seat's view
    from before the cost was played.

    Findings and ends that are no seat's doing come with seat -1, attempt 0 and without a view."""
    say: Callable[[Event, Sequence[str]], str]
    """An event in words, given the seats' names."""
    board: Callable[[Any, Sequence[str]], Board]
    """A view as a table, given the seats' names."""
    opening: Callable[[Any, Sequence[str]], str] | None = None
    """What no event tells of the first position, in words, given a view and the seats' names: first hands, an own
    target. Without it, the heading of the board is all that is told."""
    hear: Callable[[str, Any, Any], Any] | None = None
    """What a person types, given view and ask: an action, why it cannot be, or None for what makes no sense.

    Without it, actions are typed by their fields."""
    hint: Callable[[Any], str] | None = None
    """How `hear` wants to be talked to, given the ask."""

    def table_seats(self) -> range:
        """How many may sit at a table that is opened to all."""
        return self.served or self.seats
