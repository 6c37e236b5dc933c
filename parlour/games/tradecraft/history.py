"""What somebody was told, as much of it as is kept: old news make way for new ones."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias, cast

import msgspec
from msgspec import Struct

from parlour.core import Event
from parlour.games.tradecraft.values import Happening

MOST_BYTES = 24_000
"""How long a history is, as JSON. It goes out with every ask, and nobody shall be able to drown another with it."""

encode = msgspec.json.Encoder().encode


class Note(Struct, frozen=True):
    """Something that was told, and how long it is."""

    event: Happening
    size: int


Notes: TypeAlias = tuple[Note, ...]


def noted(events: Iterable[Event]) -> Notes:
    return tuple([Note(cast(Happening, event), len(encode(event)) + 1) for event in events])


def newest(notes: Sequence[Note]) -> Notes:
    """The last of them, as many as may be kept."""
    room, start = MOST_BYTES, len(notes)
    while start and notes[start - 1].size <= room:
        start -= 1
        room -= notes[start].size
    return tuple(notes[start:])
