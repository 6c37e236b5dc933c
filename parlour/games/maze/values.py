"""Options, actions, asks, events and the view of Maze."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Public, Seat, Value
from parlour.core.values import rule
from parlour.games.maze.board import Direction, Gems

Number: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""Any number that can be sent; the rules check whether it is legal."""

Spot: TypeAlias = tuple[int, int]
"""A row and a column, both counted from 0."""

Slide: TypeAlias = tuple[int, Direction]
"""The number of a row or column, and a direction."""

Size: TypeAlias = Annotated[int, Meta(ge=2, le=40)]


class Options(Value, frozen=True, kw_only=True):
    """House rules. RULES.md explains each value and the reason for its default."""

    rows: Annotated[Size, rule("Height of the board.")] = 7
    columns: Annotated[Size, rule("Width of the board.")] = 7
    goals_per_player: Annotated[
        int, Meta(ge=1, le=20), rule("Treasures to collect, on average, before going home.")
    ] = 1
    extra_goals: Annotated[int, Meta(ge=0, le=100), rule("Further goals in the queue.")] = 0
    round_cap: Annotated[int, Meta(ge=1, le=1000), rule("Maximum number of rounds.")] = 1000


class Placed(Value, frozen=True):
    """A player of a prepared position."""

    at: Spot
    home: Spot
    goal: Spot
    colour: str


class Prepared(Value, frozen=True):
    """A position to begin from."""

    tiles: tuple[str, ...]
    """One string of connectors per row."""
    gems: tuple[Gems, ...]
    """Row by row."""
    spare: str
    spare_gems: Gems
    players: tuple[Placed, ...]
    """In turn order."""
    last: Slide | None = None
    goals: tuple[Spot, ...] = ()
    """The queue of further goals."""


# Actions


class Move(Value, frozen=True):
    """Slide a line, insert the spare turned counter-clockwise, and walk."""

    index: Number
    direction: Direction
    degrees: Number
    row: Number
    column: Number


class Pass(Value, frozen=True):
    """Do nothing."""


class Ack(Value, frozen=True):
    """Acknowledge a message that needs no decision."""


Action: TypeAlias = Move | Pass | Ack


# Asks


class SetUp(Ask[Ack], frozen=True, kw_only=True):
    """Your goal. `whole` is true at the start, when the whole position comes with it."""

    default: ClassVar[Ack] = Ack()

    goal: Spot
    whole: bool


class TakeTurn(Ask[Move | Pass], frozen=True, kw_only=True):
    """Move or pass."""


class Hear(Ask[Ack], frozen=True, kw_only=True):
    """The end: whether you have won."""

    default: ClassVar[Ack] = Ack()

    won: bool


# Events


class Joined(Public, frozen=True):
    """A player signed up."""

    seat: Seat
    name: str


class GoalGiven(Event, frozen=True):
    """A seat's next goal; only that seat sees it."""

    seat: Seat
    goal: Spot
    home: bool
    """Whether it is the seat's home, and the last goal."""
    treasures: int
    """Treasures collected so far."""

    def seen_by(self, who: By) -> "GoalGiven | None":
        return self if who == self.seat else None


class Began(Public, frozen=True):
    """All players are set up, and the first round begins."""

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
    """The player left or was removed; its avatar and home are gone."""

    seat: Seat
    why: str


class Decided(Public, frozen=True):
    """The game has ended; `why` says how."""

    winners: tuple[Seat, ...]
    why: Literal["home", "passes", "rounds", "nobody", "time"]


class Avatar(Value, frozen=True):
    """The public part of a seat."""

    colour: str
    at: Spot
    home: Spot
    here: bool
    """False if the player has left."""


class View(Value, frozen=True, kw_only=True):
    """The table as one seat, or a spectator, may see it."""

    seat: Seat | None
    phase: Literal["registration", "setup", "play", "end", "over"]
    rows: int
    columns: int
    tiles: tuple[str, ...]
    """One string of connectors per row."""
    gems: tuple[Gems, ...]
    """Row by row."""
    spare: str
    spare_gems: Gems
    avatars: tuple[Avatar, ...]
    """By seat."""
    order: tuple[Seat, ...]
    """Seats that have not left, in turn order, starting with the one to act."""
    last: Slide | None
    """The last slide, which must not be undone."""
    round: int
    turn: int
    """Turns taken so far."""
    passed: int
    """Passes in this round."""
    goal: Spot | None
    """Own goal."""
    going_home: bool
    """Whether the own goal is the own home, and the last."""
    treasures: int
    """Own treasures collected so far."""
    winners: tuple[Seat, ...] | None
    """None while the game goes on."""
