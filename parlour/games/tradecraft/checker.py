"""Check whether inputs make outputs by one recipe with nothing left over, and explain why not."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from msgspec import Struct

from parlour.core import Value
from parlour.games.tradecraft.amounts import FINEST, MOST, MOST_KINDS, Items, Written, write_amount, written
from parlour.games.tradecraft.recipes import SMELT, Recipe, Slot, book

Amounts: TypeAlias = Mapping[str, Fraction]

MOST_LISTED = 4
"""At most this many mismatches are listed; the rest is counted."""
MOST_NEAR = 3
"""At most this many recipes are compared in detail to explain a failure."""
NONE = Fraction(0)


class Verdict(Value, frozen=True):
    """The result of a check. The recipe can be applied if the code is 0."""

    code: Literal[0, 1, 2]
    """0: can be crafted. 1: not a recipe. 2: a recipe, but the hand does not have enough."""
    recipe: str | None
    reason: str
    """The error, with amounts; empty for code 0."""
    returns: Written
    """Containers that are returned, whether or not the outputs list them."""


class Mismatch(Struct, frozen=True):
    """An amount of an item that differs from what the recipe needs."""

    words: str
    needed: Fraction
    given: Fraction
    hint: str = ""

    def __str__(self) -> str:
        if not self.needed:
            return f"{self.words} is not used"
        needed = f"{write_amount(self.needed)} {self.words.replace('|', ' or ')}"
        if not self.given:
            return f"{needed} is missing{self.hint}"
        more = self.given - self.needed
        by = f"{write_amount(more)} too many" if more > 0 else f"{write_amount(-more)} too few"
        return f"{needed} is needed and {write_amount(self.given)} is given, {by}{self.hint}"


class PartialBatch(Struct, frozen=True):
    """A fraction of a batch where only whole batches are allowed."""

    recipe: Recipe
    batches: Fraction

    def __str__(self) -> str:
        batch = f"{self.recipe.count} {self.recipe.product}"
        return f"{write_amount(self.batches)} batches of {batch} is not a whole number of them"


class CraftRequest(Struct, frozen=True):
    """A player's request to craft."""

    inputs: Amounts
    outputs: Amounts
    returns: Items
    whole_batches: bool

    def products(self) -> list[str]:
        """The outputs that can be the product. All other outputs must be returned containers in the exact amount."""
        if len(self.outputs) == 1:
            return list(self.outputs)
        return [product for product in self.outputs if all(self._comes_back(product, item) for item in self.outputs)]

    def _comes_back(self, product: str, item: str) -> bool:
        return item == product or self.returns.get(item) == self.outputs[item]


def check(inputs: Amounts, outputs: Amounts, hand: Amounts | None, *, whole_batches: bool = False) -> Verdict:
    """Check that the inputs, all used up, make the outputs by one recipe, and that the hand (if given) has them."""
    wrong = _wrong(inputs, "input") or _wrong(outputs, "output")
    if wrong:
        return Verdict(1, None, wrong, {})
    request = CraftRequest(inputs, outputs, _returned(inputs), whole_batches)
    products = request.products()
    for product in products:
        for recipe in book().makers.get(product, ()):
            if _fits(recipe, inputs) and not _mismatches(recipe, request):
                return _covered(recipe, request, hand)
    return Verdict(1, None, _why_not(request, products), {})


def _wrong(items: Amounts, what: str) -> str:
    """Errors in the items themselves, independent of recipes."""
    if not 0 < len(items) <= MOST_KINDS:
        return f"there is no {what}" if not items else f"{len(items)} items are named, and {MOST_KINDS} may be"
    names = book().items
    for item, amount in items.items():
        if item not in names:
            return _unknown(item)
        if not 0 < amount.numerator <= MOST * amount.denominator or amount.denominator > FINEST:
            return f"{item}: an amount is above 0, {MOST} at most, and its denominator is {FINEST} at most"
    return ""


def _unknown(item: str) -> str:
    tags = book().tags
    if item.startswith("#") and item[1:] in tags:
        return f"{item} is a tag, not an item: name one of {_some(sorted(tags[item[1:]]))}"
    near = sorted(name for name in book().items if item in name or name in item) if len(item) > 2 else []
    return f"there is no item {item[:40]!a}" + (f"; there is {_some(near)}" if near else "")


def _some(words: Iterable[object]) -> str:
    said = list(words)
    rest = len(said) - MOST_LISTED
    return ", ".join(map(str, said[:MOST_LISTED])) + (f" and {rest} more" if rest > 0 else "")


