"""The vocabulary of Maze: what players do, are asked and see, and the house rules."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Public, Seat, Value
from parlour.core.values import rule
from parlour.games.maze.board import Direction, Gems

Number: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""Any number a player may send; whether it is a good one is for the rules."""

Spot: TypeAlias = tuple[int, int]
"""A row and a column, both counted from 0."""

Slide: TypeAlias = tuple[int, Direction]
"""Which row or column, and where to."""

Size: TypeAlias = Annotated[int, Meta(ge=2, le=40)]


class Options(Value, frozen=True, kw_only=True):
    """House rules. RULES.md says what each value does and why the default is what it is."""

    rows: Annotated[Size, rule("Height of the board.")] = 7
    columns: Annotated[Size, rule("Width of the board.")] = 7
    goals_per_player: Annotated[
        int, Meta(ge=1, le=20), rule("Treasures to collect, on average, before going home.")
    ] = 1
    extra_goals: Annotated[int, Meta(ge=0, le=100), rule("Further goals in the queue.")] = 0
    round_cap: Annotated[int, Meta(ge=1, le=1000), rule("How many rounds are played at most.")] = 1000


class Placed(Value, frozen=True):
    """A player of a prepared position."""

    at: Spot
    home: Spot
    goal: Spot
    colour: str


class Prepared(Value, frozen=True):
    """A position to begin from."""

    tiles: tuple[str, ...]
    """A row of connectors each."""
    gems: tuple[Gems, ...]
    """Row by row."""
    spare: str
    spare_gems: Gems
    players: tuple[Placed, ...]
    """In the order of their turns."""
    last: Slide | None = None
    goals: tuple[Spot, ...] = ()
    """The queue of further goals."""


# Actions


class Move(Value, frozen=True):
    """Slide a line, put the spare in, turned counter-clockwise, and walk."""

    index: Number
    direction: Direction
    degrees: Number
    row: Number
    column: Number


class Pass(Value, frozen=True):
    """Do nothing."""


class Ack(Value, frozen=True):
    """Heard."""


Action: TypeAlias = Move | Pass | Ack


# Asks


class SetUp(Ask[Ack], frozen=True, kw_only=True):
    """You are told your goal; with the whole position at the start, by itself later."""

    default: ClassVar[Ack] = Ack()

    goal: Spot
    whole: bool


class TakeTurn(Ask[Move | Pass], frozen=True, kw_only=True):
    """Move or pass."""


class Hear(Ask[Ack], frozen=True, kw_only=True):
    """You are told whether you have won."""

    default: ClassVar[Ack] = Ack()

    won: bool


# Events


class Joined(Public, frozen=True):
    """Somebody signed up."""

    seat: Seat
    name: str


class GoalGiven(Event, frozen=True):
    """Where to go next. To its seat alone."""

    seat: Seat
    goal: Spot
    home: bool
    """Whether this is the last."""
    treasures: int
    """Collected so far."""

    def seen_by(self, who: By) -> "GoalGiven | None":
        return self if who == self.seat else None


class Began(Public, frozen=True):
    """Everybody is set up, and the first round begins."""

    order: tuple[Seat, ...]


class Moved(Public, frozen=True):
    seat: Seat
    index: int
    direction: Direction
    degrees: int
    to: Spot


class Passed(Public, frozen=True):
    seat: Seat


class Left(Public, frozen=True):
    """Gone, by itself or for misbehaving; its avatar and home vanish."""

    seat: Seat
    why: str


class Decided(Public, frozen=True):
    """The game has ended, and who has won it."""

    winners: tuple[Seat, ...]
    why: Literal["home", "passes", "rounds", "nobody", "time"]


class Avatar(Value, frozen=True):
    """What everybody sees of a seat."""

    colour: str
    at: Spot
    home: Spot
    here: bool


class View(Value, frozen=True, kw_only=True):
    """The table as one seat, or a spectator, may see it."""

    seat: Seat | None
    phase: Literal["registration", "setup", "play", "end", "over"]
    rows: int
    columns: int
    tiles: tuple[str, ...]
    """A row of connectors each."""
    gems: tuple[Gems, ...]
    """Row by row."""
    spare: str
    spare_gems: Gems
    avatars: tuple[Avatar, ...]
    """By seat."""
    order: tuple[Seat, ...]
    """Who is still here, in the order of turns, whoever acts now first."""
    last: Slide | None
    """The last slide, which must not be undone."""
    round: int
    turn: int
    """How many turns have been taken."""
    passed: int
    """How many have passed in this round."""
    goal: Spot | None
    """Own."""
    going_home: bool
    """Whether the own goal is the own home, and the last."""
    treasures: int
    """Own, collected so far."""
    winners: tuple[Seat, ...] | None
    """None while the game goes on."""
