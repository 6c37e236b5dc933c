"""What can be of use for a goal, and what can be had at all, whatever the amounts."""

from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from parlour.games.tradecraft.recipes import Recipe, book


@cache
def leading(goal: str, fuels: bool) -> frozenset[int]:
    """The recipes that can have a part in making the goal, by number; without `fuels`, none that only make fuel."""
    pages, wants = book(), _wants()
    found: set[int] = set()
    seen = {goal}
    queue = [goal]
    while queue:
        item = queue.pop()
        for number in wants.makers.get(item, ()):
            if number not in found:
                found.add(number)
                recipe = pages.recipes[number]
                wanted = recipe.items | pages.fuels.keys() if recipe.burns and fuels else recipe.items
                queue += wanted - seen
                seen |= wanted
    return frozenset(found)


@cache
def useful(goal: str) -> frozenset[str]:
    """All items that can have a part in making the goal."""
    recipes = [book().recipes[number] for number in leading(goal, True)]
    fuels = book().fuels.keys() if any(recipe.burns for recipe in recipes) else frozenset[str]()
    return frozenset([goal]).union(*[recipe.items for recipe in recipes]) | fuels


def reach(kinds: Iterable[str], numbers: frozenset[int]) -> tuple[frozenset[str], list[Recipe]]:
    """All that could come of these kinds by these recipes, were there enough of them; and the recipes for it.

    What is not in it cannot be had: that is a proof. What is in it may still be out of reach for want of amounts.
    """
    pages, wants = book(), _wants()
    found = set(kinds)
    queue = sorted(found)
    filled: dict[int, int] = {}
    usable: list[int] = []
    while queue:
        item = queue.pop()
        for number, bit in wants.slots.get(item, ()):
            if number in numbers:
                before = filled.get(number, 0)
                filled[number] = after = before | bit
                if after == wants.full[number] != before:
                    usable.append(number)
                    _find(pages.recipes[number].product, found, queue)
        if item in pages.containers:
            _find(pages.containers[item], found, queue)
        if item in pages.fuels:
            _find(HEAT, found, queue)
    return frozenset(found), [pages.recipes[number] for number in sorted(usable)]


HEAT = "heat"
"""What burning fuel gives, counted in ticks; no item has this name."""


def _find(item: str, found: set[str], queue: list[str]) -> None:
    if item not in found:
        found.add(item)
        queue.append(item)


class Wants(Struct, frozen=True):
    """The recipes by number, as they are looked for here."""

    makers: dict[str, list[int]]
    """By what they make, or give back."""
    slots: dict[str, list[tuple[int, int]]]
    """By what they use up, heat included, each with a bit for its slot."""
    full: list[int]
    """All bits of each."""


@cache
def _wants() -> Wants:
    pages = book()
    wants = Wants({}, {}, [])
    for number, recipe in enumerate(pages.recipes):
        slots = [slot.items for slot in recipe.slots] + ([frozenset([HEAT])] if recipe.burns else [])
        for place, items in enumerate(slots):
            for item in items:
                wants.slots.setdefault(item, []).append((number, 1 << place))
        wants.full.append((1 << len(slots)) - 1)
        burnt = {item for item in pages.containers if recipe.burns and item in pages.fuels}
        left = {pages.containers[item] for item in (recipe.items & pages.containers.keys()) | burnt}
        for made in {recipe.product} | left:
            wants.makers.setdefault(made, []).append(number)
    return wants
