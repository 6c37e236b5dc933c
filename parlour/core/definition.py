"""The definition of a game: its rules, its words for people, and what hosts need. One per package, named GAME."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from parlour.core.dialect import Dialect, Scribe
from parlour.core.dice import Dice
from parlour.core.game import Ask, Board, Event, State
from parlour.core.values import Seat, Sitting, Value

A = TypeVar("A")

INTERFACE = 1
"""The version of this interface. It is raised when a game made for the old one could no longer be played."""

SHORT_BYTES = 4096
"""An action of at most so many bytes is recorded as it is, in every game."""

Strength: TypeAlias = Literal["random", "easy", "medium", "hard"]
"""How well a built-in bot plays, for somebody who chooses an opponent."""
STRENGTHS: tuple[Strength, ...] = ("random", "easy", "medium", "hard")

Seating: TypeAlias = Literal["fixed", "sign_up", "open"]
"""How a match gets its players: it begins when all its seats are taken; or players sign up until a period ends; or
anybody joins a match that is already going on."""


class Rules(Struct, Generic[A], frozen=True, kw_only=True):
    """What the referee needs. Everything here is pure: no clock, no input or output, no chance except the dice."""

    version: int
    """Covers rules, dice, tables and data files: a transcript of another version is not replayed.

    A changed rule needs no new version if an option, by its legacy value, keeps the old rule for old matches."""
    data: str = ""
    """SHA-256 of the data files, where there are any."""
    seats: range
    """How many seats a match may begin with; 0: all players join later."""
    options: type[Value]
    """House rules: public, and all of them in the header. One that is added later declares its `legacy` value."""
    start: type[Value] | None = None
    """A prepared position: in the header, shown to nobody before the end."""
    prepare: Callable[[str], Any] | None = None
    """Read a prepared position from the text of a file; ValueError if it is none."""
    actions: tuple[type[Any], ...]
    """What a seat may send."""
    prices: tuple[type[Any], ...] = ()
    """Actions that only `amends` plays. No decoder of a player's messages ever yields one."""
    borne: frozenset[str] = frozenset()
    """Codes of faults that never count against a seat, because the rule book lets players try for ever."""
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
    """Make the first state from the number of seats, options, a prepared position or None, and dice."""
    resolve: Callable[[Any, Sequence[Sitting]], Any]
    """Options as they will stand in the header, given the players; BadOptions if there can be no such match."""
    bound: Callable[[int, Any], int]
    """The most actions a match can take, for so many seats and these options."""
    finished: Callable[[Any, Seat], bool] | None = None
    """(state, seat): whether the seat has nothing left to decide before the match is over.

    A player who disconnects then has not left. Without this function, nobody has finished before the end."""
    query: Callable[[Any, Any], Value] | None = None
    """(own view, question) to reply. It cannot leak, changes nothing, and leaves no line in the transcript."""
    questions: tuple[type[Value], ...] = ()
    replies: tuple[type[Value], ...] = ()
    audits: Callable[[Any], bool] | None = None
    """Whether, under these options, the rules may report a Finding and go on. Findings are then in the record."""


class Words(Struct, frozen=True, kw_only=True):
    """The game in words, for people and language models."""

    say: Callable[[Event, Sequence[str]], str]
    """An event in words, given the names of the seats."""
    board: Callable[[Any, Sequence[str]], Board]
    """A view as a table, given the names of the seats."""
    opening: Callable[[Any, Sequence[str]], str] | None = None
    """What no event tells of the first position, in words, given a view and the names: first hands, an own target.
    Without it, the heading of the board is all that is told."""
    hear: Callable[[str, Any, Any], Any] | None = None
    """Read what a person types, given view and ask: an action, the reason why it is not possible, or None for what
    makes no sense. Without it, actions are typed by their fields."""
    hint: Callable[[Any], str] | None = None
    """How to type an answer for `hear`, given the ask."""
    explain: Callable[[Any, str, Seat, Any, int, Any], str] | None = None
    """A Fault or Void in the rule book's own terms, given match, seat, cost, number of the attempt, and the seat's view
    from before the cost was played.

    Findings, and ends that no seat caused, come with seat -1, attempt 0 and without a view."""


class Hosting(Struct, frozen=True, kw_only=True):
    """What hosts, servers and tournaments need to bring players together."""

    bots: Mapping[str, Callable[..., Any]]
    """Built-in bots by name: a function of view, ask and dice, or a class of such. There is always a "random"."""
    strengths: Mapping[str, Strength]
    """How well each bot plays."""
    house_bot: str = "random"
    """The bot that takes seats nobody has come for."""
    seating: Seating = "fixed"
    served: range | None = None
    """How many seats a public table may have, where the rules allow more."""
    short: Value | None = None
    """Options for a quick demonstration; None: the usual ones are quick enough."""
    limit_s: float = 10.0
    """How long a remote player may think about one ask, unless the host says otherwise."""
    dialects: Mapping[str, Callable[[], Dialect]] = {}
    """The game's own wire protocols by name."""
    command_dialect: str | None = None
    """The one for commands that talk over stdin and stdout; None: there is none."""
    socket_dialect: str | None = None
    """The one for clients that connect by TCP or WebSocket; None: there is none."""
    ports: Mapping[str, int] = {}
    """By dialect, the TCP port that an arena uses for it, counted from the port of its web server. A dialect without
    one has a port only where the settings say so. Games of other packages state none."""
    scribe: Callable[[], Scribe] | None = None
    """Writes matches down in the game's own form, if there is one."""

    def best_bot(self) -> str:
        """The strongest bot; the last in the list, if several are equally strong."""
        return max(reversed([*self.bots]), key=lambda name: STRENGTHS.index(self.strengths[name]))


class Game(Struct, Generic[A], frozen=True, kw_only=True):
    """Everything the outside needs to know of a game."""

    interface: int
    """The version of this interface that the game was made for: a number, not INTERFACE, which changes."""
    name: str
    title: str
    summary: str
    rules: Rules[A]
    words: Words
    hosting: Hosting

    def table_seats(self) -> range:
        """How many seats a public table may have."""
        return self.hosting.served or self.rules.seats
