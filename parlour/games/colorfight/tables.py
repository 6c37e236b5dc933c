"""Numbers of the game, and the two sets of rules that differ in a few of them."""

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

# What a cell makes: its natural output times a factor, and what the building adds; by kind and level.
_LEVELS = np.arange(MOST_LEVEL + 1)
_PLAIN = np.ones(MOST_LEVEL + 1, dtype=np.int64)
GOLD_TIMES = np.array([_PLAIN, 0 * _PLAIN, _PLAIN, 1 + _LEVELS])
ENERGY_TIMES = np.array([_PLAIN, 0 * _PLAIN, 1 + _LEVELS, _PLAIN])
ADDED = np.array([0 * _PLAIN, 10 * _LEVELS, 0 * _PLAIN, 0 * _PLAIN])


class Recipe(Struct, frozen=True):
    """How a map's costs are made (RULES 2.2)."""

    by_output: bool
    """Whether the first cost follows what the cell makes, or is just drawn."""
    blur_percent: int
    most_cost: int | None


class Rules(Struct, frozen=True):
    """All in which the sets of rules differ."""

    prices: tuple[Price, ...]
    """To upgrade a well or a mine, by level."""
    home_by_level: bool
    """Whether a home's attack cost grows with its level and leaves the force field out."""
    sums: bool
    """Whether what a player spends on a cell is added up, or counts order by order."""
    by_kind: bool
    """Whether all builds are done before all upgrades, and those before all attacks."""
    destroyed: Literal["attacked", "taken"]
    """When a building is lost: when another player attacks its cell, or when another player owns it."""
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
