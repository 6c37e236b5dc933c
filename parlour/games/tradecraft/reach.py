"""Find the recipes that can lead to a goal, and the items that can be made from others, ignoring amounts."""

from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from parlour.games.tradecraft.recipes import Recipe, book


@cache
def leading(goal: str, fuels: bool) -> frozenset[int]:
    """The numbers of the recipes that can contribute to the goal; without `fuels`, not those that only make fuel."""
    pages, index = book(), _index()
    found: set[int] = set()
    seen = {goal}
    queue = [goal]
    while queue:
        item = queue.pop()
        for number in index.makers.get(item, ()):
            if number not in found:
                found.add(number)
                recipe = pages.recipes[number]
                wanted = recipe.items.union(pages.fuels) if recipe.burns and fuels else recipe.items
                queue += wanted - seen
                seen |= wanted
    return frozenset(found)


@cache
def useful(goal: str) -> frozenset[str]:
    """All items that can contribute to the goal."""
    recipes = [book().recipes[number] for number in leading(goal, True)]
    fuels = [*book().fuels] if any(recipe.burns for recipe in recipes) else []
    return frozenset([goal]).union(fuels, *[recipe.items for recipe in recipes])


def reach(kinds: Iterable[str], numbers: frozenset[int]) -> tuple[frozenset[str], list[Recipe]]:
    """All items that these recipes can make from these kinds in unlimited amounts, and the recipes used.

    An item that is not found is impossible. An item that is found may still be impossible with limited amounts.
    """
    pages, index = book(), _index()
    found = set(kinds)
    queue = sorted(found)
    filled: dict[int, int] = {}
    usable: list[int] = []
    while queue:
        item = queue.pop()
        for number, bit in index.slots.get(item, ()):
            if number in numbers:
                before = filled.get(number, 0)
                filled[number] = after = before | bit
                if after == index.full[number] != before:
                    usable.append(number)
                    _find(pages.recipes[number].product, found, queue)
        if item in pages.containers:
            _find(pages.containers[item], found, queue)
        if item in pages.fuels:
            _find(HEAT, found, queue)
    return frozenset(found), [pages.recipes[number] for number in sorted(usable)]


HEAT = "heat"
"""Stands for ticks of burning fuel; no item has this name."""


def _find(item: str, found: set[str], queue: list[str]) -> None:
    if item not in found:
        found.add(item)
        queue.append(item)


class RecipeIndex(Struct, frozen=True):
    """Recipe numbers, indexed for the searches above."""

    makers: dict[str, list[int]]
    """By product or returned container."""
    slots: dict[str, list[tuple[int, int]]]
    """By ingredient, heat included, each with a bit for its slot."""
    full: list[int]
    """By recipe: the bits of all slots."""


@cache
def _index() -> RecipeIndex:
    pages = book()
    index = RecipeIndex({}, {}, [])
    for number, recipe in enumerate(pages.recipes):
        slots = [slot.items for slot in recipe.slots] + ([frozenset([HEAT])] if recipe.burns else [])
        for place, items in enumerate(slots):
            for item in items:
                index.slots.setdefault(item, []).append((number, 1 << place))
        index.full.append((1 << len(slots)) - 1)
        burnt = {item for item in pages.containers if recipe.burns and item in pages.fuels}
        left = {pages.containers[item] for item in recipe.items.intersection(pages.containers) | burnt}
        for made in {recipe.product} | left:
            index.makers.setdefault(made, []).append(number)
    return index
