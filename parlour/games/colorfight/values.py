"""The values of ColorfightII: options, actions, asks, events and the view."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Public, Seat, Value
from parlour.core.values import rule

MOST_ORDERS = 1000
"""Orders in one list."""
MOST_LETTERS = 100
"""Letters in one order."""
MOST_LISTS = 10
"""Lists of one seat in one round, replacements included."""
MOST_RECORDED = 40_960
"""Bytes of the transcript that one seat may fill in one round. Two lists of 1000 orders of 17 letters fit."""
MOST_ERROR_BYTES = 2000
"""Bytes of the JSON list of one seat's errors in one round."""

Size: TypeAlias = Annotated[int, Meta(ge=2, le=200)]
Building: TypeAlias = Literal["empty", "home", "energy_well", "gold_mine"]
Ruleset: TypeAlias = Literal["seed", "classic"]


class Options(Value, frozen=True, kw_only=True):
    """House rules. RULES.md explains the values and the reasons for the defaults."""

    ruleset: Annotated[Ruleset, rule("Which of the two rulesets is played.")] = "seed"
    width: Annotated[Size, rule("Width of the map.")] = 30
    height: Annotated[Size, rule("Height of the map.")] = 30
    max_turn: Annotated[int, Meta(ge=1, le=10_000), rule("Number of rounds.")] = 500
    round_time: Annotated[float, Meta(ge=0, le=60), rule("Seconds per round, as told to the players.")] = 1.0
    """No rule depends on it: the host closes rounds."""
    last_standing_ends: Annotated[bool, rule("Whether the game ends when only one player has cells.")] = False
    errors: Annotated[Literal["shown", "hidden"], rule("Whether frames show every player's errors to everybody.")] = (
        "shown"
    )


# Actions


class Odd(Value, frozen=True):
    """An entry of a list of orders that is not a string, as Python's `str` writes it."""

    said: Annotated[str, Meta(max_length=MOST_LETTERS)]


Order: TypeAlias = Annotated[str, Meta(max_length=MOST_LETTERS)] | Odd
"""`a x y energy` attacks, `b x y letter` builds, `u x y` upgrades."""


class Command(Value, frozen=True):
    """A seat's orders for this round. A later list replaces an earlier one."""

    orders: Annotated[tuple[Order, ...], Meta(max_length=MOST_ORDERS)] = ()


# Asks


class Orders(Ask[Command], frozen=True, kw_only=True):
    """Send a list of orders before the round closes. No answer is an empty list."""

    sealed: ClassVar[bool] = True

    turn: int
    uid: int
    """The seat's number on the map: the seat plus one."""


# Users and cells as everybody sees them


class User(Value, frozen=True):
    """A seat as everybody sees it. Its uid, its number on the map, is the seat plus one."""

    energy: int
    gold: int
    energy_source: int
    """Energy per round."""
    gold_source: int
    """Gold per round."""
    tech_level: int
    """The level of its best home at the end of the last round."""
    cells: int
    dead: bool


Changed: TypeAlias = tuple[int, int, Building, int, int]
"""A cell's number (y * width + x), owner, building, level and force field."""


# Events


class Joined(Public, frozen=True):
    """A player has joined during the match and has a home."""

    seat: Seat
    name: str
    at: int
    """The home's cell number."""


class Turned(Public, frozen=True):
    """A round has been played: the cells that changed, and all users."""

    turn: int
    cells: tuple[Changed, ...]
    users: tuple[User, ...]


class Failed(Event, frozen=True):
    """Errors in a seat's orders, in the order of its list. Only that seat sees them.

    At most MOST_ERROR_BYTES are shown. If there are more, the last line counts them: "... and 812 more errors".
    """

    seat: Seat
    words: tuple[str, ...]

    def seen_by(self, who: By) -> "Failed | None":
        return self if who == self.seat else None


class Left(Public, frozen=True):
    """A player has left and gives no more orders. Its cells stay."""

    seat: Seat
    why: str


class View(Value, frozen=True, kw_only=True):
    """The map and the users, the same for everybody. Cells are listed row by row from the top left."""

    turn: int
    """How many rounds have been played."""
    max_turn: int
    width: int
    height: int
    ruleset: Ruleset
    owner: tuple[int, ...]
    """By cell: 0 for nobody, or the seat plus one."""
    building: str
    """One letter per cell: a space for no building, h for a home, e for an energy well, g for a gold mine."""
    level: tuple[int, ...]
    """The building's level; 1 where there is no building."""
    force_field: tuple[int, ...]
    attack_cost: tuple[int, ...]
    gold: tuple[int, ...]
    """The production of each cell per round."""
    energy: tuple[int, ...]
    natural_gold: tuple[int, ...]
    natural_energy: tuple[int, ...]
    natural_cost: tuple[int, ...]
    users: tuple[User, ...]
    """By seat."""
    over: bool
