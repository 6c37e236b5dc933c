"""A game under test: how it is played in the tests, what must never be lost in it, and its exceptions with reasons."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr

from parlour.core import By, Game, Value

MOST_SEAT_COUNTS = 6
"""How many numbers of seats are tried by default."""


class Scene(Struct, frozen=True):
    """A position that matches seldom reach, a seat that looks at it, and what happens next."""

    state: Any
    seat: int
    by: By
    action: Any


class Golden(Struct, frozen=True):
    """A whole match that is kept as text. The name of its file is its seed."""

    seats: int
    options: Value | None = None
    """The house rules; None: the game's options for a quick demonstration, or the default ones."""
    rough: bool = False
    """Whether faults, departures and newcomers happen on the way."""


class Subject(Struct, frozen=True):
    """A game under test. Only the game itself has to be given."""

    game: Game[Any]
    seats: tuple[int, ...] = ()
    """The numbers of seats that matches begin with. By default the six smallest that the rules allow."""
    options: tuple[Value, ...] = ()
    """The house rules that matches are played under. By default the default options. If a match under these takes
    long, give shorter ones: the tests play more than a thousand matches, or parts of matches."""
    treasure: Callable[[Any], Any] | None = None
    """A function of the state, which must return equal values before and after every input: all cards, all coins.
    It may also assert that the state is consistent. Without it, the counting test is skipped."""
    together: bool | None = None
    """Whether several seats are ever asked at once: if True, the tests must find such a moment; if False, they must
    find none; if None, either is fine."""
    deducible: Mapping[str, str] = {}
    """Parts of the state that no view shows but that a seat can work out, and how. `redeal` keeps these.

    The names are those of a failing test: `coins[other]`, `hands[own]`, `phase.bids`. A name covers all parts below."""
    revealing: Mapping[str, str] = {}
    """Fields of events that tell a seat something new that no view shows afterwards, and what it is.

    `Sold.cheques` is a field; `Sold` alone means that such an event happens at all."""
    scenes: tuple[Callable[[], Scene], ...] = ()
    """Positions in which something declared as `revealing` is revealed, if ordinary matches seldom reach one."""
    golden: Mapping[str, Golden] = {}
    """Matches that are kept as text, by the names of their files, which begin with the name of the game. By default
    two: NAME-SEATS, and NAME-SEATS-rough with faults, departures and newcomers."""

    def __post_init__(self) -> None:
        """Fill in the defaults that depend on the game."""
        rules = self.game.rules
        if not self.seats:
            force_setattr(self, "seats", tuple(rules.seats[:MOST_SEAT_COUNTS]))
        if not self.options:
            force_setattr(self, "options", (rules.options(),))
        if not self.golden:
            force_setattr(self, "golden", self._usual_golden())

    def _usual_golden(self) -> dict[str, Golden]:
        """One match without and one with mishaps, with few seats."""
        few, *more = [seats for seats in self.seats if seats] or self.seats
        calm, rough = few, more[0] if more else few
        name = self.game.name
        return {f"{name}-{calm}": Golden(calm), f"{name}-{rough}-rough": Golden(rough, rough=True)}

    def __repr__(self) -> str:
        return f"Subject({self.game.name})"
