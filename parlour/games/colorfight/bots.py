"""The bots `random` and `greedy`, and `Holding`, which both use."""

from collections.abc import Iterator

from parlour.core import Dice
from parlour.games.colorfight.land import Cell, neighbours
from parlour.games.colorfight.tables import BUILD_PRICE, HOME_PRICES, MOST_LEVEL, RULES, Price
from parlour.games.colorfight.values import MOST_ORDERS, Command, Orders, View

FIRST_WELLS = 50
"""`greedy` prefers energy wells until it owns this many cells."""


class Holding:
    """One player's cells, and the cells around them."""

    def __init__(self, view: View, uid: int) -> None:
        self.view = view
        self.uid = uid
        self.user = view.users[uid - 1]
        self.beside = neighbours(view.width, view.height)
        self.cells = [cell for cell, owner in enumerate(view.owner) if owner == uid]

    def border(self) -> Iterator[Cell]:
        """All cells of other players or nobody next to the player's own, each once."""
        owner, seen = self.view.owner, set[Cell]()
        for cell in self.cells:
            for near in self.beside[cell]:
                if owner[near] != self.uid and near not in seen:
                    seen.add(near)
                    yield near

    def where(self, cell: Cell) -> str:
        """The position as orders write it: `x y`."""
        y, x = divmod(cell, self.view.width)
        return f"{x} {y}"

    def price(self, cell: Cell) -> Price | None:
        """The price of upgrading the building on the cell; None if it cannot be upgraded now."""
        view = self.view
        letter, level = view.building[cell], view.level[cell]
        if letter == " " or level == MOST_LEVEL or (letter != "h" and level >= self.user.tech_level):
            return None
        return (HOME_PRICES if letter == "h" else RULES[view.ruleset].prices)[level - 1]


def random(view: View, ask: Orders, dice: Dice) -> Command:
    """Up to four random orders of any kind; most of them can be carried out."""
    own = Holding(view, ask.uid)
    return Command(tuple([_any_order(own, dice) for _ in range(dice.below(5))]))


def _any_order(own: Holding, dice: Dice) -> str:
    kind = dice.below(6)
    if kind == 0:  # probably invalid
        x, y = dice.below(own.view.width + 2) - 1, dice.below(own.view.height + 2) - 1
        return dice.pick((f"a {x} {y} {dice.below(2000)}", f"b {x} {y} {dice.pick('egh')}", f"u {x} {y}"))
    if kind == 1:
        return f"b {own.where(dice.pick(own.cells))} {dice.pick('eg')}"
    if kind == 2:
        return f"u {own.where(dice.pick(own.cells))}"
    target = dice.pick(list(own.border()) or own.cells)
    return f"a {own.where(target)} {own.view.attack_cost[target] + dice.below(50)}"


def greedy(view: View, ask: Orders, dice: Dice) -> Command:
    """Improves the most productive own cells first, then attacks the cells with the best output for their cost.

    Gold decides the match, so an improvement must repay its gold before the end.
    """
    own = Holding(view, ask.uid)
    energy, gold = own.user.energy, own.user.gold
    orders = []
    for cell in sorted(own.cells, key=lambda cell: -_worth(view, cell)):
        order, (gold_price, energy_price) = _improvement(own, cell)
        if order and gold_price <= gold and energy_price <= energy:
            orders.append(order)
            gold, energy = gold - gold_price, energy - energy_price
    for cell in sorted(own.border(), key=lambda cell: -_worth(view, cell) / view.attack_cost[cell]):
        if view.attack_cost[cell] <= energy:
            orders.append(f"a {own.where(cell)} {view.attack_cost[cell]}")
            energy -= view.attack_cost[cell]
    return Command(tuple(orders[:MOST_ORDERS]))


def _worth(view: View, cell: Cell) -> int:
    return view.natural_gold[cell] + view.natural_energy[cell]


def _improvement(own: Holding, cell: Cell) -> tuple[str, Price]:
    view, letter, price = own.view, own.view.building[cell], own.price(cell)
    order = f"u {own.where(cell)}"
    if letter == " ":
        wants_energy = len(own.cells) < FIRST_WELLS or view.natural_energy[cell] > view.natural_gold[cell]
        letter, price = "e" if wants_energy else "g", (BUILD_PRICE, 0)
        order = f"b {own.where(cell)} {letter}"
    # A better home makes 10 more gold and 10 more energy, whatever its cell makes.
    more = {"h": 20, "e": view.natural_energy[cell], "g": view.natural_gold[cell]}[letter]
    if price is None or price[0] >= more * (view.max_turn - view.turn):
        return "", (0, 0)
    return order, price
