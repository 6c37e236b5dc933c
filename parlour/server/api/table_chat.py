"""The chat of a table: its players write to each other before, during and for a while after their match.

Messages are stored before any client is told. They are no part of the match: transcripts, replays and spectators never
have them.
"""

import asyncio
from collections.abc import Callable

import msgspec
from msgspec import Struct

from parlour.core import Leave, Seat
from parlour.protocol.errors import RequestError
from parlour.protocol.feed import FeedChat
from parlour.protocol.forms import TableTerms
from parlour.protocol.records import Account, StoredMatch, now_ms
from parlour.referee.transcript import BadTranscript, Line, read_record
from parlour.server.api.lookups import found_match
from parlour.store.store import Store
from parlour.tables.arena import Arena
from parlour.tables.stored_tables import table_terms
from parlour.transports.limits import CHAT_MESSAGES

AFTER_MS = 10 * 60 * 1000
"""How long after the end of a match its players may write."""
AT_ONCE = 200
"""How many messages one request reads."""
LEAVES = b'"' + Leave.__name__.encode() + b'"'
MOST_KNOWN = 1000
"""For how many finished matches the seats that left early are remembered."""


class ChatSeat(Struct, frozen=True):
    """The seat of an account at a table with a chat."""

    stored: StoredMatch
    seat: Seat
    name: str


def check_terms(terms: TableTerms, *, is_allowed: bool) -> None:
    """Raise RequestError if a new table may not have the chat that its terms ask for."""
    if terms.chat and not is_allowed:
        raise RequestError(400, "no_chat", "this server has no chat; the host can allow it with the setting chat")
    if terms.chat and terms.quick:
        raise RequestError(400, "no_chat", "a table for quick matches cannot have a chat")


class TableChat:
    """The chats of all tables of an arena."""

    def __init__(self, store: Store, arena: Arena, *, is_allowed: bool, clock: Callable[[], int] = now_ms) -> None:
        """`clock` gives milliseconds since 1970."""
        self._arena = arena
        self._store = store
        self._is_allowed = is_allowed
        self._clock = clock
        self._left: dict[str, frozenset[Seat]] = {}
        """By finished match, the seats that left before the end."""
        self._saying = asyncio.Lock()
        """Held while a message is stored and told, so that no client is told a number before a lower one."""

    async def seat(self, match: str, account: Account) -> ChatSeat:
        """The account's seat; RequestError if it has none, or the table has no chat."""
        stored = await found_match(self._store, match)
        seat = self._seat_of(stored, account.id)
        if seat is None:
            raise RequestError(403, "not_yours", "you have no seat there")
        if not self._is_allowed or not _has_chat(stored):
            raise RequestError(403, "no_chat", "this table has no chat")
        name = next((each.name for each in stored.seats if (each.seat, each.account) == (seat, account.id)), None)
        return ChatSeat(stored, seat, name or account.name)

    async def say(self, own: ChatSeat, account: Account, text: str) -> FeedChat:
        """Store a message and tell the players; RequestError if the seat may not write now."""
        if (why := await self.why_closed(own)) is not None:
            raise why
        match = own.stored.id
        async with self._saying:
            message = await self._store.chat.add(match, account.id, own.seat, own.name, text, CHAT_MESSAGES)
            if message is None:
                raise RequestError(409, "chat_full", f"the chat has {CHAT_MESSAGES} messages, and takes no more")
            self._tell(match, message)
        return message

    async def read(self, own: ChatSeat, after: int) -> list[FeedChat]:
        """The newest messages with a number above `after`, in order."""
        return await self._store.chat.of_match(own.stored.id, after, AT_ONCE)

    async def report(self, own: ChatSeat, account: Account, n: int, why: str) -> bool:
        """Report a message of another player to the administrators; False if this account has done so before."""
        writer = await self._store.chat.writer(own.stored.id, n)
        if writer is None:
            raise RequestError(404, "no_such_message", "there is no such message")
        if writer == account.id:
            raise RequestError(409, "yourself", "this is your own message")
        return await self._store.chat.report(n, account.id, why)

    async def why_closed(self, own: ChatSeat) -> RequestError | None:
        """Why the seat may not write now; None if it may."""
        stored = own.stored
        if stored.state == "dropped":
            return RequestError(409, "chat_closed", "the table was cancelled")
        if stored.ended_ms is not None and self._clock() >= stored.ended_ms + AFTER_MS:
            return RequestError(409, "chat_closed", "the chat of a table closes ten minutes after the end of its match")
        if own.seat in await self._gone(stored):
            return RequestError(403, "left", "you have left this match, and can no longer write")
        return None

    def _seat_of(self, stored: StoredMatch, account: int) -> Seat | None:
        """The seat at the table as it is now; a row of the store may be older than that."""
        if (table := self._arena.open.get(stored.id)) is not None:
            return table.seats.seat_of(account)
        seat = stored.seat_of(account)
        return None if seat is None else seat.seat

    async def _gone(self, stored: StoredMatch) -> frozenset[Seat]:
        """The seats that have left the match."""
        if (playing := self._arena.playing.get(stored.id)) is not None:
            return frozenset(playing.match.gone)
        if not stored.is_over:
            return frozenset()
        if stored.id not in self._left:
            if len(self._left) >= MOST_KNOWN:
                del self._left[next(iter(self._left))]
            self._left[stored.id] = seats_that_left(await self._store.lines(stored.id))
        return self._left[stored.id]

    def _tell(self, match: str, message: FeedChat) -> None:
        if (table := self._arena.open.get(match)) is not None:
            table.waiting.tell_chat(message)
        elif (playing := self._arena.playing.get(match)) is not None:
            playing.feeds.tell_chat(message)


def seats_that_left(lines: list[bytes]) -> frozenset[Seat]:
    """The seats that left a match before its end, by its transcript."""
    return frozenset(seat for number, line in enumerate(lines, 1) if (seat := _leaver(line, number)) is not None)


def _leaver(line: bytes, number: int) -> Seat | None:
    """The seat that leaves by this line of a transcript. Only the table writes such lines."""
    if LEAVES not in line:
        return None
    try:
        record = read_record(line, number)
        if not isinstance(record, Line) or record.by is not None:
            return None
        return msgspec.json.decode(record.do, type=Leave).seat
    except (BadTranscript, msgspec.MsgspecError):  # a match with unreadable lines is void
        return None


def _has_chat(stored: StoredMatch) -> bool:
    """Whether the table was made with a chat. Rooms have terms of another kind, and never a chat."""
    try:
        terms = table_terms(stored)
    except msgspec.MsgspecError:
        return False
    return terms.chat and not terms.quick
