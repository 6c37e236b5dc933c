"""Chat messages of tables, and reports about them. Transcripts never have any of it."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from parlour.core import Seat
from parlour.protocol.feed import FeedChat
from parlour.protocol.records import now_ms
from parlour.store.schema import accounts, chat, chat_reports, matches
from parlour.store.transactions import StorePart, reads, writes

AROUND = 3
"""How many messages before and after a reported one are shown with it."""
AT_ONCE = 500
"""How many old messages are deleted in one transaction; other writers run between them."""


class ChatMessage(Struct, frozen=True):
    """A chat message."""

    n: int
    """Messages are numbered in the order in which they were written. A table's numbers have gaps."""
    ms: int
    """When it was written, in milliseconds since 1970."""
    seat: int
    name: str
    text: str


class ChatReport(Struct, frozen=True):
    """A report about a chat message, as administrators see it."""

    id: int
    match: str
    game: str
    message: ChatMessage
    account: int
    """The account that wrote the message."""
    reporter: str
    reporter_account: int
    why: str
    ms: int
    around: tuple[ChatMessage, ...]
    """The message, with up to three before and after it."""


class OwnMessage(Struct, frozen=True):
    """A chat message that the account wrote."""

    match: str
    n: int
    seat: Seat
    name: str
    text: str
    created_ms: int


class OwnReport(Struct, frozen=True):
    """A report that the account made."""

    match: str
    n: int
    """The reported message."""
    why: str
    created_ms: int


class ChatMessages(StorePart):
    """All access to chat messages and reports."""

    @writes
    def add(
        self, connection: Connection, match: str, account: int, seat: Seat, name: str, text: str, most: int
    ) -> FeedChat | None:
        """Add a message; None if the match has `most` already, or the account has just been deleted."""
        count = select(func.count()).select_from(chat).where(chat.c.match == match)
        if _is_deleted(connection, account) or (connection.scalar(count) or 0) >= most:
            return None
        told_ms = now_ms()
        row = {"match": match, "account": account, "seat": seat, "name": name, "text": text, "created_ms": told_ms}
        n: int = connection.execute(insert(chat).returning(chat.c.n), row).scalar_one()
        return FeedChat(n, told_ms, seat, name, text)

    async def of_match(self, match: str, after: int, limit: int) -> list[FeedChat]:
        """The newest messages of a match with a number above `after`, in order."""
        query = select(*_TOLD).where(chat.c.match == match, chat.c.n > after).order_by(chat.c.n.desc()).limit(limit)
        return [FeedChat(*row) for row in await self._database.rows(query)][::-1]

    async def writer(self, match: str, n: int) -> int | None:
        """The account that wrote a message; None if the match has no message of that number."""
        rows = await self._database.values(select(chat.c.account).where(chat.c.match == match, chat.c.n == n))
        return rows[0] if rows else None

    async def report(self, n: int, reporter: int, why: str) -> bool:
        """Add a report; False if this account has reported the message before, or the message is deleted."""
        try:
            return await self._report(n, reporter, why)
        except IntegrityError:  # the same report came twice at once, or the message was deleted at this moment
            return False

    @writes
    def _report(self, connection: Connection, n: int, reporter: int, why: str) -> bool:
        r = chat_reports.c
        if connection.scalar(select(chat.c.n).where(chat.c.n == n)) is None or _is_deleted(connection, reporter):
            return False
        if connection.scalar(select(r.id).where(r.n == n, r.reporter == reporter)) is not None:
            return False
        row = {"n": n, "reporter": reporter, "why": why, "created_ms": now_ms()}
        connection.execute(insert(chat_reports), row)
        return True

    @reads
    def reports(self, connection: Connection, after: int, limit: int) -> list[ChatReport]:
        """The oldest reports with an id above `after`, in order."""
        r, c = chat_reports.c, chat.c
        columns = (r.id, c.match, matches.c.game, c.n, c.account, accounts.c.name, r.reporter, r.why, r.created_ms)
        query: Any = select(*columns).join_from(chat_reports, chat, r.n == c.n).join(matches, matches.c.id == c.match)
        query = query.join(accounts, accounts.c.id == r.reporter).where(r.id > after).order_by(r.id).limit(limit)
        found = []
        for id, match, game, n, account, name, reporter, why, ms in connection.execute(query):
            before, later = _around(connection, match, n)
            around = (*before, *later)
            found.append(ChatReport(id, match, game, before[-1], account, name, reporter, why, ms, around))
        return found

    @writes
    def drop_report(self, connection: Connection, id: int) -> bool:
        """Delete a report, but not its message; False if there is none."""
        return bool(connection.execute(delete(chat_reports).where(chat_reports.c.id == id)).rowcount)

    async def of_account(self, account: int) -> tuple[list[OwnMessage], list[OwnReport]]:
        """The messages and reports of an account, oldest first."""
        c, r = chat.c, chat_reports.c
        wrote = select(c.match, c.n, c.seat, c.name, c.text, c.created_ms).where(c.account == account).order_by(c.n)
        reported = select(c.match, c.n, r.why, r.created_ms).join_from(chat_reports, chat, r.n == c.n)
        reports = await self._database.rows(reported.where(r.reporter == account).order_by(r.id))
        return [OwnMessage(*row) for row in await self._database.rows(wrote)], [OwnReport(*row) for row in reports]

    async def forget(self, before_ms: int) -> int:
        """Delete older messages and their reports; returns how many messages."""
        gone = 0
        while found := await self._forget(before_ms):
            gone += found
        return gone

    @writes
    def _forget(self, connection: Connection, before_ms: int) -> int:
        query = select(chat.c.n).where(chat.c.created_ms < before_ms).limit(AT_ONCE)
        old = [*connection.scalars(query)]
        if old:
            _delete(connection, chat.c.n.in_(old))
        return len(old)


def delete_chat_of(connection: Connection, accounts: Sequence[int]) -> None:
    """Delete all that these accounts wrote and reported."""
    connection.execute(delete(chat_reports).where(chat_reports.c.reporter.in_(accounts)))
    _delete(connection, chat.c.account.in_(accounts))


def delete_chat_at(connection: Connection, matches: Sequence[str]) -> None:
    """Delete the chat of these matches."""
    _delete(connection, chat.c.match.in_(matches))


def _delete(connection: Connection, those: ColumnElement[bool]) -> None:
    connection.execute(select(chat.c.n).where(those).with_for_update())  # a report that is being added is waited for
    connection.execute(delete(chat_reports).where(chat_reports.c.n.in_(select(chat.c.n).where(those))))
    connection.execute(delete(chat).where(those))


def _is_deleted(connection: Connection, account: int) -> bool:
    """Whether an account is deleted. If not, it is not deleted before the end of this transaction."""
    query = select(accounts.c.state).where(accounts.c.id == account).with_for_update(read=True)
    return connection.scalar(query) == "deleted"


def _around(connection: Connection, match: str, n: int) -> tuple[list[ChatMessage], list[ChatMessage]]:
    """A message of a match with those before it, and those after it."""
    here = select(*_TOLD).where(chat.c.match == match)
    before = here.where(chat.c.n <= n).order_by(chat.c.n.desc()).limit(AROUND + 1)
    after = here.where(chat.c.n > n).order_by(chat.c.n).limit(AROUND)
    return (
        [ChatMessage(*row) for row in connection.execute(before)][::-1],
        [ChatMessage(*row) for row in connection.execute(after)],
    )


_TOLD = (chat.c.n, chat.c.created_ms, chat.c.seat, chat.c.name, chat.c.text)
"""The columns of a message that players and administrators see."""
