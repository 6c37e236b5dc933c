"""Read orders, and carry out all orders of a round (RULES 5)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct

from parlour.core import Seat
from parlour.games.colorfight.land import Cell, Land, neighbours
from parlour.games.colorfight.tables import (
    BUILD_PRICE,
    BUILT_BY,
    EMPTY,
    HOME,
    HOME_COST,
    HOME_PRICES,
    MOST_LEVEL,
    Rules,
)
from parlour.games.colorfight.values import MOST_ERROR_BYTES, Order

Plan: TypeAlias = tuple[str, int, int, int | str]
"""A parsed order: its letter, x, y, and the energy or the building's letter."""

Attacks: TypeAlias = dict[Cell, list[tuple[int, int]]]
"""By cell: uid and energy of each attack."""


class Purse(Struct):
    """The energy and gold of a player, and the highest level of its buildings."""

    energy: int
    gold: int
    tech_level: int


def number(text: str) -> int:
    """Like `int`, but without underscores and non-ASCII digits (RULES 5.8)."""
    if "_" in text or not text.isascii():
        raise ValueError(f"invalid literal for int() with base 10: {text!r}")
    return int(text)


def read(order: Order) -> Plan | str:
    """The parsed order, or the error message if the text is not an order (RULES 7.2)."""
    if not isinstance(order, str):
        return f"{order.said} is not a command"
    words = order.split()
    if not words:
        return f"{order} is not a command"
    try:
        match words[0]:
            case "a":
                return "a", number(words[1]), number(words[2]), number(words[3])
            case "b":
                return "b", number(words[1]), number(words[2]), words[3]
            case "u":
                return "u", number(words[1]), number(words[2]), ""
            case letter:
                return f"{order} is a wrong command, cmd type {letter} is invalid"
    except (ValueError, IndexError) as e:
        return f"{order} is a wrong command, {e}"


def error_lines(errors: Mapping[int, str]) -> tuple[str, ...]:
    """The errors in the order of the list. If there are too many, the last line counts the rest (RULES 7.4)."""
    lines = [errors[place] for place in sorted(errors)]
    if sum(map(len, lines)) < SURELY_FITS:
        return tuple(lines)
    room = MOST_ERROR_BYTES - 2  # for the brackets
    for number, line in enumerate(lines, start=1):
        size = _bytes(line)
        if size > room - (0 if number == len(lines) else COUNT_BYTES):
            left = len(lines) - number + 1
            return (*lines[: number - 1], f"... and {left} more error{'' if left == 1 else 's'}")
        room -= size
    return tuple(lines)


COUNT_BYTES = 32
"""Room for the line that counts the rest."""
SURELY_FITS = MOST_ERROR_BYTES // 7
"""This many letters always fit: one takes at most six bytes in JSON, and a line has at least 17."""


def _bytes(line: str) -> int:
    """The size of the line in a JSON list, with its comma."""
    return len(msgspec.json.encode(line)) + 1


def _kind(job: tuple[Seat, int, Order, Plan | str]) -> int:
    """Sort key: builds, upgrades, attacks. The place of unreadable orders does not matter."""
    return "bua".find(job[3][0])


class Work:
    """Carries out the orders of one round. An order that fails costs nothing and gives an error message."""

    def __init__(self, land: Land, rules: Rules, purses: Sequence[Purse]) -> None:
        self.attacks: Attacks = {}
        self._land = land
        self._rules = rules
        self._purses = purses
        # Single lookups are faster in lists than in arrays.
        self._owner = land.owner.tolist()
        self._cost = land.attack_cost(rules.home_by_level).tolist()
        self._beside = neighbours(land.width, land.height)

    def carry_out(self, lists: Iterable[tuple[Seat, Sequence[Order]]]) -> dict[Seat, tuple[str, ...]]:
        """Carry out all lists, given in seat order, and return the error lines by seat (RULES 5.7, 7.3, 7.4)."""
        todo = [(seat, place, order, read(order)) for seat, orders in lists for place, order in enumerate(orders)]
        if self._rules.by_kind:
            todo.sort(key=_kind)  # a stable sort
        failed: dict[Seat, dict[int, str]] = {}
        for seat, place, order, plan in todo:
            if isinstance(plan, str):
                failed.setdefault(seat, {})[place] = plan
            elif words := self._do(seat, plan):
                failed.setdefault(seat, {})[place] = f"{order} failed, {words}."
        return {seat: error_lines(words) for seat, words in failed.items()}

    def _do(self, seat: Seat, plan: Plan) -> str:
        """Carry out one order; return why it failed, or an empty string."""
        letter, x, y, what = plan
        inside = 0 <= x < self._land.width and 0 <= y < self._land.height
        cell = y * self._land.width + x
        if letter == "a":
            assert isinstance(what, int)
            return self._attack(seat, cell, what) if inside else "Attack position is not in the map"
        if letter == "b":
            assert isinstance(what, str)
            return self._build(seat, cell, what) if inside else "Build position is not in the map"
        return self._upgrade(seat, cell) if inside else "Upgrade position is not in the map"

    def _attack(self, seat: Seat, cell: Cell, energy: int) -> str:
        """RULES 5.3."""
        uid, purse = seat + 1, self._purses[seat]
        if energy < self._cost[cell]:
            return "The energy spent is less than attack cost"
        if energy > purse.energy:
            return "Do not have enough energy to attack"
        owner = self._owner
        for near in self._beside[cell]:
            if owner[near] == uid:
                break
        else:
            return "No valid surrounding cell to attack"
        purse.energy -= energy
        self.attacks.setdefault(cell, []).append((uid, energy))
        return ""

    def _build(self, seat: Seat, cell: Cell, letter: str) -> str:
        """RULES 5.4."""
        land, purse = self._land, self._purses[seat]
        if self._owner[cell] != seat + 1:
            return "You need to build on your own cell"
        if land.building[cell] != EMPTY:
            return "There is a building on this cell already"
        if letter not in BUILT_BY:
            return "Not a correct building"
        if purse.gold < BUILD_PRICE:
            return "Not enough gold"
        purse.gold -= BUILD_PRICE
        land.building[cell] = BUILT_BY[letter]
        return ""

    def _upgrade(self, seat: Seat, cell: Cell) -> str:
        """RULES 5.5."""
        land, purse = self._land, self._purses[seat]
        if self._owner[cell] != seat + 1:
            return "You need to upgrade on your own cell"
        building, level = int(land.building[cell]), int(land.level[cell])
        if building == EMPTY:
            return "You can not upgrade empty cell"
        if level == MOST_LEVEL:
            return "Level is already at maximum"
        if building != HOME and level >= purse.tech_level:
            return "You need to upgrade home first"
        gold, energy = (HOME_PRICES if building == HOME else self._rules.prices)[level - 1]
        if purse.energy < energy:
            return "Not enough energy"
        if purse.gold < gold:
            return "Not enough gold"
        purse.gold -= gold
        purse.energy -= energy
        land.level[cell] = level + 1
        if building == HOME and self._rules.home_by_level:
            self._cost[cell] = HOME_COST * (level + 1)
        return ""
