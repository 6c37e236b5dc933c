"""The map: integer arrays with one entry per cell."""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from parlour.core import Dice
from parlour.games.colorfight.tables import (
    ADDED,
    EMPTY,
    ENERGY_TIMES,
    GOLD_TIMES,
    HOME,
    HOME_COST,
    Recipe,
)

Ints: TypeAlias = NDArray[np.int64]
Cell: TypeAlias = int
"""A cell's number: y * width + x."""

BLURS = 3


class Land:
    """The cells. Natural values never change; all others are rows of one array, so that copies are cheap."""

    def __init__(self, width: int, height: int, naturals: Ints, changing: Ints) -> None:
        self.width = width
        self.height = height
        self.natural_gold, self.natural_energy, self.natural_cost = naturals
        self._naturals = naturals
        self._changing = changing
        self.owner, self.building, self.level, self.field = changing

    @classmethod
    def fresh(cls, width: int, height: int, recipe: Recipe, dice: Dice) -> "Land":
        """A new map, on which all cells are free (RULES 2)."""
        cells = width * height
        gold, energy = (np.array([1 + dice.below(10) for _ in range(cells)]) for _ in range(2))
        if recipe.by_output:
            cost = (gold + energy) * 15 * np.array([600 + dice.below(901) for _ in range(cells)]) // 1000
        else:
            cost = np.array([1 + dice.below(300) for _ in range(cells)])
        cost = cost.reshape(height, width)
        for _ in range(BLURS):
            cost = blurred(cost, recipe.blur_percent)
        naturals = np.array([gold, energy, np.clip(cost.ravel(), 1, recipe.most_cost)])
        changing = np.zeros((4, cells), dtype=np.int64)
        changing[2] = 1
        return cls(width, height, naturals, changing)

    def attack_cost(self, home_by_level: bool) -> Ints:
        """The minimum energy of an attack on each cell (RULES 5.2)."""
        home = HOME_COST * self.level if home_by_level else HOME_COST + self.field
        cost: Ints = np.where(self.building == HOME, home, self.natural_cost + self.field)
        return cost

    def outputs(self) -> tuple[Ints, Ints]:
        """Gold and energy that each cell makes in a round (RULES 3)."""
        kind = self.building, self.level
        added = ADDED[kind]
        return self.natural_gold * GOLD_TIMES[kind] + added, self.natural_energy * ENERGY_TIMES[kind] + added

    def decay(self) -> None:
        """A twentieth of the field is lost for each neighbour of another owner (RULES 6.2)."""
        if not self.field.any():
            return
        owner = self.owner.reshape(self.height, self.width)
        enemies = np.zeros_like(owner)
        # For two neighbours with different owners, each counts as an enemy of the other, unless it is free.
        for here, there in _BESIDE:
            differ = owner[here] != owner[there]
            enemies[here] += differ & (owner[there] != 0)
            enemies[there] += differ & (owner[here] != 0)
        self.field -= self.field * 5 * enemies.ravel() // 100

    def found(self, cell: Cell, uid: int) -> None:
        """A home for a new player (RULES 4.2)."""
        self.owner[cell], self.building[cell], self.level[cell], self.field[cell] = uid, HOME, 1, 0

    def raze(self, cell: Cell) -> None:
        """Remove the building."""
        self.building[cell], self.level[cell] = EMPTY, 1

    def free(self) -> list[Cell]:
        """Cells without an owner."""
        return np.flatnonzero(self.owner == 0).tolist()

    def naturals(self) -> Ints:
        """Gold, energy and cost, which never change."""
        return self._naturals

    def changing(self) -> Ints:
        """A copy of owners, buildings, levels and fields, for `changed`."""
        return self._changing.copy()

    def changed(self, before: Ints) -> Ints:
        """The cells that differ from an earlier `changing()`."""
        return np.flatnonzero((self._changing != before).any(axis=0))

    def copy(self) -> "Land":
        return Land(self.width, self.height, self._naturals, self._changing.copy())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Land):
            return NotImplemented
        return (
            self.width == other.width
            and np.array_equal(self._naturals, other._naturals)
            and np.array_equal(self._changing, other._changing)
        )

    __hash__ = None  # type: ignore[assignment]  # mutable, so no hash


_ALL, _FIRST, _LAST = slice(None), slice(None, -1), slice(1, None)
_BESIDE = (((_FIRST, _ALL), (_LAST, _ALL)), ((_ALL, _FIRST), (_ALL, _LAST)))
"""Slices of the map that pair each cell with its southern and with its eastern neighbour."""


def blurred(cost: Ints, percent: int) -> Ints:
    """The costs after one step of the blur (RULES 2.3)."""
    share = cost * percent // 100
    count = np.zeros_like(cost)
    new = cost.copy()
    for here, there in _BESIDE:
        new[here] += share[there]
        new[there] += share[here]
        count[here] += 1
        count[there] += 1
    blur: Ints = new - cost * count * percent // 100
    return blur


@cache
def neighbours(width: int, height: int) -> Sequence[tuple[Cell, ...]]:
    """The neighbours of each cell in the order north, south, west, east."""
    beside: list[tuple[Cell, ...]] = []
    for y in range(height):
        for x in range(width):
            near = ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y))
            beside.append(tuple(b * width + a for a, b in near if 0 <= a < width and 0 <= b < height))
    return beside


def totals(owner: Ints, amounts: Ints, users: int) -> list[int]:
    """The sum over each user's cells, by uid. Exact: the sums stay far below 2**53."""
    sums: list[int] = np.bincount(owner, amounts, users + 1).astype(np.int64).tolist()
    return sums
