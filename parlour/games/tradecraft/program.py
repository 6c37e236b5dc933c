"""The recipes as a linear program, whose solution is the number of batches of each recipe."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import floor

from msgspec import Struct

from parlour.games.tradecraft.amounts import Items
from parlour.games.tradecraft.reach import HEAT
from parlour.games.tradecraft.recipes import SMELT, Recipe, book
from parlour.games.tradecraft.simplex import AtLeast, least

MOST_BRANCHES = 200
"""Branches tried for a solution in whole numbers."""
A_BATCH = 1000
"""The cost of a batch; taking an item costs at most 1."""
ASIDE = " put aside"
"""Suffix for a returned container that is not used again."""


class Undecided(Exception):
    """The search was given up, usually because a fuel would have to be smelted with its own product."""


class Use(Struct, frozen=True):
    """An item taken for a purpose: as fuel, or for a slot with alternatives."""

    item: str
    purpose: str


class Program:
    """A linear program: the batches of each recipe, and the amount of each item for each purpose."""

    def __init__(
        self,
        hand: Mapping[str, int],
        goals: Mapping[str, int],
        found: frozenset[str],
        usable: list[Recipe],
        refills: bool,
    ) -> None:
        self._refills = refills
        """Whether returned containers may be used again."""
        self.columns: list[Recipe | Use] = [*usable]
        self._effects: list[dict[str, int]] = []
        purposes: dict[str, list[str]] = {}
        for recipe in usable:
            self._effects.append(self._batch(recipe, found, purposes))
        for purpose, items in sorted(purposes.items()):
            for item in items:
                self.columns.append(Use(item, purpose))
                self._effects.append(self._taking(item, purpose))
        self.reverses = self._reverses()
        self.costs = [_cost(column, hand) for column in self.columns]
        self.constraints = self._constraints(hand, goals)

    def _batch(self, recipe: Recipe, found: frozenset[str], purposes: dict[str, list[str]]) -> dict[str, int]:
        """The changes by one batch. Adds to `purposes` the items that can be taken for them."""
        changes = {recipe.product: recipe.count}
        for slot in recipe.slots:
            items = sorted(slot.items & found)
            taken = items[0] if len(items) == 1 else slot.words
            changes[taken] = changes.get(taken, 0) - slot.count
            if len(items) > 1:
                purposes[taken] = items
            elif empty := self._left_of(taken):
                changes[empty] = changes.get(empty, 0) + slot.count
        if recipe.burns:
            changes[HEAT] = -SMELT
            purposes.setdefault(HEAT, sorted(found.intersection(book().fuels)))
        return changes

    def _taking(self, item: str, purpose: str) -> dict[str, int]:
        """The changes by taking one item for a purpose."""
        changes = {purpose: book().fuels[item] if purpose == HEAT else 1, item: -1}
        if empty := self._left_of(item):
            changes[empty] = 1
        return changes

    def _left_of(self, item: str) -> str | None:
        empty = book().containers.get(item)
        return empty if empty is None or self._refills else empty + ASIDE

    def _reverses(self) -> list[tuple[int, int]]:
        """Pairs of recipes that undo each other, like packing ingots into a block."""
        seen: dict[frozenset[tuple[str, int]], int] = {}
        found = []
        for number, changes in enumerate(self._effects):
            back = seen.get(frozenset((item, -by) for item, by in changes.items()))
            if back is not None:
                found.append((back, number))
            seen[frozenset(changes.items())] = number
        return found

    def _constraints(self, hand: Mapping[str, int], goals: Mapping[str, int]) -> list[AtLeast]:
        """No item may become negative, and no surplus fuel may burn, or a lava bucket could simply be emptied."""
        rows: dict[str, dict[int, int]] = {goal: {} for goal in goals}
        for number, changes in enumerate(self._effects):
            for item, by in changes.items():
                rows.setdefault(item, {})[number] = by
        found = [AtLeast(row, -hand.get(item, 0)) for item, row in rows.items()]
        for goal, amount in goals.items():
            row = dict(rows[goal])
            for number, by in rows.get(goal + ASIDE, {}).items():
                row[number] = row.get(number, 0) + by
            found.append(AtLeast(row, amount - hand.get(goal, 0)))
        if HEAT in rows:
            found.append(AtLeast({number: -by for number, by in rows[HEAT].items()}, 0))
        return found


def _cost(column: Recipe | Use, hand: Mapping[str, int]) -> int:
    """Prefer few batches, then fuel in the hand: fuel that must be made first might depend on itself."""
    return A_BATCH if isinstance(column, Recipe) else int(column.purpose == HEAT and column.item not in hand)


class Flow(Struct, frozen=True):
    """How many batches of each recipe, and how much of each item for each purpose."""

    batches: list[tuple[Recipe, Fraction]]
    uses: dict[str, Items]


class Range(Struct, frozen=True):
    """Bounds for the number of batches of a recipe."""

    low: int = 0
    high: int | None = None


def solution(program: Program, whole_batches: bool) -> Flow | None:
    """The cheapest solution; None if there is none. Uses branch and bound if batches must be whole."""
    open: list[dict[int, Range]] = [{}]
    for _ in range(MOST_BRANCHES):
        if not open:
            return None
        ranges = open.pop()
        amounts = least(program.costs, [*program.constraints, *_bounds(ranges)])
        if amounts is not None:
            parts = _parts(program, amounts, ranges) if whole_batches else None
            if parts is None:
                return _read(program, amounts)
            open += parts
    raise Undecided(f"no answer after {MOST_BRANCHES} programs")


def _bounds(ranges: Mapping[int, Range]) -> Iterator[AtLeast]:
    for number, allowed in ranges.items():
        if allowed.low:
            yield AtLeast({number: 1}, allowed.low)
        if allowed.high is not None:
            yield AtLeast({number: -1}, -allowed.high)


def _parts(program: Program, amounts: list[Fraction], ranges: dict[int, Range]) -> list[dict[int, Range]] | None:
    """The branches that replace an invalid solution, the most promising last; None if the solution is valid."""
    for one, other in program.reverses:
        if amounts[one] and amounts[other]:  # undoing a recipe is never needed and could go on without end
            free = [number for number in (one, other) if not ranges.get(number, Range()).low]
            return [{**ranges, number: Range(0, 0)} for number in free]
    for number, column in enumerate(program.columns):
        if isinstance(column, Recipe) and amounts[number].denominator > 1:
            below = floor(amounts[number])
            allowed = ranges.get(number, Range())
            return [
                {**ranges, number: Range(allowed.low, below)},
                {**ranges, number: Range(below + 1, allowed.high)},
            ]
    return None


def _read(program: Program, amounts: list[Fraction]) -> Flow:
    flow = Flow([], {})
    for column, amount in zip(program.columns, amounts, strict=True):
        if amount and isinstance(column, Recipe):
            flow.batches.append((column, amount))
        elif amount and isinstance(column, Use):
            flow.uses.setdefault(column.purpose, {})[column.item] = amount
    return flow
