"""Texts of seats besides their moves: stderr of programs, and notes. Only the owner of a seat may read them."""

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import Connection, delete, func, insert, select

from parlour.core import Seat
from parlour.protocol.seat_log import SeatNote, SeatStderr, SeatTexts
from parlour.store.schema import accounts, matches, seat_notes, seat_stderr
from parlour.store.transactions import StorePart, writes
from parlour.transports.limits import STDERR_KEPT

SEAT_TEXTS = (seat_stderr, seat_notes)
"""The tables of texts, which are deleted with their match, and with the account."""


class StoredStderr(Struct, frozen=True):
    """The stderr of an account's program in a match."""

    match: str
    seat: Seat
    text: str
    dropped: int
    """How many bytes were not kept."""


class StoredNote(Struct, frozen=True):
    """A note that the program of an account sent with an answer."""

    match: str
    seat: Seat
    frame: int
    ask: int
    text: str


class StoredTexts(StorePart):
    """Access to the texts of seats. They are deleted with their match, and with the account."""

    @writes
    def save(self, connection: Connection, texts: Sequence[SeatTexts]) -> None:
        """Add to what is stored. Texts of deleted accounts and matches are dropped."""
        for each in texts:
            if is_there(connection, each.match, each.account):
                if each.stderr or each.dropped:
                    _add_stderr(connection, each)
                if each.notes:
                    _add_notes(connection, each)

    async def stderr(self, match: str, seat: Seat, account: int | None) -> SeatStderr:
        """Of a seat of this account; None: of a command of the host."""
        query = select(seat_stderr.c.text, seat_stderr.c.dropped).where(
            seat_stderr.c.match == match,
            seat_stderr.c.seat == seat,
            seat_stderr.c.account.is_not_distinct_from(account),
        )
        rows = await self._database.rows(query)
        return SeatStderr(_text(rows[0].text), rows[0].dropped) if rows else SeatStderr("", 0)

    async def notes(self, match: str, seat: Seat, account: int) -> list[SeatNote]:
        s = seat_notes.c
        query = select(s.frame, s.ask, s.text).where(s.match == match, s.seat == seat, s.account == account)
        rows = await self._database.rows(query.order_by(s.n))
        return [SeatNote(frame, ask, _text(text)) for frame, ask, text in rows]

    async def of(self, account: int) -> tuple[list[StoredStderr], list[StoredNote]]:
        """Everything that programs of an account wrote."""
        e, s = seat_stderr.c, seat_notes.c
        written = select(e.match, e.seat, e.text, e.dropped).where(e.account == account).order_by(e.match, e.seat)
        noted = select(s.match, s.seat, s.frame, s.ask, s.text).where(s.account == account)
        errors = await self._database.rows(written)
        notes = await self._database.rows(noted.order_by(s.match, s.seat, s.n))
        return (
            [StoredStderr(match, seat, _text(text), dropped) for match, seat, text, dropped in errors],
            [StoredNote(match, seat, frame, ask, _text(text)) for match, seat, frame, ask, text in notes],
        )


def is_there(connection: Connection, match: str, account: int | None) -> bool:
    """Whether neither the match nor the account is deleted. None: no account is needed."""
    if connection.scalar(select(matches.c.id).where(matches.c.id == match)) is None:
        return False
    state = connection.scalar(select(accounts.c.state).where(accounts.c.id == account))
    return account is None or state not in (None, "deleted")


def _add_stderr(connection: Connection, texts: SeatTexts) -> None:
    same = (seat_stderr.c.match == texts.match, seat_stderr.c.seat == texts.seat)
    before = connection.execute(select(seat_stderr.c.text, seat_stderr.c.dropped).where(*same)).first()
    text = (b"" if before is None else bytes(before.text)) + texts.stderr
    kept = text if len(text) <= STDERR_KEPT else text[:STDERR_KEPT].decode("utf-8", "ignore").encode()
    dropped = (0 if before is None else before.dropped) + texts.dropped + len(text) - len(kept)
    connection.execute(delete(seat_stderr).where(*same))
    row = {"match": texts.match, "seat": texts.seat, "account": texts.account, "text": kept, "dropped": dropped}
    connection.execute(insert(seat_stderr), row)


def _add_notes(connection: Connection, texts: SeatTexts) -> None:
    s = seat_notes.c
    last = connection.scalar(select(func.max(s.n)).where(s.match == texts.match, s.seat == texts.seat))
    own = {"match": texts.match, "seat": texts.seat, "account": texts.account}
    first = 0 if last is None else last + 1
    rows = [
        {**own, "n": n, "frame": note.frame, "ask": note.ask, "text": note.text.encode("utf-8", "replace")}
        for n, note in enumerate(texts.notes, start=first)
    ]
    connection.execute(insert(seat_notes), rows)


def _text(raw: bytes) -> str:
    return bytes(raw).decode("utf-8", "replace")
