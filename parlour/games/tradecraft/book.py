"""The public interface of the recipe book: check recipes and look things up. The file is read at first use."""

from collections.abc import Mapping
from fractions import Fraction

from parlour.games.tradecraft.checker import NONE, Verdict, check
from parlour.games.tradecraft.recipes import DIGEST, SMELT, Kind, Recipe, Slot, book

__all__ = [
    "DIGEST",
    "SMELT",
    "Kind",
    "Recipe",
    "Slot",
    "Verdict",
    "check",
    "known",
    "left_of",
    "makers",
    "possible",
    "tag",
    "ticks",
    "users",
]


def known(item: str) -> bool:
    """Whether the item exists."""
    return item in book().items


def makers(item: str) -> list[Recipe]:
    """The recipes that make the item."""
    return list(book().makers.get(item, ()))


def users(item: str) -> list[Recipe]:
    """The recipes that use the item as an ingredient."""
    return list(book().users.get(item, ()))


def ticks(item: str) -> int:
    """How long the item burns; 0 if it is not a fuel."""
    return book().fuels.get(item, 0)


def left_of(item: str) -> str | None:
    """The container that is left when the item is used up, if any."""
    return book().containers.get(item)


def tag(name: str) -> frozenset[str]:
    """The items of a tag."""
    return book().tags.get(name, frozenset())


def possible(hand: Mapping[str, Fraction], *, whole_batches: bool = False) -> list[tuple[Recipe, Fraction]]:
    """The recipes that make at least one whole item from the hand, by name, each with the most batches."""
    held = {item: amount for item, amount in hand.items() if amount > 0}
    heat = sum((amount * ticks(item) for item, amount in held.items()), NONE)
    ways = {recipe.name: recipe for item in held for recipe in book().users.get(item, ())}
    found = [(ways[name], _most(ways[name], held, heat)) for name in sorted(ways)]
    if whole_batches:
        found = [(recipe, Fraction(batches // 1)) for recipe, batches in found]
    return [(recipe, batches) for recipe, batches in found if batches * recipe.count >= 1]


def _most(recipe: Recipe, held: Mapping[str, Fraction], heat: Fraction) -> Fraction:
    """The most batches that a hand can make. `heat` is the total burning time of the hand."""
    totals = [sum((held[item] for item in held if item in slot.items), NONE) / slot.count for slot in recipe.slots]
    if not recipe.burns:
        return min(totals)
    own = ticks(next(iter(recipe.items)))  # a log that is smelted to charcoal cannot burn as well
    return min(*totals, heat / (SMELT + own))
