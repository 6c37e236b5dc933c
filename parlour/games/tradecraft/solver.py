"""Whether a goal can be crafted from a hand, exactly, and how: within one crafting phase, by one player."""

from collections.abc import Mapping
from fractions import Fraction
from math import floor

from msgspec import Struct

from parlour.games.tradecraft.amounts import FINEST, Items
from parlour.games.tradecraft.program import Flow, Program, Undecided, solution
from parlour.games.tradecraft.reach import HEAT, leading, reach
from parlour.games.tradecraft.recipes import SMELT, Recipe, book

MOST_ORDERS = 300
"""So many beginnings of a plan are tried for the order of its steps."""
MOST_STEPS = 100
"""No plan is longer."""


class Step(Struct, frozen=True):
    """Something that is crafted, in the words of a message."""

    recipe: str
    inputs: Items
    outputs: Items
    returns: Items


def solve(hand: Mapping[str, int], goals: Mapping[str, int], *, whole_batches: bool = False) -> tuple[Step, ...] | None:
    """A way to have all the goals at once, or None if there is none. Undecided, if it cannot tell.

    It is seldom that fuel must be made or a container be used twice, and to look at that takes longer; so it is looked
    at last. Only then is there none.
    """
    if all(hand.get(goal, 0) >= amount for goal, amount in goals.items()):
        return ()
    undecided: Undecided | None = None
    for fuels, refills in ((False, False), (True, False), (True, True)):
        recipes = frozenset[int]().union(*[leading(goal, fuels) for goal in goals])
        found, usable = reach(hand, recipes)
        again = refills and found.isdisjoint(book().containers)  # the same as before, as nothing can be refilled
        if found >= goals.keys() and not again:
            try:
                flow = solution(Program(hand, goals, found, usable, refills), whole_batches)
                if flow is not None:
                    return _in_order(hand, flow, whole_batches)
            except Undecided as e:
                undecided = e
    if undecided is not None:
        raise undecided
    return None


class Bench(Struct, frozen=True):
    """In the middle of a plan: what is held, what is still to be crafted, and what may still be taken for what."""

    held: Items
    left: dict[Recipe, Fraction]
    uses: dict[str, Items]
    steps: tuple[Step, ...] = ()

    def after(self, recipe: Recipe, batches: Fraction) -> "Bench":
        """The same bench with so many batches of a recipe crafted."""
        held, left = dict(self.held), dict(self.left)
        uses = {purpose: dict(items) for purpose, items in self.uses.items()}
        step = _craft(recipe, batches, held, uses)
        left[recipe] -= batches
        return Bench(held, {each: amount for each, amount in left.items() if amount}, uses, (*self.steps, step))

    def wanted(self, item: str, by: Recipe) -> int:
        """How many other recipes wait for an item."""
        burning = item in self.uses.get(HEAT, {})
        return sum(item in recipe.items or (recipe.burns and burning) for recipe in self.left if recipe is not by)


def _in_order(hand: Mapping[str, int], flow: Flow, whole_batches: bool) -> tuple[Step, ...]:
    """The batches one after another, each when all it needs is there; if that ends nowhere, in another order."""
    held = {item: Fraction(amount) for item, amount in hand.items()}
    open = [Bench(held, dict(flow.batches), flow.uses)]
    for _ in range(MOST_ORDERS):
        if not open:
            break
        bench = open.pop()
        if not bench.left:
            return _readable(bench.steps)
        if len(bench.steps) < MOST_STEPS:
            shares = [(recipe, _share(recipe, bench, whole_batches)) for recipe in bench.left]
            ready = [(recipe, share) for recipe, share in shares if share == bench.left[recipe]]
            some = ready or [(recipe, share) for recipe, share in shares if share]
            open += [bench.after(*each) for each in sorted(some, key=lambda each: _haste(each[0], bench))]
    raise Undecided("the amounts suffice, but each step waits for another")


def _readable(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps, if all their amounts can be written in a message."""
    if any(amount.denominator > FINEST for step in steps for amount in (*step.inputs.values(), *step.outputs.values())):
        raise Undecided("the amounts suffice, but are too fine to be named")
    return steps


def _haste(recipe: Recipe, bench: Bench) -> int:
    """Rather early what others wait for, rather late what takes things away from them."""
    taken = {item for item in bench.held if item in recipe.items or (recipe.burns and item in bench.uses[HEAT])}
    return bench.wanted(recipe.product, recipe) - sum(bench.wanted(item, recipe) for item in taken)


def _share(recipe: Recipe, bench: Bench, whole_batches: bool) -> Fraction:
    """How many of the batches that are left can be crafted from what is held."""
    most = bench.left[recipe]
    for slot in recipe.slots:
        there = sum((amount for _, amount in _there(slot.words, slot.items, bench.held, bench.uses)), Fraction(0))
        most = min(most, there / slot.count)
    if recipe.burns:
        fuels = book().fuels
        heats = [amount * fuels[item] for item, amount in _there(HEAT, frozenset(), bench.held, bench.uses)]
        most = min(most, sum(heats, Fraction(0)) / SMELT)
    return Fraction(floor(most)) if whole_batches else most


def _there(words: str, items: frozenset[str], held: Items, uses: dict[str, Items]) -> list[tuple[str, Fraction]]:
    """What is held for a purpose; of a slot that only one item can fill, all there is of it."""
    if words in uses:
        return [(item, min(amount, held.get(item, Fraction(0)))) for item, amount in uses[words].items()]
    return [(item, held[item]) for item in items if item in held]


def _craft(recipe: Recipe, batches: Fraction, held: Items, uses: dict[str, Items]) -> Step:
    """Take what is needed out of what is held, and put in what is made."""
    inputs: Items = {}
    for slot in recipe.slots:
        _take(slot.words, slot.items, batches * slot.count, {}, held, uses, inputs)
    if recipe.burns:
        _take(HEAT, frozenset(), batches * SMELT, book().fuels, held, uses, inputs)
    outputs = {recipe.product: batches * recipe.count}
    returns: Items = {}
    for item, amount in inputs.items():
        empty = book().containers.get(item)
        if empty is not None:
            returns[empty] = returns.get(empty, Fraction(0)) + amount
    for item, amount in (*outputs.items(), *returns.items()):
        held[item] = held.get(item, Fraction(0)) + amount
    return Step(recipe.name, inputs, outputs, returns)


def _take(
    words: str,
    items: frozenset[str],
    needed: Fraction,
    worth: Mapping[str, int],
    held: Items,
    uses: dict[str, Items],
    inputs: Items,
) -> None:
    """As much as is needed of what is there for a purpose; each item may be worth more than 1 for it."""
    for item, amount in _there(words, items, held, uses):
        taken = min(amount, needed / worth.get(item, 1))
        if taken:
            needed -= taken * worth.get(item, 1)
            inputs[item] = inputs.get(item, Fraction(0)) + taken
            held[item] -= taken
            if words in uses:
                uses[words][item] -= taken
    if needed:
        raise Undecided("one item is wanted twice in the same step")
