"""The bot `general`: compares everything it could buy by return per price, and saves for the best offer."""

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
"""The value of one energy in gold while there are cells to take."""
HORIZON = 60
"""Energy loses its worth linearly over this many last rounds: cells taken then cannot bring much."""
REPAID = 0.7
"""A building must repay its price within this part of the remaining rounds."""
AHEAD = 20
"""Upgrades that a better home allows count if the income of this many rounds can pay for them."""
HOPE = 0.6
"""How much of the value of the cells behind a cell counts for it, per step."""
STEPS = 3
"""How many steps behind a cell are looked at."""
ROOM = 1
"""The value of one more cell to build on."""
DENIAL = 0.5
"""How much the loss of a single rival counts, compared with the bot's own gain. Less with several rivals."""
PRIZE = 100
"""The value of a rival's home: a rival without a home can never upgrade again."""
GUARD = 10
"""The value of a rival's cell close to the bot's home."""
STAKES = 20
"""At most this much extra energy for a cell that a third player could attack: with equal stakes nobody takes it."""
LAST_RESORT = 1e-6
"""Scales the ratio of shields so that they are bought last."""


class Offer(NamedTuple):
    """Something to buy."""

    ratio: float
    """Return per round and unit of price."""
    gold: int
    energy: int
    order: str
    """a: attack; e or g: build a well or a mine; u: upgrade."""
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
    """The view as arrays of rows, with the value of each cell for one player."""

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
        """The value of a cell's output per round without a building."""
        self.yields = self.energy_worth * self.grid(view.energy) + self.grid(view.gold)
        """The value of its current output per round."""
        self.well |= self.empty & (self.energy_worth * energy > gold)
        self.step: Floats = np.where(self.well, self.energy_worth * energy, gold)
        """The value of one more level; on an empty cell, of the better of well and mine."""
        self.prices = np.array([(BUILD_PRICE, 0), *RULES[view.ruleset].prices])

    def grid(self, cells: Iterable[int]) -> Ints:
        return np.array(cells, dtype=np.int64).reshape(self.view.height, self.view.width)

    def total(self, gold: Ints | float, energy: Ints | float, scarcity: float) -> Floats:
        """A price as one number: gold weighted by its scarcity, energy by its current worth."""
        return np.asarray(scarcity * gold + self.energy_worth / ENERGY * energy + 1)


def beside(grid: NDArray[Kind]) -> tuple[NDArray[Kind], ...]:
    """The northern, southern, western and eastern neighbour of each cell; zero beyond the edge of the map."""
    height, width = grid.shape
    wide = np.zeros((height + 2, width + 2), dtype=grid.dtype)
    wide[1:-1, 1:-1] = grid
    return wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]


def touching(cells: Truths) -> Truths:
    """The neighbours of the given cells."""
    north, south, west, east = beside(cells)
    return north | south | west | east


def general(view: View, ask: Orders, dice: Dice) -> Command:
    """Buys the best offers: buildings, levels, a better home, free cells, rivals' cells and shields."""
    chart = Chart(view, ask.uid)
    building, scarcity = buildings(chart)
    offers = [*building, *better_home(chart, scarcity), *attacks(chart, dice), *shields(chart)]
    chosen = bought(offers, chart.user.gold, chart.user.energy)
    return Command(tuple([offer.text(view.width) for offer in islice(chosen, MOST_ORDERS)]))


def bought(offers: list[Offer], gold: int, energy: int) -> Iterator[Offer]:
    """The offers to buy, best first. If an offer is too expensive, the rest of that resource is saved for it."""
    for offer in sorted(offers, key=lambda offer: -offer.ratio):
        if offer.gold > gold:
            gold = 0
        elif offer.energy > energy:
            energy = 0
        else:
            gold, energy = gold - offer.gold, energy - offer.energy
            yield offer


def buildings(chart: Chart) -> tuple[list[Offer], float]:
    """Offers for new buildings and levels that pay off, and the scarcity of gold (1.0: they could use it all)."""
    at = np.where(chart.empty, 0, chart.level)
    allowed = chart.empty | (chart.level < min(chart.user.tech_level, MOST_LEVEL))
    gold, energy = chart.prices[np.minimum(at, MOST_LEVEL - 1)].transpose(2, 0, 1)
    wanted = chart.own & ~chart.home & allowed & (chart.step * chart.left * REPAID > gold)
    scarcity = min(1.0, int(gold[wanted & (energy == 0)].sum()) / max(1, chart.user.gold))
    ratio = chart.step / chart.total(gold, energy, scarcity)
    orders = np.where(chart.empty, np.where(chart.well, "e", "g"), "u")
    return _offers(wanted, ratio, gold, energy, orders), scarcity


def better_home(chart: Chart, scarcity: float) -> list[Offer]:
    """The upgrade of the best home, rated together with the upgrades it allows: as many as give the best ratio."""
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
    """Attacks on other cells by value per cost, including a part of the value of the cells behind them."""
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
    """The gain of each cell, plus the loss of rivals."""
    rivals = sum(user.cells > 0 for user in chart.view.users) - 1
    worth = chart.nature + ROOM
    worth += (chart.theirs | chart.at_border) * (DENIAL / max(1, rivals) ** 2) * chart.yields
    worth += (chart.theirs & chart.home) * PRIZE * min(1, chart.left / 100)
    doorstep = touching(chart.own & chart.home)
    worth += (chart.theirs & (doorstep | touching(doorstep))) * GUARD
    return worth


def shields(chart: Chart) -> list[Offer]:
    """Spend leftover energy on force fields: attack own weak cells at the border to rivals."""
    field = chart.grid(chart.view.force_field)
    weak = chart.own & touching(chart.own) & chart.at_border & (field < MOST_FIELD // 2)
    if RULES[chart.view.ruleset].home_by_level:
        weak &= ~chart.home  # RULES 5.2: a home's field does not count
    spent = np.maximum(chart.cost, MOST_FIELD // 2)  # the field is twice the energy
    ratio = LAST_RESORT * chart.yields / spent
    return _offers(weak, ratio, np.zeros_like(spent), spent, np.full(spent.shape, "a"))


def _offers(where: Truths, ratio: Floats, gold: Ints, energy: Ints, orders: NDArray[np.str_]) -> list[Offer]:
    cells = np.flatnonzero(where).tolist()
    parts = (ratio[where].tolist(), gold[where].tolist(), energy[where].tolist(), orders[where].tolist(), cells)
    return [Offer(*each) for each in zip(*parts, strict=True)]