def _returned(inputs: Amounts) -> Items:
    containers = book().containers
    returns: Items = {}
    for item, amount in inputs.items():
        if item in containers:
            empty = containers[item]
            returns[empty] = returns.get(empty, NONE) + amount
    return returns


def _fits(recipe: Recipe, inputs: Amounts) -> bool:
    """Whether all inputs fit the recipe by name. Amounts are not checked, and a slot may still be empty."""
    if recipe.burns:
        fuels = book().fuels
        return all(item in recipe.items or item in fuels for item in inputs)
    return len(inputs) >= len(recipe.slots) and inputs.keys() <= recipe.items


def _mismatches(recipe: Recipe, request: CraftRequest) -> list[Mismatch | PartialBatch]:
    """The differences between the request and the recipe; empty if they match."""
    amount = request.outputs[recipe.product]
    batches = amount / recipe.count if recipe.count > 1 else amount
    mismatches: list[Mismatch | PartialBatch] = []
    if request.whole_batches and batches.denominator > 1:
        mismatches.append(PartialBatch(recipe, batches))
    left = dict(request.inputs)
    heat = NONE
    for slot in recipe.slots:
        given = _taken(slot, left)
        needed = batches * slot.count if slot.count > 1 else batches
        if given != needed:
            own = _burning(recipe, slot) if given > needed else 0
            if own:
                heat += (given - needed) * own
            else:
                mismatches.append(Mismatch(slot.words, needed, given))
    if recipe.burns:
        mismatches += _fuel_mismatch(batches, left, heat)
    mismatches += [Mismatch(item, NONE, amount) for item, amount in left.items()]
    return mismatches


def _taken(slot: Slot, left: Items) -> Fraction:
    """Move everything that fits the slot out of `left`; returns the amount."""
    given = NONE
    for item in [item for item in left if item in slot.items]:
        given = given + left.pop(item) if given else left.pop(item)
    return given


def _burning(recipe: Recipe, slot: Slot) -> int:
    """How long the smelted item itself burns: some logs can become charcoal while the others are the fuel."""
    return book().fuels.get(next(iter(slot.items)), 0) if recipe.burns else 0


def _fuel_mismatch(batches: Fraction, left: Items, heat: Fraction) -> list[Mismatch]:
    """Move all fuel out of `left`; returns the difference from the fuel needed."""
    fuels = book().fuels
    given = [item for item in left if item in fuels]
    for item in given:
        heat += left.pop(item) * fuels[item]
    needed = batches * SMELT
    if heat == needed:
        return []
    fuel = given[0] if len(given) == 1 else "coal"
    return [Mismatch("ticks of fuel", needed, heat, f" ({write_amount(needed / fuels[fuel])} {fuel} burns so long)")]


def _covered(recipe: Recipe, request: CraftRequest, hand: Amounts | None) -> Verdict:
    """The verdict on a valid recipe: does the hand have enough?"""
    returns = written(request.returns)
    if hand is None or all(hand.get(item, 0) >= amount for item, amount in request.inputs.items()):
        return Verdict(0, recipe.name, "", returns)
    needed = {item: amount for item, amount in request.inputs.items() if hand.get(item, 0) < amount}
    said = _some(str(Mismatch(item, amount, hand.get(item, NONE))) for item, amount in needed.items())
    return Verdict(2, recipe.name, f"the hand is too small: {said.replace('is given', 'is held')}", returns)


def _why_not(request: CraftRequest, products: list[str]) -> str:
    """Explain the differences from the most similar recipe."""
    if not products:
        back = _some(f"{write_amount(amount)} {item}" for item, amount in request.returns.items())
        return f"one product at a time, and with it only containers that come back, here {back or 'nothing'}"
    ways = [recipe for product in products for recipe in book().makers.get(product, ())]
    if not ways:
        return f"nothing makes {products[0]}"
    recipe, mismatches = min(
        ((recipe, _mismatches(recipe, request)) for recipe in _nearest(ways, request)), key=lambda way: len(way[1])
    )
    return f"{recipe.name}: {_some(mismatches)}"


def _nearest(ways: list[Recipe], request: CraftRequest) -> list[Recipe]:
    """The recipes whose ingredients are most similar to the inputs, at most MOST_NEAR."""
    if len(ways) == 1:
        return ways
    names = frozenset(request.inputs)
    distances = [_distance(recipe, names) for recipe in ways]
    nearest = min(distances)
    return [recipe for recipe, distance in zip(ways, distances, strict=True) if distance == nearest][:MOST_NEAR]


def _distance(recipe: Recipe, names: frozenset[str]) -> int:
    """The number of missing and extra ingredients."""
    fits = len(recipe.items & names)
    return max(len(recipe.slots) - fits, 0) + len(names) - fits
