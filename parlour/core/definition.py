"""The definition of a game: its rules, its words for people, and what hosts need. One per package, named GAME."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from parlour.core.dialect import Dialect, Scribe
from parlour.core.dice import Dice
from parlour.core.encoding import Encoding
from parlour.core.game import Ask, Board, Event, State
from parlour.core.text import TextForm
from parlour.core.values import Seat, Sitting, Value

A = TypeVar("A")

INTERFACE = 1
"""The version of this interface. A change that breaks existing games raises it."""

SHORT_BYTES = 4096
"""Actions up to this size are recorded unchanged; see `Rules.shorten`."""

Strength: TypeAlias = Literal["random", "easy", "medium", "hard"]
"""How well a built-in bot plays."""
STRENGTHS: tuple[Strength, ...] = ("random", "easy", "medium", "hard")

Seating: TypeAlias = Literal["fixed", "sign_up", "open"]
"""How a match gets its players. fixed: it begins when all seats are taken. sign_up: players sign up until a period
ends. open: players join a match that is already running."""


class Rules(Struct, Generic[A], frozen=True, kw_only=True):
    """The part for the referee. Everything here is pure: no clock, no I/O, no randomness except the dice."""

    version: int
    """Version of the rules, dice, tables and data files. A transcript of another version cannot be replayed.

    A changed rule needs no new version if an option's legacy value keeps the old rule for old matches."""
    data: str = ""
    """SHA-256 of the data files, if the game has any."""
    seats: range
    """How many seats a match may begin with; 0 if all players join later."""
    options: type[Value]
    """House rules. They are public and recorded in the header. An option added later declares its `legacy` value."""
    start: type[Value] | None = None
    """A prepared position. It is recorded in the header and hidden from everybody until the end."""
    prepare: Callable[[str], Any] | None = None
    """Read a prepared position from the text of a file, or raise ValueError."""
    actions: tuple[type[Any], ...]
    """The actions that a seat may send."""
    prices: tuple[type[Any], ...] = ()
    """Actions that only `amends` returns. They are never decoded from a player's message."""
    borne: frozenset[str] = frozenset()
    """Codes of faults that never count against a seat, because the rule book allows unlimited attempts."""
    shorten: Callable[[Any], Any] | None = None
    """Return an equivalent action in fewer bytes. Called before an action of more than SHORT_BYTES is played. The
    effect must be the same, except that long texts may be written in a shorter form."""
    most_bytes: int = SHORT_BYTES
    """The maximum size of an action, in bytes of JSON."""
    most_recorded: int = 400_000
    """How many bytes a seat may add to the transcript during one ask, or during all asks of one span."""
    asks: tuple[type[Ask[Any]], ...]
    events: tuple[type[Event], ...]
    view: type[Value]
    new: Callable[[int, Any, Any, Dice], State[A]]
    """(number of seats, options, prepared position or None, dice): make the first state."""
    resolve: Callable[[Any, Sequence[Sitting]], Any]
    """(options, players): the complete options for the header. Raises BadOptions if they allow no match."""
    bound: Callable[[int, Any], int]
    """(number of seats, options): an upper bound on the number of actions in a match."""
    finished: Callable[[Any, Seat], bool] | None = None
    """(state, seat): whether the seat has no more decisions to make in this match.

    Such a seat may disconnect without leaving the match. Without this function, no seat finishes early."""
    query: Callable[[Any, Any], Value] | None = None
    """(the seat's view, question): reply to a free question. It changes no state and is not recorded. Because it gets
    only the view, it cannot leak."""
    questions: tuple[type[Value], ...] = ()
    replies: tuple[type[Value], ...] = ()
    audits: Callable[[Any], bool] | None = None
    """(options): whether the rules may report a Finding and continue. Findings are then recorded."""


class Standing(Struct, frozen=True):
    """How far ahead each seat is while a match goes on, for charts."""

    label: str
    """The unit, such as "Coins and cheques"."""
    of: Callable[[Sequence[Any]], Sequence[int]]
    """(the views of all seats): a number for each seat."""


