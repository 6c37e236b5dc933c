"""Sets tables for the tests: maps drawn in words, lists of orders as one text, and positions by chance.

A map is drawn row by row, with a slash between rows. A cell is `.` if it is nobody's, else its owner's uid; then comes
the letter of the building, h, e or g, and its level if that is not 1: `1h 1e2 . / . 2g 2h`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
import numpy as np
import pytest
from hypothesis import strategies as st

from parlour.core import Close, Dice, Event
from parlour.games.colorfight.land import Land
from parlour.games.colorfight.rules import Player, State
from parlour.games.colorfight.tables import KINDS
from parlour.games.colorfight.values import Command, Odd, Options, Order, Ruleset
from tests.games.colorfight.model import Cell, Person, Spot, Text, World, count

T = TypeVar("T")

SEED = b"a seed"
RULESETS: tuple[Ruleset, ...] = ("seed", "classic")
both = pytest.mark.parametrize("ruleset", RULESETS)
LETTERS = {"": "empty", "h": "home", "e": "energy_well", "g": "gold_mine"}

NATURAL = (2, 3, 50)
"""Default gold, energy and cost of a cell."""


# Tables


def table(
    rows: str,
    energy: int | Sequence[int] = 100,
    gold: int | Sequence[int] = 0,
    field: Mapping[Spot, int] | None = None,
    natural: Mapping[Spot, tuple[int, int, int]] | None = None,
    users: int = 0,
    ruleset: Ruleset = "seed",
    **options: Any,
) -> State:
    """Energy and gold: for all or by uid. Players without a cell are dead. `users`: the least number of players."""
    grid = [row.split() for row in rows.split("/")]
    cells = {}
    for x in range(len(grid[0])):
        for y, row in enumerate(grid):
            cells[x, y] = _cell(row[x], (natural or {}).get((x, y), NATURAL), (field or {}).get((x, y), 0))
    uids = range(1, 1 + max(users, *[cell.owner for cell in cells.values()]))
    people = {uid: Person(_of(energy, uid), _of(gold, uid)) for uid in uids}
    return state_of(World(ruleset, len(grid[0]), len(grid), cells, people), **options)


def _cell(word: str, natural: tuple[int, int, int], field: int) -> Cell:
    read = re.fullmatch(r"(\.|\d+)([heg]?)(\d?)", word)
    assert read, f"not a cell: {word}"
    owner, letter, level = read.groups()
    return Cell(*natural, 0 if owner == "." else int(owner), LETTERS[letter], int(level or 1), field)


def _of(amounts: int | Sequence[int], uid: int) -> int:
    return amounts if isinstance(amounts, int) else amounts[uid - 1]


def word(owner: int, letter: str, level: int) -> str:
    """A cell as it is drawn."""
    return (str(owner) if owner else ".") + letter + (str(level) if level > 1 else "")


def fresh(seats: int, seed: bytes = SEED, **options: Any) -> State:
    return State.new(seats, house(**options), None, Dice(seed))


def house(**options: Any) -> Options:
    """Options, validated."""
    return msgspec.convert({"type": "Options", **options}, Options)


def turn(state: State, *lists: str | Sequence[Order] | None) -> list[Event]:
    """Play a round with lists by uid, such as "a 1 0 60, u 0 0"; an empty text is an empty list, None is silence."""
    for seat, orders in enumerate(lists):
        if isinstance(orders, str):
            orders = [order for order in orders.split(", ") if order]
        if orders is not None:
            state.play(seat, Command(tuple(orders)))
    return state.play(None, Close())


def show(state: State) -> str:
    """The map as it is drawn."""
    letters = {kind: letter for letter, kind in LETTERS.items()}
    words = [word(cell.owner, letters[cell.building], cell.level) for cell in rows_of(state)]
    width = state.options.width
    return " / ".join(" ".join(words[start : start + width]) for start in range(0, len(words), width))


def rows_of(state: State) -> list[Cell]:
    """Cells row by row, as everybody sees them."""
    view = state.view(None)
    letters = {letter or " ": kind for letter, kind in LETTERS.items()}
    parts = (view.natural_gold, view.natural_energy, view.natural_cost, view.owner)
    kinds = [letters[letter] for letter in view.building]
    return [Cell(*each) for each in zip(*parts, kinds, view.level, view.force_field, strict=True)]


def field(state: State, x: int, y: int) -> int:
    return state.view(None).force_field[y * state.options.width + x]


def cost(state: State, x: int, y: int) -> int:
    """The attack cost."""
    return state.view(None).attack_cost[y * state.options.width + x]


def kept(state: State, uid: int) -> tuple[int, int]:
    """Energy and gold that the last round's orders left, before the round's income."""
    user = state.view(None).users[uid - 1]
    return user.energy - user.energy_source, user.gold - user.gold_source


def errors(state: State, uid: int = 1) -> list[str]:
    """Errors of the last round."""
    return list(state.players[uid - 1].errors)


def failed(order: str, words: str) -> list[str]:
    """The error line of an order that failed."""
    return [f"{order} failed, {words}."]


# Between the slow model and the engine


def state_of(world: World, **options: Any) -> State:
    """The same position for the engine, with everything counted."""
    settle(world)
    options |= {"ruleset": world.ruleset, "width": world.width, "height": world.height}
    state = fresh(len(world.people), **options)
    cells = [world.cells[x, y] for y in range(world.height) for x in range(world.width)]
    naturals = [[cell.natural_gold, cell.natural_energy, cell.natural_cost] for cell in cells]
    kinds: dict[str, int] = {kind: number for number, kind in enumerate(KINDS)}
    changing = [[cell.owner, kinds[cell.building], cell.level, cell.force_field] for cell in cells]
    state.land = Land(world.width, world.height, np.array(naturals).T.copy(), np.array(changing).T.copy())
    state.players = [
        Player(person.energy, person.gold, person.tech_level, person.energy_source, person.gold_source)
        for person in world.people.values()
    ]
    for player, person in zip(state.players, world.people.values(), strict=True):
        player.cells, player.dead = person.cells, person.dead
    return state


def settle(world: World) -> World:
    """Recount everything; players without a cell are dead."""
    count(world)
    for person in world.people.values():
        person.dead = person.dead or person.cells == 0
    return world


def world_of(state: State) -> World:
    """The public position, and all players' errors."""
    view = state.view(None)
    rows = rows_of(state)
    cells = {(x, y): rows[y * view.width + x] for x in range(view.width) for y in range(view.height)}
    people = {}
    for uid, user in enumerate(view.users, start=1):
        income = (user.energy_source, user.gold_source)
        people[uid] = Person(
            user.energy, user.gold, *income, user.tech_level, user.cells, user.dead, errors(state, uid)
        )
    return World(view.ruleset, view.width, view.height, cells, people)


