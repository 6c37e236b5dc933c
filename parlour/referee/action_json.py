"""Read and write the actions of seats and the acts of the table as JSON."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Raw

from parlour.core import Close, IllegalAction, Join, Leave, Stop, Table
from parlour.core.values import any_of
from parlour.referee.transcript import NOTHING, encode


def checked_act(act: Table) -> Table:
    """Refuse an act that could not be read back from the transcript."""
    try:
        checked: Table = decoder((Join, Leave, Close, Stop)).decode(encode(act))
    except (msgspec.MsgspecError, TypeError, ValueError) as e:
        raise IllegalAction("bad_act", f"not an act of the table: {e}") from None
    return checked


def written(do: Any) -> Raw:
    """The JSON of an action in its line; empty if there is no action, or it cannot be encoded."""
    try:
        return NOTHING if do is None else Raw(encode(do))
    except TypeError:
        return NOTHING


@cache
def decoder(types: tuple[type[Any], ...]) -> "msgspec.json.Decoder[Any]":
    """Cached, because making a decoder takes longer than a move."""
    return msgspec.json.Decoder(any_of(types))
