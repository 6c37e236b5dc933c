"""The recipe book of Minecraft Java 1.20.1, read from recipes.json when it is first opened."""

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
"""Ticks of fuel that a furnace takes for one batch."""
MOST_BOTTLES = 3
"""That a brewing stand fills with one ingredient."""

Kind: TypeAlias = Literal["crafting", "smelting", "campfire", "stonecutting", "smithing", "brewing", "special"]


class Slot(Struct, frozen=True, gc=False):
    """A part of a recipe: so many of one item, or of any that may stand for each other."""

    words: str
    """An item, `#tag`, or `a|b`."""
    count: int
    items: frozenset[str]


class Recipe(Struct, frozen=True, gc=False):
    """What one batch uses up, and what comes of it. No item fits two slots."""

    name: str
    kind: Kind
    product: str
    count: int
    slots: tuple[Slot, ...]
    items: frozenset[str]
    """All that fit into any of the slots."""

    @property
    def burns(self) -> bool:
        """Whether it needs fuel."""
        return self.kind == "smelting"

    def __str__(self) -> str:
        parts = [f"{slot.count} {slot.words.replace('|', ' or ')}" for slot in self.slots]
        return f"{self.count} {self.product} from {' + '.join(parts)}{' + fuel' if self.burns else ''}"


class Entry(Struct, frozen=True, array_like=True):
    """A recipe as it stands in the file."""

    product: str
    from_what: str
    """What tells it from others of the same kind and product, if there are any."""
    count: int
    slots: dict[str, int]


class Text(Struct, frozen=True):
    """The file."""

    tags: dict[str, frozenset[str]]
    fuels: dict[str, int]
    containers: dict[str, str]
    others: frozenset[str]
    """Items that nothing else in the file names."""
    recipes: dict[Kind, list[Entry]]


class Book:
    """All recipes, and what must be known of items to follow them."""

    def __init__(self, text: Text) -> None:
        self.tags = text.tags
        self.fuels = text.fuels
        """Ticks that one of each burns."""
        self.containers = text.containers
        """What is left of an item that is used up."""
        self.empties = frozenset(text.containers.values())
        self._others = text.others
        self._slots: dict[str, frozenset[str]] = {}
        self.recipes = [recipe for kind, entries in text.recipes.items() for recipe in self._read(kind, entries)]
        makers: dict[str, list[Recipe]] = {}
        for recipe in self.recipes:
            makers.setdefault(recipe.product, []).append(recipe)
        self.makers: Mapping[str, list[Recipe]] = makers
        """By what they make."""

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
        """Everything that there is."""
        used = frozenset().union(*self._slots.values())
        return used | self.makers.keys() | self._others | self.fuels.keys() | self.containers.keys() | self.empties

    @cached_property
    def users(self) -> Mapping[str, list[Recipe]]:
        """By what they use up, fuel apart."""
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
    """The file has brews of one bottle, which is in the first slot; the ingredient would do for more."""
    bottle, ingredient = slots
    items = _together(slots)
    for count in range(1, MOST_BOTTLES + 1):
        filled = (Slot(bottle.words, count, bottle.items), ingredient)
        yield Recipe(f"{name}_{count}", "brewing", entry.product, count, filled, items)


def _together(slots: tuple[Slot, ...]) -> frozenset[str]:
    return slots[0].items.union(*[slot.items for slot in slots[1:]]) if len(slots) > 1 else slots[0].items


@cache
def book() -> Book:
    """The book, opened once."""
    data = files("parlour.games.tradecraft").joinpath("recipes.json").read_bytes()
    if sha256(data).hexdigest() != DIGEST:
        raise Inconsistent("book", "the recipe book is not the one that these rules were written for")
    return Book(msgspec.json.decode(data, type=Text))
