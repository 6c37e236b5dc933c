"""Decide exactly whether one player can craft goals from a hand in one crafting phase, and how."""

from collections.abc import Mapping
from fractions import Fraction
from math import floor

from msgspec import Struct

from parlour.games.tradecraft.amounts import FINEST, Items
from parlour.games.tradecraft.program import Flow, Program, Undecided, solution
from parlour.games.tradecraft.reach import HEAT, leading, reach
from parlour.games.tradecraft.recipes import SMELT, Recipe, book

MOST_ORDERS = 300
"""Partial plans tried while ordering the steps."""
MOST_STEPS = 100
"""The most steps in a plan."""


class Step(Struct, frozen=True):
    """One crafting step, with exact inputs and outputs."""

    recipe: str
    inputs: Items
    outputs: Items
    returns: Items


def solve(hand: Mapping[str, int], goals: Mapping[str, int], *, whole_batches: bool = False) -> tuple[Step, ...] | None:
    """Steps to have all goals at once, or None if that is impossible; raises Undecided if the search was given up.

    Making fuel and refilling containers are rarely needed and slow to search, so they are tried last.
    """
    if all(hand.get(goal, 0) >= amount for goal, amount in goals.items()):
        return ()
    undecided: Undecided | None = None
    for fuels, refills in ((False, False), (True, False), (True, True)):
        recipes = frozenset[int]().union(*[leading(goal, fuels) for goal in goals])
        found, usable = reach(hand, recipes)
        again = refills and found.isdisjoint(
            book().containers
        )  # nothing can be refilled, so the result would be the same
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


class Progress(Struct, frozen=True):
    """A partly ordered plan: the items held, the batches left, and the items reserved for each purpose."""

    held: Items
    left: dict[Recipe, Fraction]
    uses: dict[str, Items]
    steps: tuple[Step, ...] = ()

    def after(self, recipe: Recipe, batches: Fraction) -> "Progress":
        """The state after crafting some batches of a recipe."""
        held, left = dict(self.held), dict(self.left)
        uses = {purpose: dict(items) for purpose, items in self.uses.items()}
        step = _craft(recipe, batches, held, uses)
        left[recipe] -= batches
        return Progress(held, {each: amount for each, amount in left.items() if amount}, uses, (*self.steps, step))

    def wanted(self, item: str, by: Recipe) -> int:
        """How many other remaining recipes can use an item."""
        burning = item in self.uses.get(HEAT, {})
        return sum(item in recipe.items or (recipe.burns and burning) for recipe in self.left if recipe is not by)


def _in_order(hand: Mapping[str, int], flow: Flow, whole_batches: bool) -> tuple[Step, ...]:
    """Order the batches so that each has its inputs when it is crafted, by depth-first search."""
    held = {item: Fraction(amount) for item, amount in hand.items()}
    open = [Progress(held, dict(flow.batches), flow.uses)]
    for _ in range(MOST_ORDERS):
        if not open:
            break
        progress = open.pop()
        if not progress.left:
            return _readable(progress.steps)
        if len(progress.steps) < MOST_STEPS:
            shares = [(recipe, _share(recipe, progress, whole_batches)) for recipe in progress.left]
            ready = [(recipe, share) for recipe, share in shares if share == progress.left[recipe]]
            some = ready or [(recipe, share) for recipe, share in shares if share]
            open += [progress.after(*each) for each in sorted(some, key=lambda each: _urgency(each[0], progress))]
    raise Undecided("the amounts suffice, but each step waits for another")


def _readable(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps; raises Undecided if an amount is too fine for a message."""
    if any(amount.denominator > FINEST for step in steps for amount in (*step.inputs.values(), *step.outputs.values())):
        raise Undecided("the amounts suffice, but are too fine to be named")
    return steps


def _urgency(recipe: Recipe, progress: Progress) -> int:
    """Sort key: recipes whose product others need come early, those that use up what others need come late."""
    taken = {item for item in progress.held if item in recipe.items or (recipe.burns and item in progress.uses[HEAT])}
    return progress.wanted(recipe.product, recipe) - sum(progress.wanted(item, recipe) for item in taken)


def _share(recipe: Recipe, progress: Progress, whole_batches: bool) -> Fraction:
    """How many of the remaining batches can be crafted from the items held."""
    most = progress.left[recipe]
    for slot in recipe.slots:
        there = sum(
            (amount for _, amount in _available(slot.words, slot.items, progress.held, progress.uses)), Fraction(0)
        )
        most = min(most, there / slot.count)
    if recipe.burns:
        fuels = book().fuels
        heats = [amount * fuels[item] for item, amount in _available(HEAT, frozenset(), progress.held, progress.uses)]
        most = min(most, sum(heats, Fraction(0)) / SMELT)
    return Fraction(floor(most)) if whole_batches else most


def _available(words: str, items: frozenset[str], held: Items, uses: dict[str, Items]) -> list[tuple[str, Fraction]]:
    """The items held for a purpose; for a slot without alternatives, everything held of its item."""
    if words in uses:
        return [(item, min(amount, held.get(item, Fraction(0)))) for item, amount in uses[words].items()]
    return [(item, held[item]) for item in items if item in held]


def _craft(recipe: Recipe, batches: Fraction, held: Items, uses: dict[str, Items]) -> Step:
    """Remove the inputs from `held`, and add the products."""
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
    """Move `needed` for a purpose from `held` to `inputs`. An item counts `worth` times, by default once."""
    for item, amount in _available(words, items, held, uses):
        taken = min(amount, needed / worth.get(item, 1))
        if taken:
            needed -= taken * worth.get(item, 1)
            inputs[item] = inputs.get(item, Fraction(0)) + taken
            held[item] -= taken
            if words in uses:
                uses[words][item] -= taken
    if needed:
        raise Undecided("one item is wanted twice in the same step")
