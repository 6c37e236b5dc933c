"""The recipe book of Minecraft Java 1.20.1, read from recipes.json at first use."""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from parlour.core import Inconsistent

DIGEST = "9fab20d3b3467c05fd7c6b0d29788ed4c3571db956e664c3a499e50e6234fd75"
"""SHA-256 of recipes.json; tools/recipes/derive.py writes both."""

SMELT = 200
"""Ticks of fuel for one batch in a furnace."""
MOST_BOTTLES = 3
"""Bottles that a brewing stand fills with one ingredient."""

Kind: TypeAlias = Literal["crafting", "smelting", "campfire", "stonecutting", "smithing", "brewing", "special"]


class Slot(Struct, frozen=True, gc=False):
    """A part of a recipe: a number of one item, or of any of several alternatives."""

    words: str
    """An item, `#tag`, or `a|b`."""
    count: int
    items: frozenset[str]


class Recipe(Struct, frozen=True, gc=False):
    """Input and output of one batch. No item fits two slots."""

    name: str
    kind: Kind
    product: str
    count: int
    slots: tuple[Slot, ...]
    items: frozenset[str]
    """All items that fit into any slot."""

    @property
    def burns(self) -> bool:
        """Whether it needs fuel."""
        return self.kind == "smelting"

    def __str__(self) -> str:
        parts = [f"{slot.count} {slot.words.replace('|', ' or ')}" for slot in self.slots]
        return f"{self.count} {self.product} from {' + '.join(parts)}{' + fuel' if self.burns else ''}"


class Entry(Struct, frozen=True, array_like=True):
    """A recipe in the file."""

    product: str
    from_what: str
    """Distinguishes it from other recipes of the same kind and product; may be empty."""
    count: int
    slots: dict[str, int]


class BookFile(Struct, frozen=True):
    """The content of recipes.json."""

    tags: dict[str, frozenset[str]]
    fuels: dict[str, int]
    containers: dict[str, str]
    others: frozenset[str]
    """Items that are not mentioned elsewhere in the file."""
    recipes: dict[Kind, list[Entry]]


class Book:
    """All recipes, with tags, fuels and containers."""

    def __init__(self, file: BookFile) -> None:
        self.tags = file.tags
        self.fuels = file.fuels
        """Burning time of one item, in ticks."""
        self.containers = file.containers
        """By item: the container that is left when it is used up."""
        self.empties = frozenset(file.containers.values())
        self._others = file.others
        self._slots: dict[str, frozenset[str]] = {}
        self.recipes = [recipe for kind, entries in file.recipes.items() for recipe in self._read(kind, entries)]
        makers: dict[str, list[Recipe]] = {}
        for recipe in self.recipes:
            makers.setdefault(recipe.product, []).append(recipe)
        self.makers: Mapping[str, list[Recipe]] = makers
        """Recipes by product."""

    def _read(self, kind: Kind, entries: list[Entry]) -> Iterator[Recipe]:
        for entry in entries:
            name = _name(kind, entry)
            slots = tuple([Slot(words, count, self._items(words)) for words, count in entry.slots.items()])
            if kind == "brewing":
                yield from _bottles(name, entry, slots)
            else:
                yield Recipe(name, kind, entry.product, entry.count, slots, _together(slots))

    def _items(self, words: str) -> frozenset[str]:
        items = self._slots.get(words)
        if items is None:
            items = self.tags[words[1:]] if words[0] == "#" else frozenset(words.split("|"))
            self._slots[words] = items
        return items

    @cached_property
    def items(self) -> frozenset[str]:
        """All items."""
        made = (self.makers, self._others, self.fuels, self.containers, self.empties)
        return frozenset[str]().union(*self._slots.values(), *made)

    @cached_property
    def users(self) -> Mapping[str, list[Recipe]]:
        """Recipes by ingredient, without fuel."""
        found: dict[str, list[Recipe]] = {}
        for recipe in self.recipes:
            for slot in recipe.slots:
                for item in slot.items:
                    found.setdefault(item, []).append(recipe)
        return found

    @cached_property
    def by_name(self) -> Mapping[str, Recipe]:
        return {recipe.name: recipe for recipe in self.recipes}


def _name(kind: Kind, entry: Entry) -> str:
    ways = [way for way in ("" if kind in ("crafting", "special") else kind, entry.from_what) if way]
    return f"{entry.product}_from_{'_'.join(ways)}" if ways else entry.product


def _bottles(name: str, entry: Entry, slots: tuple[Slot, ...]) -> Iterator[Recipe]:
    """The file lists brews of one bottle, in the first slot. One ingredient also suffices for more bottles."""
    bottle, ingredient = slots
    items = _together(slots)
    for count in range(1, MOST_BOTTLES + 1):
        filled = (Slot(bottle.words, count, bottle.items), ingredient)
        yield Recipe(f"{name}_{count}", "brewing", entry.product, count, filled, items)


def _together(slots: tuple[Slot, ...]) -> frozenset[str]:
    return slots[0].items.union(*[slot.items for slot in slots[1:]]) if len(slots) > 1 else slots[0].items


@cache
def book() -> Book:
    """The recipe book, read once."""
    data = files("parlour.games.tradecraft").joinpath("recipes.json").read_bytes()
    if sha256(data).hexdigest() != DIGEST:
        raise Inconsistent("book", "the recipe book is not the one that these rules were written for")
    return Book(msgspec.json.decode(data, type=BookFile))
