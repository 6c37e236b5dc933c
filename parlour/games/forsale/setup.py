"""Cards and coins at the start, and options resolved before the deal."""

from collections.abc import Sequence

from msgspec.structs import replace

from parlour.core import BadOptions, Sitting
from parlour.games.forsale.values import Options

SEATS = range(3, 7)
ESTATES = tuple(range(1, 31))
CHEQUES = tuple(sorted([0, 0, *range(2, 16), *range(2, 16)]))
REMOVED = {3: 6, 4: 2, 5: 0, 6: 0}
COINS_BY_COUNT = {3: 18, 4: 18, 5: 14, 6: 14}


def start_coins(seats: int, options: Options) -> int:
    """RULES 1.4."""
    match options.start_coins:
        case "flat_18":
            return 18
        case "by_count":
            return COINS_BY_COUNT[seats]
        case coins:
            return coins


def step_of(options: Options) -> int:
    """RULES 2.8."""
    return 1 if options.bid_direction == "cw" else -1


def resolve(options: Options, players: Sequence[Sitting]) -> Options:
    """Decide who begins, from the ages that players state when they join (RULES 2.2)."""
    seats = len(players)
    ages = options.ages
    stated = [player.about.get("age") for player in players]
    if ages is None and players and all(isinstance(age, int) and 0 <= age <= 1000 for age in stated):
        ages = tuple(age for age in stated if isinstance(age, int))
    first = options.initial_first or ("youngest" if ages else "seeded_random")
    if ages is not None and len(ages) != seats:
        raise BadOptions(f"ages: {len(ages)} ages for {seats} seats")
    if first == "youngest" and ages is None:
        raise BadOptions("initial_first: the youngest is not known, for not every seat has an age")
    if first.startswith("seat:") and int(first[5:]) >= seats:
        raise BadOptions(f"initial_first: {first} is not one of {seats} seats")
    return replace(options, initial_first=first, ages=ages)


def goes_on(options: Options) -> bool:
    """Whether the match continues after an audit finding that is not terminal (RULES 7.4)."""
    return options.invariant_policy == "lenient"


def bound(seats: int, options: Options) -> int:
    """Each auction has at most one raise per coin and `seats - 1` passes; each sale has one answer per seat."""
    rounds = 11 - seats
    return rounds * (start_coins(seats, options) + seats - 1) + seats * rounds
