"""The fingerprint of a transcript identifies its match: name, hashes, commitment and salts."""

from collections.abc import Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from parlour.core import Join, Result, Void
from parlour.referee.transcript import AnyRecord, End, Header, Line, read_record


class SaltedPlayer(Struct, frozen=True):
    """The player at a seat, and its salt."""

    name: str
    salt: str


class Fingerprint(Struct, frozen=True):
    """The facts about a match that its players were told, as its transcript has them."""

    match: str
    game: str
    version: int
    commit: str
    header: str
    """SHA-256 of the first line."""
    head: str | None
    """SHA-256 of the end line; None if the transcript has none."""
    players: tuple[SaltedPlayer, ...]
    """By seat; players who joined later come last."""
    end: Result | Void | None


def fingerprint_of(lines: Sequence[bytes]) -> Fingerprint:
    """Read the fingerprint from the lines of a transcript; BadTranscript if a line is not a record."""
    records = [read_record(raw, number) for number, raw in enumerate(lines, start=1)]
    header = records[0]
    assert isinstance(header, Header)
    ended = [(raw, record.end) for raw, record in zip(lines, records, strict=True) if isinstance(record, End)]
    players = [SaltedPlayer(player.name, player.salt) for player in header.players]
    return Fingerprint(
        header.match,
        header.game,
        header.version,
        header.commit,
        sha256(lines[0]).hexdigest(),
        sha256(ended[-1][0]).hexdigest() if ended else None,
        (*players, *(player for record in records if (player := joined(record)) is not None)),
        ended[-1][1] if ended else None,
    )


class _TableAct(Struct):
    """The fields of a Join, read from any act of the table."""

    type: str = ""
    name: str = ""
    salt: str = ""


_table_act = msgspec.json.Decoder(_TableAct)


def joined(record: AnyRecord) -> SaltedPlayer | None:
    """The player that a record adds, if any. The record may be forged, or of rules that this release lacks."""
    if not isinstance(record, Line) or record.by is not None or record.fault is not None:
        return None
    try:
        act = _table_act.decode(record.do)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return SaltedPlayer(act.name, act.salt) if act.type == Join.__name__ else None


class Expected(Struct, frozen=True):
    """Parts of the fingerprint of a match that a player has kept. None and empty fields are not compared."""

    commit: str | None = None
    header: str | None = None
    head: str | None = None
    salts: tuple[tuple[int | None, str], ...] = ()
    """The salts, each with its seat if that is known."""


def differences(fingerprint: Fingerprint, expected: Expected) -> list[str]:
    """Describe what differs from the expected fingerprint."""
    found = [
        f"{name} is {actual}, not {wanted}"
        for name, actual, wanted in [
            ("the commitment", fingerprint.commit, expected.commit),
            ("the header hash", fingerprint.header, expected.header),
            ("the head", fingerprint.head, expected.head),
        ]
        if None not in (actual, wanted) and actual != wanted
    ]
    return found + _missing_salts(fingerprint, expected.salts)


def not_compared(fingerprint: Fingerprint, expected: Expected) -> list[str]:
    """Describe the expected parts that cannot be compared yet."""
    no_end = expected.head is not None and fingerprint.head is None
    return ["the head cannot be compared: the transcript has no end"] if no_end else []


def _missing_salts(fingerprint: Fingerprint, salts: Sequence[tuple[int | None, str]]) -> list[str]:
    """Describe the salts that no seat has. Two equal salts without a seat need two seats."""
    left, found = dict(enumerate(player.salt for player in fingerprint.players)), []
    for seat, salt in sorted(salts, key=lambda given: given[0] is None):
        has = next((n for n, other in left.items() if other == salt and seat in (None, n)), None)
        if has is not None:
            del left[has]
        elif seat is None:
            found.append(f"no seat has the salt {salt!r}")
        elif seat < len(fingerprint.players):
            found.append(f"the salt of seat {seat} is {fingerprint.players[seat].salt!r}, not {salt!r}")
        else:
            found.append(f"there is no seat {seat}, which should have the salt {salt!r}")
    return found