class Words(Struct, frozen=True, kw_only=True):
    """The game as text, for people and language models."""

    say: Callable[[Event, Sequence[str]], str]
    """(event, names by seat): describe the event."""
    board: Callable[[Any, Sequence[str]], Board]
    """(view, names by seat): lay out the view as a table."""
    opening: Callable[[Any, Sequence[str]], str] | None = None
    """(view, names by seat): describe what no event says about the first position, such as first hands or a secret
    target. Without it, only the heading of the board is shown."""
    hear: Callable[[str, Any, Any], Any] | None = None
    """(text, view, ask): parse what a person typed. Returns an action, a reason why it is not possible, or None if it
    cannot be parsed. Without it, actions are typed by their fields."""
    hint: Callable[[Any], str] | None = None
    """(ask): how to type an answer for `hear`."""
    explain: Callable[[Any, str, Seat, Any, int, Any], str] | None = None
    """(Fault or Void, match, seat, cost, attempt, view before the cost was played): explain it in game terms.

    For findings and for ends that no seat caused, the seat is -1, the attempt 0 and the view None."""
    part: Callable[[Any], str] | None = None
    """(view): a short label of the stage of the match, such as "Auction 4". Timelines have a mark where it changes."""
    to_act: Callable[[Any], Sequence[Seat]] | None = None
    """(a spectator's view): the seats that everybody can see have to act. Their clocks are public."""
    standing: Standing | None = None
    """Scores before the end, shown once the match is over; None if the game has none."""
    guide: str = ""
    """The rules for people, in simple Markdown: headings, paragraphs, lists, bold text."""


class Hosting(Struct, frozen=True, kw_only=True):
    """The part for hosts, servers and tournaments."""

    bots: Mapping[str, Callable[..., Any]]
    """Built-in bots by name: a function of view, ask and dice, or a class whose instances are. One is "random"."""
    strengths: Mapping[str, Strength]
    """The strength of each bot."""
    house_bot: str = "random"
    """The bot that fills empty seats."""
    seating: Seating = "fixed"
    served: range | None = None
    """How many seats a public table may have, if not all that the rules allow."""
    short: Value | None = None
    """Options for a quick demonstration; None if the defaults are quick enough."""
    limit_s: float = 10.0
    """Default time limit of a remote player for one ask."""
    dialects: Mapping[str, Callable[[], Dialect]] = {}
    """The game's own wire protocols by name."""
    command_dialect: str | None = None
    """The dialect for commands that use stdin and stdout, if any."""
    socket_dialect: str | None = None
    """The dialect for clients that connect by TCP or WebSocket, if any."""
    ports: Mapping[str, int] = {}
    """The arena's default TCP port by dialect, as an offset from its HTTP port. A dialect that is not listed gets a
    port only through the settings. Games of other packages list none."""
    scribe: Callable[[], Scribe] | None = None
    """Writes matches in the game's own file format, if it has one."""

    def lets_connect(self, dialect: str) -> bool:
        """Whether there is this dialect, and clients can connect with it. Where seats are fixed they have to introduce
        themselves, so a dialect without introductions is for commands only."""
        return dialect in self.dialects and (self.seating != "fixed" or self.dialects[dialect]().introduces)

    def best_bot(self) -> str:
        """The strongest bot; of several equally strong bots, the last."""
        return max(reversed([*self.bots]), key=lambda name: STRENGTHS.index(self.strengths[name]))


class Game(Struct, Generic[A], frozen=True, kw_only=True):
    """Everything that other packages need to know about a game."""

    interface: int
    """The interface version the game was written for. State the number; do not use INTERFACE, which changes."""
    name: str
    title: str
    summary: str
    rules: Rules[A]
    words: Words
    hosting: Hosting
    text: TextForm | None = None
    """The game for language models; None: a form is generated from its types."""
    encoding: Callable[[int, Any], Encoding] | None = None
    """(number of seats, resolved options): the game as numbers, for learning programs; None: there is no such form.

    Raises BadOptions if the game cannot be encoded with these options."""

    counts: Callable[[Event, Sequence[Any], Sequence[Any]], Mapping[Seat, Mapping[str, int]]] | None = None
    """(event, views of all seats before it, views after it): what it adds to the counts of an evaluation, by seat and
    by words, such as "offers made"; None: the game counts nothing."""

    def table_seats(self) -> range:
        """How many seats a public table may have."""
        seats = self.rules.seats
        return self.hosting.served or (seats[1:] if seats[0] == 0 else seats)