def order_of(text: Text) -> Order:
    return Odd("None") if text is None else text


# Positions and orders by chance


class Chance(Protocol):
    """A source of chance: dice, or hypothesis, which can shrink failing cases."""

    def below(self, n: int) -> int: ...

    def pick(self, things: Sequence[T]) -> T: ...


class Drawn:
    """Hypothesis as a source of chance."""

    def __init__(self, data: st.DataObject) -> None:
        self._draw = data.draw

    def below(self, n: int) -> int:
        return self._draw(st.integers(0, n - 1))

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]


AMOUNTS = (0, 99, 100, 199, 200, 250, 400, 700, 999, 1000, 1100, 2000, 3100, 5000, 9000)
KIND_WORDS = ("empty", "empty", "home", "energy_well", "energy_well", "gold_mine", "gold_mine")


def any_world(chance: Chance, ruleset: Ruleset) -> World:
    """A small and crowded map, on which much can happen."""
    width, height, users = 2 + chance.below(3), 2 + chance.below(3), 1 + chance.below(4)
    spots = [(x, y) for x in range(width) for y in range(height)]
    cells = {spot: _any_cell(chance, users) for spot in spots}
    people = {uid: Person(chance.pick(AMOUNTS), chance.pick(AMOUNTS)) for uid in range(1, users + 1)}
    return settle(World(ruleset, width, height, cells, people))


def _any_cell(chance: Chance, users: int) -> Cell:
    cell = Cell(1 + chance.below(10), 1 + chance.below(10), 1 + chance.below(300), chance.below(users + 1))
    if cell.owner:
        cell.building = chance.pick(KIND_WORDS)
        cell.level = 1 if cell.building == "empty" else 1 + chance.below(4)
        cell.force_field = chance.pick((0, 0, 7, 19, 20, 60, 333, 1000))
    return cell


def any_lists(chance: Chance, world: World) -> dict[int, list[Text]]:
    """Lists of living players by uid; some send none."""
    living = [uid for uid, person in world.people.items() if not person.dead]
    return {uid: [any_text(chance, world, uid) for _ in range(chance.below(8))] for uid in living if chance.below(9)}


def any_text(chance: Chance, world: World, uid: int) -> Text:
    """An order, the same order in another spelling, or junk."""
    order = any_order(chance, world, uid)
    match chance.below(24):
        case 0:
            return chance.pick(JUNK)
        case 1:
            return order.replace(" ", chance.pick(("\t", "  ", "\n ", "\u00a0"))) + " and more"
        case 2:
            return re.sub(r" (\d)", r" +00\1", order)
        case _:
            return order


JUNK: Sequence[Text] = (
    *(None, "", " ", "A 0 0 50", "f 1 1", "a", "a 0", "a 0 0", "b 0 0", "b x", "u 1"),
    *("a 0 0 6_0", "a 0 0 \u0666", "u 0.0 1", "a - 0 5", "a 0 0 5-", "u 0 \u00bd"),
)


def any_order(chance: Chance, world: World, uid: int) -> str:
    """Orders of which many can be carried out, and many conflict."""
    own = [spot for spot, cell in world.cells.items() if cell.owner == uid]
    x, y = chance.pick(own)
    kind = chance.pick("aaabbuu")
    if kind == "a":
        right, down = chance.pick(((0, -1), (0, 1), (-1, 0), (1, 0)))
        x, y = (x + right, y + down) if chance.below(2) else (world.width // 2, world.height // 2)
    if chance.below(10) == 0:
        x, y = chance.below(world.width + 2) - 1, chance.below(world.height + 2) - 1
    if kind == "a":
        least = world.attack_cost((x, y)) if (x, y) in world.cells else 50
        return f"a {x} {y} {least + chance.pick((-1, 0, 0, 0, 0, 1, 9, 50))}"
    return f"b {x} {y} {chance.pick('eegghf')}" if kind == "b" else f"u {x} {y}"
