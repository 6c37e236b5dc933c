"""Constants of the game, and the two rulesets."""

from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from parlour.games.colorfight.values import Building, Ruleset

START_ENERGY: Final = 100
BUILD_PRICE: Final = 100
MOST_FIELD: Final = 1000
MOST_LEVEL: Final = 4
HOME_COST: Final = 1000

EMPTY, HOME, WELL, MINE = range(4)
KINDS: tuple[Building, ...] = ("empty", "home", "energy_well", "gold_mine")
LETTERS: Final = " heg"
BUILT_BY: Mapping[str, int] = {"e": WELL, "g": MINE}

Price = tuple[int, int]
"""Gold and energy."""

HOME_PRICES: tuple[Price, ...] = ((1000, 1000), (2000, 2000), (4000, 4000))

# A cell's output is its natural output times a factor, plus an addition. Both depend on building and level.
_LEVELS = np.arange(MOST_LEVEL + 1)
_PLAIN = np.ones(MOST_LEVEL + 1, dtype=np.int64)
GOLD_TIMES = np.array([_PLAIN, 0 * _PLAIN, _PLAIN, 1 + _LEVELS])
ENERGY_TIMES = np.array([_PLAIN, 0 * _PLAIN, 1 + _LEVELS, _PLAIN])
ADDED = np.array([0 * _PLAIN, 10 * _LEVELS, 0 * _PLAIN, 0 * _PLAIN])


class Recipe(Struct, frozen=True):
    """How the costs of a map are generated (RULES 2.2)."""

    by_output: bool
    """Whether the initial cost depends on the cell's output, or is drawn independently."""
    blur_percent: int
    most_cost: int | None


class Rules(Struct, frozen=True):
    """Everything in which the rulesets differ."""

    prices: tuple[Price, ...]
    """Prices of upgrading a well or a mine, by level."""
    home_by_level: bool
    """Whether a home's attack cost depends on its level and not on its force field."""
    sums: bool
    """Whether a player's attacks on a cell are added up, or count one by one."""
    by_kind: bool
    """Whether all builds come first, then all upgrades, then all attacks."""
    destroyed: Literal["attacked", "taken"]
    """Whether a building is destroyed when another player attacks its cell, or only when one takes it."""
    recipe: Recipe


RULES: Mapping[Ruleset, Rules] = {
    "seed": Rules(
        prices=((200, 200), (400, 400), (800, 800)),
        home_by_level=False,
        sums=True,
        by_kind=True,
        destroyed="attacked",
        recipe=Recipe(by_output=False, blur_percent=15, most_cost=300),
    ),
    "classic": Rules(
        prices=((200, 0), (400, 0), (800, 0)),
        home_by_level=True,
        sums=False,
        by_kind=False,
        destroyed="taken",
        recipe=Recipe(by_output=True, blur_percent=5, most_cost=None),
    ),
}
