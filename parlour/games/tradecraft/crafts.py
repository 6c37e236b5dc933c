"""Choose concrete items and fuel for a recipe from a hand."""

from collections.abc import Mapping
from fractions import Fraction

from parlour.core import Dice
from parlour.games.tradecraft.amounts import Items
from parlour.games.tradecraft.book import Recipe, possible, ticks
from parlour.games.tradecraft.recipes import SMELT


def filled(recipe: Recipe, batches: Fraction, hand: Mapping[str, Fraction]) -> Items | None:
    """The items of the hand that these batches use up; None if it does not have enough."""
    left, used = dict(hand), Items()
    lacking = [take(left, used, dict.fromkeys(sorted(slot.items), 1), batches * slot.count) for slot in recipe.slots]
    if recipe.burns:
        lacking.append(take(left, used, {item: ticks(item) for item in sorted(left) if ticks(item)}, batches * SMELT))
    return None if any(lacking) else used


def take(left: Items, used: Items, worth: Mapping[str, int], needed: Fraction) -> Fraction:
    """Move items from `left` to `used` until they are worth `needed`; returns what is still needed."""
    for item, each in worth.items():
        amount = min(left.get(item, Fraction(0)), needed / each)
        if amount > 0:
            left[item] -= amount
            used[item] = used.get(item, Fraction(0)) + amount
            needed -= amount * each
    return needed


def any_craft(hand: Mapping[str, Fraction], dice: Dice, *, whole_batches: bool) -> tuple[Items, Items] | None:
    """Draw something that can be crafted from the hand, as input and output; None if nothing can."""
    found = sorted(possible(hand, whole_batches=whole_batches), key=lambda each: each[0].name)
    if not found:
        return None
    recipe, most = dice.pick(found)
    pieces = 1 if whole_batches else recipe.count
    batches = Fraction(1 + dice.below(min(int(most * pieces), 2 * pieces)), pieces)
    used = filled(recipe, batches, hand)
    return None if used is None else (used, {recipe.product: batches * recipe.count})
