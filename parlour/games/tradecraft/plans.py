"""Plan the way to a target: the items to get from each partner, the crafts, and the spare items."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import TypeAlias

from msgspec import Struct

from parlour.core import Seat
from parlour.games.tradecraft.amounts import Items
from parlour.games.tradecraft.phases import moved
from parlour.games.tradecraft.program import Program, Undecided, solution
from parlour.games.tradecraft.reach import leading, reach
from parlour.games.tradecraft.recipes import Recipe, Slot, book
from parlour.games.tradecraft.solver import Step, solve

Hand: TypeAlias = dict[str, int]
Frozen: TypeAlias = tuple[tuple[str, int], ...]
"""A hashable hand."""

UNIT = 100
"""The cost of an item that its owner has plenty of; an owner's only item costs twice as much."""
TRADE = 1000
"""The cost of one more trading partner, and again for each refusal."""
BATCH = 1
"""The cost of crafting a batch."""
KEPT = 4096
"""Size of the cache: the same plan is needed many times within a turn."""


LENGTHS: tuple[tuple[bool, bool], ...] = ((False, False), (True, False), (True, True))
"""The ways to try: whether fuel may be made, and containers refilled. Both are slow and rarely needed."""


class Plan(Struct, frozen=True):
    """A way to a target: the items to get from each partner, and the crafts after that."""

    takes: dict[Seat, Hand]
    spare: Hand
    """Items of the hand that are not needed."""
    steps: tuple[Step, ...]
    cost: int
    """The distance to the target; 0 if no trade is needed."""


def plan(
    hand: Mapping[str, int],
    others: Mapping[Seat, Mapping[str, int]],
    target: Mapping[str, int],
    *,
    whole_batches: bool = False,
    refusals: Mapping[tuple[Seat, str], int] | None = None,
) -> Plan | None:
    """The cheapest plan found; None if there is none, even with everything that the others have."""
    held = tuple([(seat, _frozen(other)) for seat, other in sorted(others.items())])
    refused = tuple(sorted((refusals or {}).items()))
    return _plan(_frozen(hand), held, _frozen(target), whole_batches, refused)


def _frozen(items: Mapping[str, int]) -> Frozen:
    return tuple(sorted(items.items()))


@lru_cache(KEPT)
def _plan(
    hand: Frozen,
    others: tuple[tuple[Seat, Frozen], ...],
    target: Frozen,
    whole_batches: bool,
    refused: tuple[tuple[tuple[Seat, str], int], ...],
) -> Plan | None:
    there = {seat: dict(other) for seat, other in others}
    return Search(dict(hand), there, dict(target), whole_batches, dict(refused)).best()


