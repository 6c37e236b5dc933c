"""What every value of ours is, and the few that even a dialect needs."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

Seat: TypeAlias = int
"""A place at the table, counted from 0."""


class Value(Struct, frozen=True, tag=True, forbid_unknown_fields=True, gc=False):
    """A small frozen thing that crosses the wire as JSON, its class name under "type"."""


Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$")]
Salt: TypeAlias = Annotated[str, Meta(max_length=128)]


class Sitting(Value, frozen=True):
    """Who sits down: a name, a salt for the dice, and what the game may want to know of them."""

    name: Name
    salt: Salt = ""
    about: dict[str, int | str] = {}
