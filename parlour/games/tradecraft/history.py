"""The events that a seat has seen, limited in size: the oldest are dropped."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias, cast

import msgspec
from msgspec import Struct

from parlour.core import Event
from parlour.games.tradecraft.values import Happening

MOST_BYTES = 24_000
"""Size limit of a history as JSON. It is sent with every ask, and no player may flood another with it."""

encode = msgspec.json.Encoder().encode


class Note(Struct, frozen=True):
    """An event, and its size as JSON."""

    event: Happening
    size: int


Notes: TypeAlias = tuple[Note, ...]


def noted(events: Iterable[Event]) -> Notes:
    return tuple([Note(cast(Happening, event), len(encode(event)) + 1) for event in events])


def newest(notes: Sequence[Note]) -> Notes:
    """The last notes, as many as fit."""
    room, start = MOST_BYTES, len(notes)
    while start and notes[start - 1].size <= room:
        start -= 1
        room -= notes[start].size
    return tuple(notes[start:])
