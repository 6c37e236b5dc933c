"""Amounts of items: exact fractions inside, whole numbers and "n/d" outside, and every form that players may write."""

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, TypeAlias

from msgspec import Meta

Items: TypeAlias = dict[str, Fraction]
"""How much there is of each item, inside the rules."""

Amount: TypeAlias = int | Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,3999}/[1-9][0-9]{0,3999}$(?!\n)")]
"""How an amount crosses the wire and lies in a record: a whole number, or "n/d" in lowest terms. Never a float."""

Written: TypeAlias = dict[str, Amount]
"""Items as they cross the wire."""

MOST = 10**9
"""No amount that anybody names is larger."""
FINEST = 10**6
"""No denominator that anybody names is larger; so a hand's fractions stay short, however much is crafted."""
SNAP = 10_000
"""A float stands for the nearest fraction with at most this denominator."""
MOST_KINDS = 100
"""As many different items may be named at once."""
PREFIX = "minecraft:"

_FRACTION = re.compile(r"([0-9]{1,16})(?:/([0-9]{1,16}))?")
_NAME = re.compile(r"#?[a-z0-9_]{1,64}")


def read_amount(value: object) -> Fraction:
    """An amount from an int, a float, [n, d], {"n": n, "d": d}, "n/d" or "n"; ValueError if it is none.

    A float stands for the nearest fraction with a small denominator.
    """
    match value:
        case bool():
            raise ValueError("true and false are no amounts")
        case int():
            return _bounded(value, 1)
        case float():
            return _snapped(value)
        case [int() as n, int() as d] if type(n) is type(d) is int:
            return _bounded(n, d)
        case {"n": int() as n, "d": int() as d, **rest} if type(n) is type(d) is int and not rest:
            return _bounded(n, d)
        case str() if found := _FRACTION.fullmatch(value):
            return _bounded(int(found[1]), int(found[2] or 1))
    raise ValueError(f'{_short(value)} is no amount: write 3, 0.5, "1/2", [1, 2] or {{"n": 1, "d": 2}}')


def _bounded(n: int, d: int) -> Fraction:
    """The bounds come first: nobody computes or prints with numbers of a thousand digits."""
    if d == 0:
        raise ValueError("an amount cannot have the denominator 0")
    if n <= 0 or d < 0:
        raise ValueError("an amount must be above 0")
    if d > FINEST:
        raise ValueError(f"an amount is too fine: its denominator may be {FINEST} at most")
    if n > MOST * d:
        raise ValueError(f"an amount may be {MOST} at most")
    return Fraction(n, d)


def _snapped(value: float) -> Fraction:
    if not math.isfinite(value):
        raise ValueError("an amount must be a finite number")
    if value > MOST:
        raise ValueError(f"an amount may be {MOST} at most")
    snapped = Fraction(value).limit_denominator(SNAP)
    if snapped <= 0:
        raise ValueError("an amount must be above 0" if value <= 0 else f"an amount must be 1/{SNAP} at least")
    return snapped


def read_item(name: object) -> str:
    """An item's name without the prefix; ValueError if it cannot be one. A tag's name passes, but names no item."""
    if not isinstance(name, str):
        raise ValueError(f"{_short(name)} is no item: give a name")
    bare = name.removeprefix(PREFIX)
    if not _NAME.fullmatch(bare):
        raise ValueError(f"{_short(name)} is no item: a name has small letters, digits and _, 64 of them at most")
    return bare


def read_items(value: object) -> Items:
    """Items from an object of names and amounts; ValueError says which part of it cannot be read."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{_short(value)} is not an object of items and amounts")
    if len(value) > MOST_KINDS:
        raise ValueError(f"there are {len(value)} items, and {MOST_KINDS} may be named at once")
    items: Items = {}
    for said, amount in value.items():
        name = read_item(said)
        if name in items:
            raise ValueError(f"{name} is named twice")
        try:
            items[name] = read_amount(amount)
        except ValueError as e:
            raise ValueError(f"{name}: {e}") from None
    return items


def write_amount(amount: Fraction) -> Amount:
    """A whole number, or "n/d"."""
    return amount.numerator if amount.denominator == 1 else f"{amount.numerator}/{amount.denominator}"


def written(items: Mapping[str, Fraction]) -> Written:
    return {name: write_amount(amount) for name, amount in items.items()}


def unwritten(items: Mapping[str, Amount]) -> Items:
    """What was written, read back."""
    return {name: _unwritten(amount) for name, amount in items.items()}


def _unwritten(amount: Amount) -> Fraction:
    if isinstance(amount, int):
        return Fraction(amount)
    n, _, d = amount.partition("/")
    return Fraction(int(n), int(d))


def _short(value: object) -> str:
    """What was said, fit for one line; a long number is not even printed."""
    if isinstance(value, int) and abs(value) > MOST:
        return "a very large number"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    return ascii(value[:40] if isinstance(value, str) else value)[:60]
