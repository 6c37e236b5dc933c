"""Reads tables.txt: recipes, tags, fuels and containers that are written by hand."""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

TEXT = Path(__file__).with_name("tables.txt")
SET = re.compile(r"{(\w+)}")


@dataclass(frozen=True)
class Recipe:
    """What is used up by one batch, slot by slot, and what comes of it. A slot is an item, `#tag` or `a|b`."""

    product: str
    count: int
    slots: tuple[tuple[str, int], ...]


class Tables:
    """All that tables.txt says."""

    def __init__(self, text: str) -> None:
        self._lines = sections(text)
        self.sets = {name: split(members) for name, members in (line.split(" = ") for line in self._lines["sets"])}
        self.tags = self._listed("tags")
        self.fuels = {item: int(ticks) for ticks, items in self._listed("fuels").items() for item in items}
        self.containers = {recipe.slots[0][0]: recipe.product for recipe in self._recipes("containers")}
        mixes = self._recipes("brewing")
        contents = {recipe.product for recipe in mixes} | {recipe.slots[0][0] for recipe in mixes}
        self.sets["potion"] = sorted(contents - {"water"})
        self.recipes = {kind: self._recipes(kind) for kind in ("smelting", "campfire", "stonecutting", "smithing")}
        self.recipes["brewing"] = list(brews(mixes, sorted(contents)))
        self.recipes["special"] = self._recipes("special")

    @cached_property
    def tag_slots(self) -> dict[frozenset[str], str]:
        """What a slot is called that takes exactly the items of a tag; of two equal tags, the first."""
        return {frozenset(members): f"#{tag}" for tag, members in reversed(self.tags.items())}

    def own_slots(self, product: str) -> dict[frozenset[str], str]:
        """What slots of this product are called that take one of several items on the crafting table."""
        return self._own_slots.get(product, {})

    @cached_property
    def _own_slots(self) -> dict[str, dict[frozenset[str], str]]:
        found: dict[str, dict[frozenset[str], str]] = {}
        for line in self._expanded("slots"):
            products, said = line.split(": ")
            for product in split(products):
                items = self._others(product) if said == "others" else self._members(said)
                found[product] = {items: said if said.startswith("#") else "|".join(sorted(items))}
        return found

    def _members(self, said: str) -> frozenset[str]:
        return frozenset(self.tags[said[1:]] if said.startswith("#") else said.split(" | "))

    def _others(self, product: str) -> frozenset[str]:
        thing = product.rsplit("_", 1)[1]
        return frozenset(f"{colour}_{thing}" for colour in self.sets["colour"]) - {product}

    def _listed(self, section: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for line in self._expanded(section):
            name, members = line.split(": ")
            found[name] += split(members)
        return dict(found)

    def _recipes(self, section: str) -> list[Recipe]:
        return [recipe for line in self._expanded(section) for recipe in read(line)]

    def _expanded(self, section: str) -> Iterator[str]:
        """Every line once for each member of the set that it names."""
        for line in self._lines[section]:
            found = SET.search(line)
            yield from (line.replace(found[0], member) for member in self.sets[found[1]]) if found else [line]


def sections(text: str) -> dict[str, list[str]]:
    """Lines by section, without what is only for the reader."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            lines = found[line.strip("[]")] = []
        elif line and not line.startswith("# ") and line != "#":
            lines.append(line)
    return found


def read(line: str) -> Iterator[Recipe]:
    """The recipes of one line: every choice on the left with every product on the right."""
    left, right = line.split(" -> ")
    for chosen in itertools.product(*map(split, left.split(" + "))):
        slots = tuple(counted(slot) for slot in chosen)
        for product in split(right):
            name, count = counted(product.replace("*", slots[0][0]))
            yield Recipe(name, count, slots)


def split(text: str) -> list[str]:
    return text.split(", ")


def counted(text: str) -> tuple[str, int]:
    """`2 oak_slab` or `oak_slab`; what may stand for each other is told without spaces and in order."""
    number, _, name = text.partition(" ")
    if not number.isdigit():
        return "|".join(sorted(text.split(" | "))), 1
    return name, int(number)


def brews(mixes: list[Recipe], contents: list[str]) -> Iterator[Recipe]:
    """One bottle of each: what is mixed in all three forms, and how the forms come about."""
    for form in ("", "splash", "lingering"):
        for mix in mixes:
            (content, _), (ingredient, _) = mix.slots
            yield Recipe(bottle(mix.product, form), 1, ((bottle(content, form), 1), (ingredient, 1)))
    for content in contents:
        yield Recipe(bottle(content, "splash"), 1, ((bottle(content, ""), 1), ("gunpowder", 1)))
        yield Recipe(bottle(content, "lingering"), 1, ((bottle(content, "splash"), 1), ("dragon_breath", 1)))


def bottle(content: str, form: str) -> str:
    if content == "water":
        return f"{form}_water_bottle".lstrip("_")
    return "_".join(part for part in (content, form, "potion") if part)
