"""Messages for spectators of a match and for owners of its seats, with delay and limits."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from functools import partial
from typing import TypeAlias

import msgspec

from parlour.core import Asked, Seat
from parlour.protocol.errors import RequestError
from parlour.server.accounts import ChosenVisits, Doorkeeper, visit_of
from parlour.server.api.lookups import check_resumed
from parlour.server.api.seat_owners import SeatOwners
from parlour.server.ops.logs import tell_dropped
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.store.store import Token
from parlour.tables.arena import Arena
from parlour.tables.match_feed import Watcher
from parlour.tables.table import Table
from parlour.transports.limits import WATCH_DELAYED_BYTES, WATCH_UNSENT_BYTES

encode = msgspec.json.encode


def watched(playing: Table, seat: Seat | None, full: bool) -> Watcher:
    """The messages of a match from now on, for a seat or for spectators."""
    if full:
        return playing.feeds.messages(seat, asyncio.get_running_loop().time())
    if seat is None:
        return playing.feeds.plain(None).messages(playing.seen())
    match = playing.match
    again = match.asked_again(seat)
    asks = [{"id": asked.n, "ask": asked.ask} for asked in again if isinstance(asked, Asked)]
    view = {"type": "view", "seat": seat, "players": match.names, "view": match.state.view(seat), "asks": asks}
    return playing.feeds.plain(seat).messages(encode(view))


Messages: TypeAlias = AsyncGenerator[bytes, None] | Watcher
"""Messages to send; the consumer closes them."""


class Slow(Exception):
    """The spectator reads too slowly."""


async def paced(messages: Messages, delay_s: float, most: int) -> AsyncGenerator[bytes, None]:
    """Delay each message; Slow if `most` messages are due and unread, or if all that wait need too much memory."""
    time, more, waiting = asyncio.get_running_loop().time, asyncio.Event(), deque[tuple[float, bytes]]()
    size, most_bytes = 0, WATCH_DELAYED_BYTES if delay_s else WATCH_UNSENT_BYTES

    async def fill() -> None:
        nonlocal size
        async for message in messages:
            size += len(message)
            if (len(waiting) >= most and waiting[most - 1][0] <= time()) or (waiting and size > most_bytes):
                await messages.aclose()  # now: the reader may be blocked for long
                raise Slow
            waiting.append((time() + delay_s, message))
            more.set()

    filling = asyncio.ensure_future(fill())
    filling.add_done_callback(lambda _: more.set())
    try:
        while waiting or not filling.done():
            if filling.done():
                filling.result()
            if waiting and (early_s := waiting[0][0] - time()) <= 0:
                message = waiting.popleft()[1]
                size -= len(message)
                yield message
                continue
            more.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(early_s if waiting else None):
                    await more.wait()
        filling.result()
    finally:
        filling.cancel()
        await asyncio.gather(filling, return_exceptions=True)
        await messages.aclose()


class Watching:
    """All spectators."""

    def __init__(self, arena: Arena, doorkeeper: Doorkeeper, settings: Settings, metrics: Metrics) -> None:
        self._arena = arena
        self._door = doorkeeper
        self._settings = settings
        self._metrics = metrics
        self._owners = SeatOwners(arena, doorkeeper)
        self._watchers = metrics.watchers
        self._seats: dict[Watcher, Token] = {}
        """Owners that watch their seat, and their tokens."""
        doorkeeper.watch(self._end)

    def _end(self, chosen: ChosenVisits, code: str, words: str) -> None:
        for watcher, known in self._seats.items():
            if chosen(visit_of(known)):
                watcher.tell(None)

    async def seat(self, match: str, token: str | None, full: bool = False) -> Messages:
        """Messages for the owner of a seat, without delay. With `full`, the table may be waiting for players."""
        table, seat, known = await self._owners.seat(match, token, or_waiting=full)
        return self._of_table(table, seat, known, full)

    async def log(self, match: str, token: str | None) -> Messages:
        """The messages of the client at the seat of the token's account: the last ones, and then each new one."""
        log, known = await self._owners.log(match, token)
        if log is None:
            raise RequestError(404, "not_playing", "no client of yours is or was connected to this match lately")
        self._check_room(match)
        return self._told(match, log.watch, known, 0.0)

    async def public(self, match: str, full: bool = False) -> Messages:
        """Messages for a spectator."""
        playing = self._arena.playing.get(match)
        if playing is None:
            check_resumed(self._arena, match)
        table = playing or self._arena.open.get(match)
        if table is None:
            raise RequestError(404, "not_playing", "there is no such running match")
        return self._of_table(table, None, None, full)

    def _of_table(self, table: Table, seat: Seat | None, token: Token | None, full: bool) -> Messages:
        self._check_room(table.id)
        if table.id in self._arena.open:
            return self._from_the_start(table, token, full=full)
        return self._messages(table, seat, token, full)

    async def _from_the_start(self, table: Table, token: Token | None, *, full: bool) -> AsyncGenerator[bytes, None]:
        """Messages of an open table, and then of its match, if it begins."""
        async with aclosing(self._waiting(table, token, full)) as seats:
            async for message in seats:
                yield message
        if table.id in self._arena.open:  # the server stops, or the token has ended
            return
        playing = self._arena.playing.get(table.id) or (table if table.ended.is_set() else None)
        if playing is None:
            yield encode({"type": "dropped"})
            return
        seat: Seat | None = None
        if token is not None and (seat := playing.seats.seat_of(token.account.id)) is None:
            return  # the account lost the seat before the match began
        async with aclosing(self._messages(playing, seat, token, full)) as messages:
            async for message in messages:
                yield message

    async def _waiting(self, table: Table, token: Token | None, full: bool) -> AsyncGenerator[bytes, None]:
        """The seats of an open table until it is closed; with `full` also each change."""
        with self._watchers.counting(table.id):
            if not full:
                yield table.waiting.message()
                await table.closed.wait()
                return
            async with aclosing(table.waiting.watch(None if token is None else token.account.id)) as watcher:
                with self._knowing(watcher, token):
                    async for message in watcher:
                        yield message

    def _check_room(self, match: str) -> None:
        if self._watchers.of(match) >= self._settings.watchers_per_match:
            raise RequestError(503, "too_many", "the match has too many spectators")

    async def _messages(
        self, playing: Table, seat: Seat | None, token: Token | None, full: bool
    ) -> AsyncGenerator[bytes, None]:
        if full and not await playing.has_begun():
            return
        if not await playing.settled() or (token is not None and self._door.has_ended(token)):
            return
        delay_s = self._settings.watch_delay_s if seat is None else 0.0
        async with aclosing(self._told(playing.id, partial(watched, playing, seat, full), token, delay_s)) as messages:
            async for message in messages:
                yield message

    async def _told(
        self, match: str, watch: Callable[[], Watcher], token: Token | None, delay_s: float
    ) -> AsyncGenerator[bytes, None]:
        """The messages of a watcher, until its token ends or it reads too slowly."""
        messages = watch()
        with self._watchers.counting(match), self._knowing(messages, token):
            try:
                async with aclosing(paced(messages, delay_s, self._settings.watch_queue)) as later:
                    async for message in later:
                        if token is not None and self._door.has_ended(token):
                            return
                        yield message
            except Slow:
                tell_dropped(self._metrics, "watch", "slow")
                raise

    @contextmanager
    def _knowing(self, watcher: Watcher, token: Token | None) -> Iterator[None]:
        if token is not None:
            self._seats[watcher] = token
        try:
            yield
        finally:
            self._seats.pop(watcher, None)
