"""Amounts of items: exact fractions in the rules, whole numbers and "n/d" on the wire, and what players may write."""

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, TypeAlias

from msgspec import Meta

Items: TypeAlias = dict[str, Fraction]
"""Amounts by item, as the rules use them."""

Amount: TypeAlias = int | Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,3999}/[1-9][0-9]{0,3999}$(?!\n)")]
"""An amount on the wire and in transcripts: a whole number, or "n/d" in lowest terms. Never a float."""

Written: TypeAlias = dict[str, Amount]
"""Items as they are on the wire."""

MOST = 10**9
"""The largest amount in a message."""
FINEST = 10**6
"""The largest denominator in a message. It keeps the fractions of a hand short, however much is crafted."""
SNAP = 10_000
"""A float is read as the nearest fraction with at most this denominator."""
MOST_KINDS = 100
"""The most different items in one message."""
PREFIX = "minecraft:"

_FRACTION = re.compile(r"([0-9]{1,16})(?:/([0-9]{1,16}))?")
_NAME = re.compile(r"#?[a-z0-9_]{1,64}")


def read_amount(value: object) -> Fraction:
    """Read an amount from an int, a float, [n, d], {"n": n, "d": d}, "n/d" or "n"; raises ValueError."""
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
    """Check the bounds before anything is computed or printed: the numbers may have a thousand digits."""
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
    """An item's name without the prefix; raises ValueError. Also accepts `#tag`, which is never an item."""
    if not isinstance(name, str):
        raise ValueError(f"{_short(name)} is no item: give a name")
    bare = name.removeprefix(PREFIX)
    if not _NAME.fullmatch(bare):
        raise ValueError(f"{_short(name)} is no item: a name has small letters, digits and _, 64 of them at most")
    return bare


def read_items(value: object) -> Items:
    """Read items from an object of names and amounts; the ValueError names the unreadable part."""
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
    """Items in their wire form."""
    return {name: write_amount(amount) for name, amount in items.items()}


def unwritten(items: Mapping[str, Amount]) -> Items:
    """The opposite of `written`."""
    return {name: _unwritten(amount) for name, amount in items.items()}


def _unwritten(amount: Amount) -> Fraction:
    if isinstance(amount, int):
        return Fraction(amount)
    n, _, d = amount.partition("/")
    return Fraction(int(n), int(d))


def _short(value: object) -> str:
    """The value as text that fits on one line. Large numbers are not converted to text."""
    if isinstance(value, int) and abs(value) > MOST:
        return "a very large number"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    return ascii(value[:40] if isinstance(value, str) else value)[:60]