class Search:
    """Looks for the cheapest way from a hand to a target."""

    def __init__(
        self,
        hand: Hand,
        others: dict[Seat, Hand],
        target: Hand,
        whole_batches: bool,
        refusals: Mapping[tuple[Seat, str], int],
    ) -> None:
        self._hand = hand
        self._others = others
        self._target = target
        self._whole_batches = whole_batches
        self._refusals = refusals
        self._lengths = LENGTHS
        """Shortened to what was needed when all players gave, once that is known."""

    def best(self) -> Plan | None:
        """Prefers few trading partners: tries to leave each one out."""
        best = self._from(frozenset(self._others))
        if best is None:
            return None
        for seat in sorted(best.takes, key=self._refused, reverse=True):
            if len(best.takes) > 1:
                less = self._from(frozenset(best.takes) - {seat})
                best = less if less is not None and less.cost < best.cost else best
        return best

    def _from(self, givers: frozenset[Seat]) -> Plan | None:
        """A plan with these givers. For whole batches, the faster search with fractions is tried first."""
        for whole_batches in (False, True) if self._whole_batches else (False,):
            takes = self._takes(givers, whole_batches)
            if takes is None:
                return None
            try:
                steps = solve(self._with(takes), self._target, whole_batches=self._whole_batches)
            except Undecided:
                steps = None
            if steps is not None:
                return self._plan(takes, steps)
        return None

    def _plan(self, takes: dict[Seat, Hand], steps: tuple[Step, ...]) -> Plan:
        """The plan, without taking items that are never used."""
        left = unused(self._with(takes), steps, self._target)
        for items in takes.values():
            for item in items:
                less = min(items[item], left[item])
                items[item] -= less
                left[item] -= less
        spare = {item: min(amount, left[item]) for item, amount in self._hand.items()}
        needed = {seat: few for seat, items in takes.items() if (few := _some(items))}
        return Plan(needed, _some(spare), steps, self._cost(needed))

    def _with(self, takes: Mapping[Seat, Hand]) -> Hand:
        return together([self._hand, *takes.values()])

    def _cost(self, takes: Mapping[Seat, Hand]) -> int:
        trades = sum(TRADE * (1 + self._refused(seat)) for seat in takes)
        return trades + UNIT * sum(sum(items.values()) for items in takes.values())

    def _refused(self, seat: Seat) -> int:
        return max((times for (other, _), times in self._refusals.items() if other == seat), default=0)

    def _price(self, seat: Seat, item: str) -> int:
        return (UNIT + UNIT // self._others[seat][item]) * (1 + self._refusals.get((seat, item), 0))

    def _takes(self, givers: frozenset[Seat], whole_batches: bool) -> dict[Seat, Hand] | None:
        """The items to get from each partner; None if they would not be enough."""
        kinds = set(self._hand).union(*[self._others[seat] for seat in givers])
        for number, (fuels, refills) in enumerate(self._lengths, 1):
            numbers = frozenset[int]().union(*[leading(goal, fuels) for goal in self._target])
            found, usable = reach(kinds, numbers)
            again = refills and found.isdisjoint(
                book().containers
            )  # nothing can be refilled, so the result would be the same
            if found >= self._target.keys() and not again:
                try:
                    takes = self._solved(givers, found, usable, refills, whole_batches)
                except Undecided:
                    takes = None
                if takes is not None:
                    self._lengths = self._lengths[:number]
                    return takes
        return None

    def _solved(
        self, givers: frozenset[Seat], found: frozenset[str], usable: list[Recipe], refills: bool, whole_batches: bool
    ) -> dict[Seat, Hand] | None:
        """Solve the linear program. Taking an item from a seat is a recipe too, whose input only that seat has."""
        gifts = dict(self._gifts(givers, _used(usable, self._target)))
        pledges = {gift.slots[0].words: self._others[seat][gift.product] for gift, seat in gifts.items()}
        ways = [*usable, *gifts]
        program = Program({**self._hand, **pledges}, self._target, found.union(pledges), ways, refills)
        for number, way in enumerate(ways):
            program.costs[number] = self._price(gifts[way], way.product) if way in gifts else BATCH
        flow = solution(program, whole_batches)
        if flow is None:
            return None
        takes: dict[Seat, Hand] = {}
        for way, batches in flow.batches:
            if way in gifts:
                takes.setdefault(gifts[way], {})[way.product] = ceil(batches)
        return takes

    def _gifts(self, givers: Iterable[Seat], kinds: frozenset[str]) -> Iterable[tuple[Recipe, Seat]]:
        for seat in sorted(givers):
            for item in sorted(kinds.intersection(self._others[seat])):
                pledge = f"{item} of {seat}"
                slot = Slot(pledge, 1, frozenset([pledge]))
                yield Recipe(pledge, "special", item, 1, (slot,), slot.items), seat


def _used(recipes: Iterable[Recipe], target: Iterable[str]) -> frozenset[str]:
    """All items that these recipes can use, with fuel, and the target itself."""
    fuels = [*book().fuels] if any(recipe.burns for recipe in recipes) else []
    return frozenset(target).union(fuels, *[recipe.items for recipe in recipes])


def _some(items: Hand) -> Hand:
    """The items without zero amounts."""
    return {item: amount for item, amount in items.items() if amount}


def together(hands: Iterable[Mapping[str, int]]) -> Hand:
    total: Hand = {}
    for hand in hands:
        for item, amount in hand.items():
            total[item] = total.get(item, 0) + amount
    return total


def traded(hand: Mapping[str, int], gets: Mapping[str, int], gives: Mapping[str, int]) -> Hand:
    """A hand after a trade."""
    held = together([hand, gets, {item: -amount for item, amount in gives.items()}])
    return {item: amount for item, amount in held.items() if amount > 0}


def unused(hand: Mapping[str, int], steps: Iterable[Step], target: Mapping[str, int]) -> Hand:
    """The items of a hand that no step uses and that are not part of the target.

    Comparing first and last hand is not enough: an item may be used up and made again.
    """
    held = {item: Fraction(amount) for item, amount in hand.items()}
    idle = held.copy()
    for step in steps:
        for item, amount in step.inputs.items():
            idle[item] = min(idle.get(item, held[item]), held[item] - amount)
        held = stepped(held, step)
    for item, wanted in target.items():
        idle[item] = min(idle.get(item, held[item]), held[item] - wanted)
    return {item: int(amount) for item, amount in idle.items()}


def stepped(hand: Items, step: Step) -> Items:
    return moved(moved(hand, step.inputs, step.outputs), {}, step.returns)
