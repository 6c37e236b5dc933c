"""Whether something can be crafted: by one recipe, with nothing left over, out of what is held; and if not, why not."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from msgspec import Struct

from parlour.core import Value
from parlour.games.tradecraft.amounts import FINEST, MOST, MOST_KINDS, Items, Written, write_amount, written
from parlour.games.tradecraft.recipes import SMELT, Recipe, Slot, book

Amounts: TypeAlias = Mapping[str, Fraction]

MOST_SAID = 4
"""So many things that are off are told, and the rest is counted."""
MOST_NEAR = 3
"""So many recipes are looked at more closely for what is off."""
NONE = Fraction(0)


class Verdict(Value, frozen=True):
    """Whether something can be crafted. Only of code 0 can it be."""

    code: Literal[0, 1, 2]
    """0: yes. 1: it is no recipe. 2: it is one, but the hand is too small for it."""
    recipe: str | None
    reason: str
    """What is off and by how much; nothing, if nothing is."""
    returns: Written
    """Containers that come back when it is crafted, listed or not."""


class Off(Struct, frozen=True):
    """Something that keeps a message from being a recipe, and how far it is from it."""

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


class Broken(Struct, frozen=True):
    """A part of a batch where only whole ones count."""

    recipe: Recipe
    batches: Fraction

    def __str__(self) -> str:
        batch = f"{self.recipe.count} {self.recipe.product}"
        return f"{write_amount(self.batches)} batches of {batch} is not a whole number of them"


class Message(Struct, frozen=True):
    """What somebody wants to make of what."""

    inputs: Amounts
    outputs: Amounts
    returns: Items
    whole_batches: bool

    def products(self) -> list[str]:
        """The outputs that can be the product, all others being containers in the amount that comes back."""
        if len(self.outputs) == 1:
            return list(self.outputs)
        return [product for product in self.outputs if all(self._comes_back(product, item) for item in self.outputs)]

    def _comes_back(self, product: str, item: str) -> bool:
        return item == product or self.returns.get(item) == self.outputs[item]


def check(inputs: Amounts, outputs: Amounts, hand: Amounts | None, *, whole_batches: bool = False) -> Verdict:
    """Whether the inputs, used up exactly, make the outputs by one recipe; and whether the hand, if given, has them."""
    wrong = _wrong(inputs, "input") or _wrong(outputs, "output")
    if wrong:
        return Verdict(1, None, wrong, {})
    message = Message(inputs, outputs, _returned(inputs), whole_batches)
    products = message.products()
    for product in products:
        for recipe in book().makers.get(product, ()):
            if _fits(recipe, inputs) and not _off(recipe, message):
                return _covered(recipe, message, hand)
    return Verdict(1, None, _why_not(message, products), {})


def _wrong(items: Amounts, what: str) -> str:
    """What is wrong with items before any recipe is looked at."""
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
    rest = len(said) - MOST_SAID
    return ", ".join(map(str, said[:MOST_SAID])) + (f" and {rest} more" if rest > 0 else "")


def _returned(inputs: Amounts) -> Items:
    containers = book().containers
    returns: Items = {}
    for item, amount in inputs.items():
        if item in containers:
            empty = containers[item]
            returns[empty] = returns.get(empty, NONE) + amount
    return returns


def _fits(recipe: Recipe, inputs: Amounts) -> bool:
    """Whether the inputs could be those of the recipe, to judge by their names; a slot may still be empty."""
    if recipe.burns:
        fuels = book().fuels
        return all(item in recipe.items or item in fuels for item in inputs)
    return len(inputs) >= len(recipe.slots) and inputs.keys() <= recipe.items


def _off(recipe: Recipe, message: Message) -> list[Off | Broken]:
    """What keeps the inputs from making that much, nothing left over; nothing, if they do."""
    amount = message.outputs[recipe.product]
    batches = amount / recipe.count if recipe.count > 1 else amount
    off: list[Off | Broken] = []
    if message.whole_batches and batches.denominator > 1:
        off.append(Broken(recipe, batches))
    left = dict(message.inputs)
    heat = NONE
    for slot in recipe.slots:
        given = _taken(slot, left)
        needed = batches * slot.count if slot.count > 1 else batches
        if given != needed:
            own = _burning(recipe, slot) if given > needed else 0
            if own:
                heat += (given - needed) * own
            else:
                off.append(Off(slot.words, needed, given))
    if recipe.burns:
        off += _fuel_off(batches, left, heat)
    off += [Off(item, NONE, amount) for item, amount in left.items()]
    return off


def _taken(slot: Slot, left: Items) -> Fraction:
    """All that fits into the slot, taken out of what is left."""
    given = NONE
    for item in [item for item in left if item in slot.items]:
        given = given + left.pop(item) if given else left.pop(item)
    return given


def _burning(recipe: Recipe, slot: Slot) -> int:
    """How long a thing burns that is smelted: of logs some may become charcoal, and the others be its fuel."""
    return book().fuels.get(next(iter(slot.items)), 0) if recipe.burns else 0


def _fuel_off(batches: Fraction, left: Items, heat: Fraction) -> list[Off]:
    """What is wrong with the fuel, which is taken out of what is left."""
    fuels = book().fuels
    given = [item for item in left if item in fuels]
    for item in given:
        heat += left.pop(item) * fuels[item]
    needed = batches * SMELT
    if heat == needed:
        return []
    fuel = given[0] if len(given) == 1 else "coal"
    return [Off("ticks of fuel", needed, heat, f" ({write_amount(needed / fuels[fuel])} {fuel} burns so long)")]


def _covered(recipe: Recipe, message: Message, hand: Amounts | None) -> Verdict:
    """It is a recipe. Is there enough of everything?"""
    returns = written(message.returns)
    if hand is None or all(hand.get(item, 0) >= amount for item, amount in message.inputs.items()):
        return Verdict(0, recipe.name, "", returns)
    needed = {item: amount for item, amount in message.inputs.items() if hand.get(item, 0) < amount}
    said = _some(str(Off(item, amount, hand.get(item, NONE))) for item, amount in needed.items())
    return Verdict(2, recipe.name, f"the hand is too small: {said.replace('is given', 'is held')}", returns)


def _why_not(message: Message, products: list[str]) -> str:
    """What is off with the recipe that comes nearest."""
    if not products:
        back = _some(f"{write_amount(amount)} {item}" for item, amount in message.returns.items())
        return f"one product at a time, and with it only containers that come back, here {back or 'nothing'}"
    ways = [recipe for product in products for recipe in book().makers.get(product, ())]
    if not ways:
        return f"nothing makes {products[0]}"
    recipe, off = min(
        ((recipe, _off(recipe, message)) for recipe in _nearest(ways, message)), key=lambda way: len(way[1])
    )
    return f"{recipe.name}: {_some(off)}"


def _nearest(ways: list[Recipe], message: Message) -> list[Recipe]:
    """Those that have the most names in common with what is given; a few of them, if they are many."""
    if len(ways) == 1:
        return ways
    names = frozenset(message.inputs)
    distances = [_distance(recipe, names) for recipe in ways]
    nearest = min(distances)
    return [recipe for recipe, distance in zip(ways, distances, strict=True) if distance == nearest][:MOST_NEAR]


def _distance(recipe: Recipe, names: frozenset[str]) -> int:
    """How many names are missing or too many."""
    fits = len(recipe.items & names)
    return max(len(recipe.slots) - fits, 0) + len(names) - fits
