"""A receipt: what a player did and was told in one match, written down by the player's own side.

It is a text file with a JSON object a line, only ever added to. A line that was cut in the middle by a crash is the
last one, and is left out.
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
    """What the server committed to, and the salt that we gave for it."""

    receipt: Literal[1]
    """The version of this form."""
    url: str
    server: str
    game: str
    version: int
    commit: str
    salt: str = ""


class SeatEntry(Entry, frozen=True, tag="seat"):
    """We were told our seat: the match begins, or we have come back to it."""

    match: str
    seat: Seat
    players: tuple[str, ...]
    header: str
    returned: bool = False
    """Whether the match had begun before this connection; something may then have happened without our knowing."""


class AnswerEntry(Entry, frozen=True, tag="answer"):
    """Our answer to an ask, written down before it was sent for the first time."""

    id: int
    action: Raw
    behind: bool = False
    """Whether we knew already that this ask was closed: another one had come, or the answer was told to be late."""


class FaultEntry(Entry, frozen=True, tag="fault"):
    """We were told that something of ours was not taken."""

    id: int
    fault: str
    code: str


class OverEntry(Entry, frozen=True, tag="over"):
    """We were told the end."""

    end: Result | Void
    head: str
    signature: str | None = None
    public_key: str | None = None
    returned: bool = False
    """Whether we heard of it over a new connection, after the match had ended."""

    @property
    def signed(self) -> Signature | None:
        if self.signature is None or self.public_key is None:
            return None
        return Signature(self.signature, self.public_key)


AnyEntry: TypeAlias = HelloEntry | SeatEntry | AnswerEntry | FaultEntry | OverEntry
_read: "msgspec.json.Decoder[AnyEntry]" = msgspec.json.Decoder(AnyEntry)


class BadReceipt(ValueError):
    """Not a receipt, or one of several matches; `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")


class Receipt:
    """All entries of one match, in order."""

    def __init__(self, entries: Sequence[AnyEntry]) -> None:
        self.entries = entries
        self.hellos = [entry for entry in entries if isinstance(entry, HelloEntry)]
        self.seats = [entry for entry in entries if isinstance(entry, SeatEntry)]
        self.overs = [entry for entry in entries if isinstance(entry, OverEntry)]

    @property
    def place(self) -> SeatEntry | None:
        """Match, seat and header; None: no match has begun yet."""
        return self.seats[0] if self.seats else None

    @property
    def over(self) -> OverEntry | None:
        return self.overs[-1] if self.overs else None

    def salts(self, commit: str) -> list[str]:
        """All that were given for this commitment."""
        return [hello.salt for hello in self.hellos if hello.commit == commit and hello.salt]


def whole(data: bytes) -> bytes:
    """A receipt without a last line that was cut."""
    return data[: data.rfind(b"\n") + 1]


def written(entry: AnyEntry) -> bytes:
    """An entry as a line of the file."""
    return encode(entry) + b"\n"


def read_receipt(data: bytes) -> Receipt:
    """BadReceipt, if it is none."""
    entries: list[AnyEntry] = []
    place: SeatEntry | None = None
    for number, raw in enumerate(whole(data).split(b"\n")[:-1], start=1):
        entry = _entry(raw, number)
        if isinstance(entry, SeatEntry):
            place = place or entry
            if _names(entry) != _names(place):
                raise BadReceipt(number, f"is of match {entry.match}, and those before are of match {place.match}")
        elif place is None and not isinstance(entry, HelloEntry):
            raise BadReceipt(number, "stands before any seat")
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
        raise BadReceipt(number, f"is no line of a receipt: {e}") from None
