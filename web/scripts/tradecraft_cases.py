"""Write a part of tradeCraft's recipe book, and what the rules say about some hands, for the tests of the page.

python web/scripts/tradecraft_cases.py web/src/tables/tradecraft/cases.json
"""

import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from parlour.games.tradecraft.amounts import write_amount, written
from parlour.games.tradecraft.book import possible, users
from parlour.games.tradecraft.recipes import book
from parlour.venues.tradecraft.hall_routes import recipe_book

HANDS: tuple[Mapping[str, Fraction], ...] = (
    {"cobblestone": Fraction(4), "coal": Fraction(7, 8), "stick": Fraction(2)},
    {"oak_log": Fraction(3), "bread": Fraction(1)},
    {"redstone": Fraction(1), "stick": Fraction(3), "stone": Fraction(5), "quartz": Fraction(2)},
    {"milk_bucket": Fraction(3), "sugar": Fraction(2), "egg": Fraction(1), "wheat": Fraction(3)},
    {"oak_planks": Fraction(1), "birch_planks": Fraction(1, 2)},
    {"raw_iron": Fraction(2), "stick": Fraction(3)},
)
"""Some with fractions, with fuel and without, and with containers."""
PRODUCTS = ("comparator", "redstone_torch", "stone", "stick", "oak_planks", "birch_planks", "charcoal", "cake", "torch")
"""Whose recipes are always in the part."""


def cases() -> dict[str, Any]:
    """The part of the book, and for each hand the recipes of it that the hand can make."""
    items = {item for hand in HANDS for item in hand}
    short = {recipe.name for item in items for recipe in users(item) if len(recipe.items) <= 12}
    names = {recipe.name for product in PRODUCTS for recipe in book().makers[product]} | short
    told = msgspec.to_builtins(recipe_book())
    told["recipes"] = [recipe for recipe in told["recipes"] if recipe["name"] in names]
    words = {word.removeprefix("#") for recipe in told["recipes"] for word in recipe["input"]}
    told["tags"] = {name: told["tags"][name] for name in sorted(words & told["tags"].keys())}
    return {"book": told, "hands": [case(hand, names) for hand in HANDS]}


def case(hand: Mapping[str, Fraction], names: set[str]) -> dict[str, Any]:
    """A hand, and the most batches of each recipe, in parts of a batch and in whole ones."""
    most = [possible(hand, whole_batches=whole) for whole in (False, True)]
    found = [{recipe.name: write_amount(batches) for recipe, batches in each if recipe.name in names} for each in most]
    return {"hand": written(hand), "parts": found[0], "whole": found[1]}


def text() -> str:
    return json.dumps(cases(), separators=(",", ":")) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")
