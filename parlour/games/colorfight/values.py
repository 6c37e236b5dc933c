"""The vocabulary of ColorfightII: what players do, are asked and see, and the house rules."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Public, Seat, Value
from parlour.core.values import rule

MOST_ORDERS = 1000
"""In one list."""
MOST_LETTERS = 100
"""In one order."""
MOST_LISTS = 10
"""Of one seat in one round: the first, and what replaces it."""
MOST_RECORDED = 40_960
"""Bytes of the transcript that one seat may fill in one round: two full lists of orders of 17 letters."""
MOST_ERROR_BYTES = 2000
"""Of the JSON list of what was wrong with the orders of one seat in one round."""

Size: TypeAlias = Annotated[int, Meta(ge=2, le=200)]
Building: TypeAlias = Literal["empty", "home", "energy_well", "gold_mine"]
Ruleset: TypeAlias = Literal["seed", "classic"]


class Options(Value, frozen=True, kw_only=True):
    """House rules. RULES.md says what each value does and why the default is what it is."""

    ruleset: Annotated[Ruleset, rule("Which of the two sets of rules is played.")] = "seed"
    width: Annotated[Size, rule("Width of the map.")] = 30
    height: Annotated[Size, rule("Height of the map.")] = 30
    max_turn: Annotated[int, Meta(ge=1, le=10_000), rule("How many turns are played at most.")] = 500
    round_time: Annotated[float, Meta(ge=0, le=60), rule("Seconds a round lasts, as players are told.")] = 1.0
    """No rule depends on it: the host closes the rounds."""
    last_standing_ends: Annotated[bool, rule("Whether the game ends once all owned cells have one owner.")] = False
    errors: Annotated[Literal["shown", "hidden"], rule("Whether frames show everybody's mistakes to everybody.")] = (
        "shown"
    )


# Actions


class Odd(Value, frozen=True):
    """Something in a list of orders that is no text, written as Python writes it."""

    said: Annotated[str, Meta(max_length=MOST_LETTERS)]


Order: TypeAlias = Annotated[str, Meta(max_length=MOST_LETTERS)] | Odd
"""`a x y energy` attacks, `b x y letter` builds, `u x y` upgrades."""


class Command(Value, frozen=True):
    """All that a seat wants done in this round. A later list takes the place of an earlier one."""

    orders: Annotated[tuple[Order, ...], Meta(max_length=MOST_ORDERS)] = ()


# Asks


class Orders(Ask[Command], frozen=True, kw_only=True):
    """Send a list of orders before the round closes; saying nothing is an empty list."""

    sealed: ClassVar[bool] = True

    turn: int
    uid: int
    """Whose cells are one's own on the map: the seat plus one."""


# What is seen of users and cells


class User(Value, frozen=True):
    """What everybody sees of a seat. Its number on the map, its uid, is the seat's plus one."""

    energy: int
    gold: int
    energy_source: int
    """Energy a round."""
    gold_source: int
    """Gold a round."""
    tech_level: int
    """The highest level of a home, as counted at the end of the last round."""
    cells: int
    dead: bool


Changed: TypeAlias = tuple[int, int, Building, int, int]
"""A cell's number (y * width + x), owner, building, level, and force field."""


# Events


class Joined(Public, frozen=True):
    """Somebody comes, and has a home."""

    seat: Seat
    name: str
    at: int
    """The cell's number."""


class Turned(Public, frozen=True):
    """A round has been played: the cells that are not as they were, and all users."""

    turn: int
    cells: tuple[Changed, ...]
    users: tuple[User, ...]


class Failed(Event, frozen=True):
    """What was wrong with a seat's orders, in the order of its list. To its seat alone.

    At most MOST_ERROR_BYTES are shown. If there is more, the last line counts it: "... and 812 more errors".
    """

    seat: Seat
    words: tuple[str, ...]

    def seen_by(self, who: By) -> "Failed | None":
        return self if who == self.seat else None


class Left(Public, frozen=True):
    """Gives no orders any more. Its cells stay."""

    seat: Seat
    why: str


class View(Value, frozen=True, kw_only=True):
    """The map and the users. It is the same for all, and cells are listed row by row, from the top left."""

    turn: int
    """How many rounds have been played."""
    max_turn: int
    width: int
    height: int
    ruleset: Ruleset
    owner: tuple[int, ...]
    """0: nobody; else the seat plus one."""
    building: str
    """A letter for each cell: a space for none, h, e, g."""
    level: tuple[int, ...]
    """Of the building; 1 where there is none."""
    force_field: tuple[int, ...]
    attack_cost: tuple[int, ...]
    gold: tuple[int, ...]
    """Made in each round."""
    energy: tuple[int, ...]
    natural_gold: tuple[int, ...]
    natural_energy: tuple[int, ...]
    natural_cost: tuple[int, ...]
    users: tuple[User, ...]
    """By seat."""
    over: bool
