"""Recipes, items and tags as nodes of a graph, which is how Socket.IO clients know them (RULES 11.9).

A node's children come before it: what a recipe uses up, the recipes that make an item, the items of a tag. Its parents
come after it: what a recipe makes, and the recipes that use an item or a tag.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from parlour.games.tradecraft.amounts import PREFIX, write_amount
from parlour.games.tradecraft.book import SMELT, Recipe, known, makers, ticks, users
from parlour.games.tradecraft.messages import pair
from parlour.games.tradecraft.recipes import book

Node: TypeAlias = dict[str, Any]

FUEL = "fuel"
"""A tag of all fuels, each in the amount that smelts one item."""
USUAL = frozenset(["charcoal", "coal"])
"""Fuels that are listed in every recipe that needs fuel."""


def node(name: str) -> Node | None:
    """The node of a `$recipe`, a `#tag` or an item; None if there is none of that name."""
    bare = name.removeprefix("#").removeprefix(PREFIX)
    if name.startswith("$"):
        recipe = book().by_name.get(name[1:])
        return None if recipe is None else recipe_node(recipe)
    if name.startswith("#"):
        return _tag_node(bare) if bare in _tags() else None
    return _item_node(bare) if known(bare) else None


def recipe_node(recipe: Recipe, fuels: Iterable[str] = ()) -> Node:
    """A recipe with the items of all its tags. Of the hundreds of fuels it lists only `fuels` and the usual ones."""
    children = [[_slot(slot.words), pair(slot.count)] for slot in recipe.slots]
    tags = {_slot(slot.words): _amounts(_tags()[_tag(slot.words)]) for slot in recipe.slots if _tag(slot.words)}
    if recipe.burns:
        burning = {item: amount for item, amount in _fuels().items() if item in USUAL or item in fuels}
        children.append([f"#{PREFIX}{FUEL}", pair(1)])
        tags[f"#{PREFIX}{FUEL}"] = _amounts(burning)
    return _node(f"${recipe.name}", "recipe", children, [[PREFIX + recipe.product, pair(recipe.count)]], tags)


@cache
def crafting_items() -> tuple[str, ...]:
    """All items that a recipe makes or uses, or that burn."""
    pages = book()
    return tuple(PREFIX + item for item in sorted(pages.makers.keys() | pages.users.keys() | pages.fuels.keys()))


def tag_node(name: str) -> Node | None:
    """A tag, with or without the # before its name; None if there is none of that name."""
    found = node(name if name.startswith("#") else f"#{name}")
    return found if found is not None and found["node_type"] == "tag" else None


def item_and_recipes(item: str) -> Node:
    """An item with whole recipes, not just their names."""
    around = {"children": list(map(recipe_node, makers(item))), "parents": list(map(recipe_node, users(item)))}
    return {**_item_node(item), **around}


def _item_node(item: str) -> Node:
    made = [[f"${recipe.name}", pair(recipe.count)] for recipe in makers(item)]
    used = [
        [f"${recipe.name}", pair(slot.count)] for recipe in users(item) for slot in recipe.slots if item in slot.items
    ]
    return _node(PREFIX + item, "item", made, used)


def _tag_node(tag: str) -> Node:
    items = [[item, amount] for item, amount in _amounts(_tags()[tag]).items()]
    used = [
        [f"${recipe.name}", pair(slot.count)]
        for recipe in book().recipes
        for slot in recipe.slots
        if _tag(slot.words) == tag
    ]
    return _node(f"#{PREFIX}{tag}", "tag", items, used)


def _node(name: str, kind: str, children: list[Any], parents: list[Any], tags: Mapping[str, Any] = {}) -> Node:
    return {"node_name": name, "node_type": kind, "children": children, "parents": parents, "extra_tags": dict(tags)}


def _slot(words: str) -> str:
    tag = _tag(words)
    return f"#{PREFIX}{tag}" if tag else PREFIX + words


def _tag(words: str) -> str:
    """The tag that a slot takes. Alternatives count as a tag. Empty if the slot takes one item."""
    return words[1:] if words[0] == "#" else words.replace("|", "_or_") if "|" in words else ""


def _amounts(items: Mapping[str, Fraction]) -> dict[str, Any]:
    return {PREFIX + item: pair(write_amount(amount)) for item, amount in items.items()}


@cache
def _tags() -> Mapping[str, Mapping[str, Fraction]]:
    slots = [slot for recipe in book().recipes for slot in recipe.slots if _tag(slot.words)]
    return {_tag(slot.words): dict.fromkeys(sorted(slot.items), Fraction(1)) for slot in slots} | {FUEL: _fuels()}


@cache
def _fuels() -> Mapping[str, Fraction]:
    return {item: Fraction(SMELT, ticks(item)) for item in sorted(book().fuels)}
