"""A receipt: what a player sent and was told in one match, recorded by the client.

It is an append-only text file with one JSON object per line. A last line that a crash cut off is ignored.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Raw, Struct

from parlour.core import Result, Seat, Signature, Void
from parlour.referee.transcript import encode


class Entry(Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """One line of a receipt."""


class HelloEntry(Entry, frozen=True, tag="hello", kw_only=True):
    """The server's commitment, and the salt that we gave."""

    receipt: Literal[1]
    """The version of the file format."""
    url: str
    server: str
    game: str
    version: int
    commit: str
    salt: str = ""


class SeatEntry(Entry, frozen=True, tag="seat"):
    """We got our seat: the match began, or we resumed it."""

    match: str
    seat: Seat
    players: tuple[str, ...]
    header: str
    returned: bool = False
    """Whether the match had begun before this connection, so that we may have missed something."""


class AnswerEntry(Entry, frozen=True, tag="answer"):
    """Our answer to an ask, written before it was first sent."""

    id: int
    action: Raw
    behind: bool = False
    """Whether we already knew that this ask was closed: a newer ask had come, or we were told that we were late."""


class FaultEntry(Entry, frozen=True, tag="fault"):
    """The server refused something we sent."""

    id: int
    fault: str
    code: str


class OverEntry(Entry, frozen=True, tag="over"):
    """The match ended."""

    end: Result | Void
    head: str
    signature: str | None = None
    public_key: str | None = None
    returned: bool = False
    """Whether we were told over a new connection, after the match had ended."""

    @property
    def signed(self) -> Signature | None:
        if self.signature is None or self.public_key is None:
            return None
        return Signature(self.signature, self.public_key)


AnyEntry: TypeAlias = HelloEntry | SeatEntry | AnswerEntry | FaultEntry | OverEntry
_read: "msgspec.json.Decoder[AnyEntry]" = msgspec.json.Decoder(AnyEntry)


class BadReceipt(ValueError):
    """Not a receipt, or a file with several matches. Lines count from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")


class Receipt:
    """All entries of one match, in order."""

    def __init__(self, entries: Sequence[AnyEntry]) -> None:
        self.entries = entries
        self.hellos = [entry for entry in entries if isinstance(entry, HelloEntry)]
        self.seats = [entry for entry in entries if isinstance(entry, SeatEntry)]
        self.place = next((seat for seat in self.seats if _names(seat) == _names(self.seats[-1])), None)
        """Match, seat and header; None if no match has begun."""
        overs = [entry for entry in entries if isinstance(entry, OverEntry)]
        self.over = overs[-1] if overs else None

    def salts(self, commit: str) -> list[str]:
        """All salts given for this commitment."""
        return [hello.salt for hello in self.hellos if hello.commit == commit and hello.salt]


def whole(data: bytes) -> bytes:
    """A receipt without an incomplete last line."""
    return data[: data.rfind(b"\n") + 1]


def written(entry: AnyEntry) -> bytes:
    """An entry as a line of the file."""
    return encode(entry) + b"\n"


def read_receipt(data: bytes) -> Receipt:
    """Read a receipt, or raise BadReceipt."""
    entries: list[AnyEntry] = []
    place: SeatEntry | None = None
    is_played = False
    for number, raw in enumerate(whole(data).split(b"\n")[:-1], start=1):
        entry = _entry(raw, number)
        if isinstance(entry, SeatEntry):
            may_differ = not is_played and not entry.returned  # the match could not begin with the first players
            place = place or entry
            if _names(entry) != _names(place) and not (may_differ and entry.match == place.match):
                raise BadReceipt(number, f"is of match {entry.match}, but earlier lines are of match {place.match}")
            place = entry
        elif not isinstance(entry, HelloEntry):
            if place is None:
                raise BadReceipt(number, "comes before the first seat")
            is_played = True
        entries.append(entry)
    if not entries:
        raise BadReceipt(1, "the file is empty")
    return Receipt(entries)


def _names(entry: SeatEntry) -> tuple[Any, ...]:
    return entry.match, entry.seat, entry.header


def _entry(raw: bytes, number: int) -> AnyEntry:
    try:
        return _read.decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError) as e:
        raise BadReceipt(number, f"is not a line of a receipt: {e}") from None
