"""What every value of ours is, and the few that even a dialect needs."""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

Seat: TypeAlias = int
"""A place at the table, counted from 0."""


class Value(Struct, frozen=True, tag=True, forbid_unknown_fields=True, gc=False):
    """A small frozen thing that crosses the wire as JSON, its class name under "type"."""


MOST_NAME = 64
MOST_WORDS = 300
# No control characters, and none that turn or break the line; and no newline before the end, which $ would let pass.
Name: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MOST_NAME,
        pattern=r"^[^\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]*$(?!\n)",
    ),
]
Word: TypeAlias = Annotated[str, Meta(max_length=32, pattern=r"^[ -~]*$(?!\n)")]
Salt: TypeAlias = Annotated[str, Meta(max_length=128)]


def any_of(types: Iterable[Any]) -> Any:
    """The union of types that are only known when the program runs."""
    return reduce(or_, types)


def plain(text: str, most: int = MOST_WORDS) -> str:
    """Somebody's words, fit to be shown: short, and nothing in them that a terminal would obey."""
    return "".join(c if c.isprintable() else "?" for c in text[:most])


class Sitting(Value, frozen=True):
    """Who sits down: a name, a salt for the dice, and what the game may want to know of them."""

    name: Name
    salt: Salt = ""
    about: dict[str, int | str] = {}
