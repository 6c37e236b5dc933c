"""A stronger player: it holds all that it could buy against each other, and saves for what is best."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from parlour.core import Dice
from parlour.games.colorfight.land import Cell, Ints
from parlour.games.colorfight.tables import (
    BUILD_PRICE,
    HOME_PRICES,
    LETTERS,
    MOST_FIELD,
    MOST_LEVEL,
    RULES,
)
from parlour.games.colorfight.values import MOST_ORDERS, Command, Orders, View

Floats: TypeAlias = NDArray[np.floating[Any]]
Truths: TypeAlias = NDArray[np.bool_]
Kind = TypeVar("Kind", bound=np.generic)

ENERGY = 2.5
"""What energy is worth in gold while there is land to take: land makes more of both."""
HORIZON = 60
"""In so many last rounds energy loses its worth: what it takes has no time to bring much."""
REPAID = 0.7
"""A building must bring its price in this part of the rounds that are left."""
AHEAD = 20
"""Upgrades that a better home allows are counted as far as the gold of so many rounds reaches."""
HOPE = 0.6
"""How much of what lies behind a cell counts for it, step by step."""
STEPS = 3
"""How far that is looked."""
ROOM = 1
"""What it is worth to have a cell more to build on."""
DENIAL = 0.5
"""How much of what the only rival loses is as good as one's own; of several, each is a part of the trouble."""
PRIZE = 100
"""What a rival's home is worth: without it nothing of the rival's can be upgraded, ever again."""
GUARD = 10
"""What it is worth to drive a rival away from one's own home."""
STAKES = 20
"""Where a third player might come for the same cell, up to so much more is spent: equal stakes are lost."""
LAST_RESORT = 1e-6
"""Makes shields the last thing to be bought."""


class Offer(NamedTuple):
    """Something to buy."""

    ratio: float
    """What it brings in a round, for each unit of its price."""
    gold: int
    energy: int
    order: str
    """a: attack; e or g: build that; u: upgrade."""
    cell: Cell

    def text(self, width: int) -> str:
        y, x = divmod(self.cell, width)
        match self.order:
            case "a":
                return f"a {x} {y} {self.energy}"
            case "u":
                return f"u {x} {y}"
            case letter:
                return f"b {x} {y} {letter}"


class Chart:
    """The view as arrays, row by row, with whose the cells are and what they are worth to one player."""

    def __init__(self, view: View, uid: int) -> None:
        self.view = view
        self.uid = uid
        self.user = view.users[uid - 1]
        self.left = view.max_turn - view.turn
        self.owner, self.cost, self.level = self.grid(view.owner), self.grid(view.attack_cost), self.grid(view.level)
        self.own: Truths = self.owner == uid
        self.theirs: Truths = (self.owner != 0) & ~self.own
        self.at_border = touching(self.theirs)
        letters = np.frombuffer(view.building.encode(), np.uint8).reshape(self.owner.shape)
        self.empty, self.home, self.well, _ = (letters == ord(letter) for letter in LETTERS)
        self.energy_worth = 0.0 if self.own.all() else ENERGY * min(1, self.left / HORIZON)
        energy, gold = self.grid(view.natural_energy), self.grid(view.natural_gold)
        self.nature = self.energy_worth * energy + gold
        """What a cell is worth in a round if nothing stands on it."""
        self.yields = self.energy_worth * self.grid(view.energy) + self.grid(view.gold)
        """What it is worth to its owner as it is."""
        self.well |= self.empty & (self.energy_worth * energy > gold)
        self.step: Floats = np.where(self.well, self.energy_worth * energy, gold)
        """What one level more brings; on an empty cell, of a well or a mine, whichever is better."""
        self.prices = np.array([(BUILD_PRICE, 0), *RULES[view.ruleset].prices])

    def grid(self, cells: Iterable[int]) -> Ints:
        return np.array(cells, dtype=np.int64).reshape(self.view.height, self.view.width)

    def total(self, gold: Ints | float, energy: Ints | float, scarcity: float) -> Floats:
        """A price in one number. Gold counts as far as it is scarce, energy as far as it is good for something."""
        return np.asarray(scarcity * gold + self.energy_worth / ENERGY * energy + 1)


def beside(grid: NDArray[Kind]) -> tuple[NDArray[Kind], ...]:
    """The northern, southern, western and eastern neighbour of each cell; beyond the rim there is nothing."""
    height, width = grid.shape
    wide = np.zeros((height + 2, width + 2), dtype=grid.dtype)
    wide[1:-1, 1:-1] = grid
    return wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]


def touching(cells: Truths) -> Truths:
    """What lies beside any of the cells."""
    north, south, west, east = beside(cells)
    return north | south | west | east


def general(view: View, ask: Orders, dice: Dice) -> Command:
    """Buys from the best offer on: buildings, levels, a better home, land, rivals' cells, and shields."""
    chart = Chart(view, ask.uid)
    building, scarcity = buildings(chart)
    offers = [*building, *better_home(chart, scarcity), *attacks(chart, dice), *shields(chart)]
    chosen = bought(offers, chart.user.gold, chart.user.energy)
    return Command(tuple([offer.text(view.width) for offer in islice(chosen, MOST_ORDERS)]))


