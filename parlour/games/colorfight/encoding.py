"""ColorfightII as numbers: a list of orders is chosen order by order, and then sent."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from parlour.core import Draft, Encoding, IndexRun, Part, Seat
from parlour.games.colorfight.land import neighbours
from parlour.games.colorfight.orders import read
from parlour.games.colorfight.tables import (
    BUILD_PRICE,
    EMPTY,
    HOME,
    HOME_PRICES,
    LETTERS,
    MOST_FIELD,
    MOST_LEVEL,
    RULES,
)
from parlour.games.colorfight.values import MOST_ORDERS, Command, Options, Orders, User, View

MOST = 2**31 - 1
KINDS = ("attack", "well", "mine", "upgrade")
BUILDINGS = {"well": "e", "mine": "g"}
ENEMY = 2
"""The first number of an owner other than oneself."""

Ints = NDArray[np.int64]


class Map(Struct, frozen=True):
    """The cells of a view as arrays."""

    owner: Ints
    building: Ints
    level: Ints
    cost: Ints
    shown: NDArray[np.int32]
    """All that the observation shows of each cell apart from the owner, as rows."""


class Purse(Struct):
    """The energy and gold after the orders chosen so far, and the cells that have an order."""

    energy: int
    gold: int
    ordered: NDArray[np.int32]


class ColorfightEncoding(Encoding):
    """For a map of one size. Up to one order for each cell; each index but the last adds one."""

    version = 0
    omits = (
        "An attack spends exactly its cost: more energy, which would strengthen the field, cannot be ordered.",
        "A cell gets at most one order in a round, so that a new building is upgraded in the next round.",
        "Orders that would fail at the moment they are given cannot be chosen, although the rules allow to send them.",
        "The errors of the last round are not shown.",
    )
    dtype = "int32"
    most_indexes = MOST_ORDERS + 1
    no_tree = (
        "A round is up to a thousand orders of each seat, and a match has hundreds of rounds, so that a history would "
        "have hundreds of thousands of moves."
    )

    def __init__(self, seats: int, options: Options) -> None:
        self._seats, self._cells = seats, options.width * options.height
        self._width = options.width
        cells = self._cells
        by_seat = "by seat, oneself first"
        self.parts = (
            Part("owner", cells, seats, "owner of each cell, row by row: 0 nobody, 1 oneself, 2 the next seat ..."),
            Part("building", cells, len(LETTERS) - 1, "0 none, 1 home, 2 energy well, 3 gold mine"),
            Part("level", cells, MOST_LEVEL, "level of the building; 1 where there is none"),
            Part("field", cells, MOST_FIELD, "force field"),
            Part("cost", cells, MOST, "least energy of an attack"),
            Part("gold", cells, MOST, "gold that the cell makes in a round"),
            Part("energy", cells, MOST, "energy that the cell makes in a round"),
            Part("natural gold", cells, MOST, "the same without a building"),
            Part("natural energy", cells, MOST, "the same without a building"),
            Part("natural cost", cells, MOST, "the cost without a home and a field"),
            Part("ordered", cells, len(KINDS), "orders chosen so far: 0 none, 1 attack, 2 well, 3 mine, 4 upgrade"),
            Part("energies", seats, MOST, f"energy, {by_seat}; the own energy is what the orders so far leave"),
            Part("golds", seats, MOST, f"gold, {by_seat}; the own gold is what the orders so far leave"),
            Part("energy incomes", seats, MOST, f"energy a round, {by_seat}"),
            Part("gold incomes", seats, MOST, f"gold a round, {by_seat}"),
            Part("tech levels", seats, MOST_LEVEL, f"level of the best home, {by_seat}"),
            Part("cells", seats, cells, f"number of cells, {by_seat}"),
            Part("dead", seats, 1, f"1 if dead, {by_seat}"),
            Part("turn", 1, options.max_turn, "rounds played"),
            Part("turns", 1, options.max_turn, "rounds in all"),
        )
        self.choices = (
            IndexRun("attack", cells, "attack the cell, row by row"),
            IndexRun("well", cells, "build an energy well on the cell"),
            IndexRun("mine", cells, "build a gold mine on the cell"),
            IndexRun("upgrade", cells, "upgrade the building on the cell"),
            IndexRun("send", 1, "send the orders chosen so far"),
        )
        self._send = len(KINDS) * cells
        self._beside = neighbours(options.width, options.height)
        self._known: tuple[View, Map] | None = None

    def observe(self, seat: Seat, view: View, ask: Orders | None, draft: Draft = ()) -> NDArray[np.int32]:
        land, purse = self._land(view), self._purse(seat, view, draft)
        order = [(seat + place) % self._seats for place in range(self._seats)]
        numbers = np.zeros(self._seats + 1, np.int32)
        numbers[[1 + other for other in order]] = np.arange(1, self._seats + 1)
        users = [view.users[other] for other in order]
        energies, golds = [user.energy for user in users], [user.gold for user in users]
        energies[0], golds[0] = purse.energy, purse.gold
        rows = [numbers[land.owner], land.shown.ravel(), purse.ordered, energies, golds, *incomes(users)]
        seen = np.concatenate([*rows, [view.turn, view.max_turn]])
        shown: NDArray[np.int32] = np.minimum(seen, MOST).astype(np.int32)
        return shown

    def _land(self, view: View) -> Map:
        """Kept, since all seats have the same view."""
        if self._known is None or self._known[0] is not view:
            building = np.array([LETTERS.index(letter) for letter in view.building])
            values = (building, view.level, view.force_field, view.attack_cost, view.gold, view.energy)
            natural = (view.natural_gold, view.natural_energy, view.natural_cost)
            shown = np.minimum(np.array([*values, *natural]), MOST).astype(np.int32)
            made = Map(np.array(view.owner), building, np.array(view.level), np.array(view.attack_cost), shown)
            self._known = view, made
        return self._known[1]

    def _purse(self, seat: Seat, view: View, draft: Draft) -> Purse:
        land, user = self._land(view), view.users[seat]
        purse = Purse(user.energy, user.gold, np.zeros(self._cells, np.int32))
        for index in draft:
            kind, cell = divmod(index, self._cells)
            purse.ordered[cell] = kind + 1
            gold, energy = self._price(KINDS[kind], cell, view, land)
            purse.gold -= gold
            purse.energy -= energy
        return purse

    def _price(self, kind: str, cell: int, view: View, land: Map) -> tuple[int, int]:
        """Gold and energy of an order."""
        if kind == "attack":
            return 0, view.attack_cost[cell]
        if kind != "upgrade":
            return BUILD_PRICE, 0
        prices = HOME_PRICES if land.building[cell] == HOME else RULES[view.ruleset].prices
        return prices[view.level[cell] - 1]

    def mask(self, seat: Seat, view: View, ask: Orders | None, draft: Draft = ()) -> NDArray[np.int8]:
        mask = np.zeros(self.actions, np.int8)
        if ask is None or not ask.waits:
            return mask
        mask[self._send] = 1
        if len(draft) == MOST_ORDERS:
            return mask
        land, purse = self._land(view), self._purse(seat, view, draft)
        free = purse.ordered == 0
        own = free & (land.owner == seat + 1)
        near = np.zeros(self._cells, bool)
        near[[beside for cell in np.flatnonzero(land.owner == seat + 1).tolist() for beside in self._beside[cell]]] = (
            True
        )
        bare = own & (land.building == EMPTY) & (purse.gold >= BUILD_PRICE)
        attacked = free & near & (land.cost <= purse.energy)
        mask[: self._send] = np.concatenate([attacked, bare, bare, self._upgradable(own, seat, view, land, purse)])
        return mask

    def _upgradable(self, own: NDArray[np.bool_], seat: Seat, view: View, land: Map, purse: Purse) -> NDArray[np.bool_]:
        can = np.zeros(self._cells, bool)
        for cell in np.flatnonzero(own & (land.building != EMPTY) & (land.level < MOST_LEVEL)).tolist():
            gold, energy = self._price("upgrade", cell, view, land)
            allowed = land.building[cell] == HOME or land.level[cell] < view.users[seat].tech_level
            can[cell] = allowed and gold <= purse.gold and energy <= purse.energy
        return can

    def action(self, index: int, seat: Seat, view: View, ask: Orders, draft: Draft = ()) -> Command | None:
        return Command(tuple([self._order(chosen, view) for chosen in draft])) if index == self._send else None

    def _order(self, index: int, view: View) -> str:
        kind, cell = divmod(index, self._cells)
        y, x = divmod(cell, self._width)
        match KINDS[kind]:
            case "attack":
                return f"a {x} {y} {view.attack_cost[cell]}"
            case "upgrade":
                return f"u {x} {y}"
            case building:
                return f"b {x} {y} {BUILDINGS[building]}"

    def indexes(self, action: Command, seat: Seat, view: View, ask: Orders) -> Draft | None:
        draft: Draft = ()
        for order in action.orders:
            index = self._index(read(order), view)
            if index is None or not self.mask(seat, view, ask, draft)[index]:
                return None
            draft = (*draft, index)
        return (*draft, self._send)

    def _index(self, plan: tuple[str, int, int, int | str] | str, view: View) -> int | None:
        """The index of an order; None if it is none, or spends more than its cost."""
        if isinstance(plan, str):
            return None
        letter, x, y, what = plan
        if not (0 <= x < view.width and 0 <= y < view.height):
            return None
        cell = y * view.width + x
        if letter == "a":
            return cell if what == view.attack_cost[cell] else None
        kinds = ["upgrade"] if letter == "u" else [kind for kind, built in BUILDINGS.items() if built == what]
        return KINDS.index(kinds[0]) * self._cells + cell if kinds else None


def incomes(users: Sequence[User]) -> list[list[int]]:
    """Incomes, levels, cells and deaths."""
    sources = [[user.energy_source for user in users], [user.gold_source for user in users]]
    return [
        *sources,
        [user.tech_level for user in users],
        [user.cells for user in users],
        [user.dead for user in users],
    ]