def bought(offers: list[Offer], gold: int, energy: int) -> Iterator[Offer]:
    """What can be paid. What cannot is saved for, and nothing worse is bought with what it lacks."""
    for offer in sorted(offers, key=lambda offer: -offer.ratio):
        if offer.gold > gold:
            gold = 0
        elif offer.energy > energy:
            energy = 0
        else:
            gold, energy = gold - offer.gold, energy - offer.energy
            yield offer


def buildings(chart: Chart) -> tuple[list[Offer], float]:
    """New ones and higher levels, if they pay; and how scarce gold is: if all of it can be spent on them, fully."""
    at = np.where(chart.empty, 0, chart.level)
    allowed = chart.empty | (chart.level < min(chart.user.tech_level, MOST_LEVEL))
    gold, energy = chart.prices[np.minimum(at, MOST_LEVEL - 1)].transpose(2, 0, 1)
    wanted = chart.own & ~chart.home & allowed & (chart.step * chart.left * REPAID > gold)
    scarcity = min(1.0, int(gold[wanted & (energy == 0)].sum()) / max(1, chart.user.gold))
    ratio = chart.step / chart.total(gold, energy, scarcity)
    orders = np.where(chart.empty, np.where(chart.well, "e", "g"), "u")
    return _offers(wanted, ratio, gold, energy, orders), scarcity


def better_home(chart: Chart, scarcity: float) -> list[Offer]:
    """Weighed together with the upgrades that it allows, as many of the best as make the best bargain."""
    homes = np.flatnonzero(chart.own & chart.home)
    if not len(homes):
        return []
    cell = int(homes[np.argmax(chart.level.flat[homes])])
    level = int(chart.level.flat[cell])
    if level == MOST_LEVEL:
        return []
    (home_gold, home_energy), (each_gold, each_energy) = HOME_PRICES[level - 1], chart.prices[level].tolist()
    waiting = chart.step[chart.own & ~chart.home & ~chart.empty & (chart.level == level)]
    affordable = max(0, chart.user.gold + AHEAD * chart.user.gold_source - home_gold) // each_gold
    steps = np.sort(waiting)[::-1][:affordable]
    counts = np.arange(len(steps) + 1)
    brings = 10 * (chart.energy_worth + 1) + np.concatenate([[0], np.cumsum(steps)])
    gold, energy = home_gold + each_gold * counts, home_energy + each_energy * counts
    ratios = brings / chart.total(gold, energy, scarcity)
    best = int(np.argmax(ratios))
    if brings[best] * chart.left * REPAID <= gold[best]:
        return []
    return [Offer(float(ratios[best]), home_gold, home_energy, "u", cell)]


def attacks(chart: Chart, dice: Dice) -> list[Offer]:
    """Cells of others and nobody's by value per cost, with hope for what lies behind them."""
    target = touching(chart.own) & ~chart.own
    if not target.any():
        return []
    value = (worth_taking(chart) / chart.cost) * ~chart.own
    ratio = value
    for _ in range(STEPS):
        ratio = value + HOPE * np.maximum.reduce(beside(ratio))
    others = [(near != 0) & (near != chart.uid) & (near != chart.owner) for near in beside(chart.owner)]
    spent = chart.cost + np.logical_or.reduce(others) * (1 + dice.below(STAKES))
    return _offers(target, ratio, np.zeros_like(spent), spent, np.full(spent.shape, "a"))


def worth_taking(chart: Chart) -> Floats:
    """What each cell would bring, and what rivals would miss or not get."""
    rivals = sum(user.cells > 0 for user in chart.view.users) - 1
    worth = chart.nature + ROOM
    worth += (chart.theirs | chart.at_border) * (DENIAL / max(1, rivals) ** 2) * chart.yields
    worth += (chart.theirs & chart.home) * PRIZE * min(1, chart.left / 100)
    doorstep = touching(chart.own & chart.home)
    worth += (chart.theirs & (doorstep | touching(doorstep))) * GUARD
    return worth


def shields(chart: Chart) -> list[Offer]:
    """Energy that nothing else is left for makes force fields: weak cells beside rivals attack themselves."""
    field = chart.grid(chart.view.force_field)
    weak = chart.own & touching(chart.own) & chart.at_border & (field < MOST_FIELD // 2)
    if RULES[chart.view.ruleset].home_by_level:
        weak &= ~chart.home  # a field does nothing for it
    spent = np.maximum(chart.cost, MOST_FIELD // 2)  # twice as much becomes field
    ratio = LAST_RESORT * chart.yields / spent
    return _offers(weak, ratio, np.zeros_like(spent), spent, np.full(spent.shape, "a"))


def _offers(where: Truths, ratio: Floats, gold: Ints, energy: Ints, orders: NDArray[np.str_]) -> list[Offer]:
    cells = np.flatnonzero(where).tolist()
    parts = (ratio[where].tolist(), gold[where].tolist(), energy[where].tolist(), orders[where].tolist(), cells)
    return [Offer(*each) for each in zip(*parts, strict=True)]
