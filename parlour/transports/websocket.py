"""Peers over WebSocket: each message is one text frame."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import TypeAlias

from parlour.transports.lines import MOST_BYTES
from parlour.transports.peer import MOST_UNSENT, Peer

LINGER_S = 2.0
"""Time to send buffered data before the connection is cut."""

Receive: TypeAlias = Callable[[], Awaitable[str | None]]
"""The next text; None after the last."""
Send: TypeAlias = Callable[[str], Awaitable[None]]
AtOnce: TypeAlias = Callable[[Collection[bytes]], bool]
"""Sends all texts without waiting; False, and sends none, if the client reads too slowly."""


class WebSocketPeer(Peer):
    """A client whose WebSocket was accepted elsewhere; its handler calls `run`."""

    def __init__(self) -> None:
        super().__init__()
        self._unsent: deque[bytes] = deque()
        self._size = 0
        self._at_once: AtOnce | None = None
        self._is_sending = False
        self._more = asyncio.Event()
        self._ends = asyncio.Event()
        """Set when the connection should end."""

    def send(self, messages: Iterable[bytes]) -> None:
        if self.gone is not None or self._ends.is_set():
            return
        if self._at_once is None:
            self._more.set()
        elif not self._unsent:
            asyncio.get_running_loop().call_soon(self._flush)
        for message in messages:
            self._unsent.append(message)
            self._size += len(message)
        if self._size > MOST_UNSENT:
            self.drop("dead")

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent) or self._is_sending

    def _flush(self) -> None:
        """Send the collected messages together; if the client reads slowly, one after the other."""
        if self._at_once is None or self._is_sending or not self._at_once(self._unsent):
            self._more.set()
        else:
            self._unsent.clear()
            self._size = 0

    def abort(self) -> None:
        self._unsent.clear()
        self._ends.set()
        self._more.set()

    def hang_up(self) -> None:
        self._ends.set()
        self._more.set()

    async def run(self, receive: Receive, send: Send, at_once: AtOnce | None = None) -> None:
        """Exchange messages until either side ends; buffered data is sent first."""
        self._at_once = at_once
        hearing, telling = asyncio.ensure_future(self._hear(receive)), asyncio.ensure_future(self._tell(send))
        ending = asyncio.ensure_future(self._ends.wait())
        try:
            await asyncio.wait([hearing, telling, ending], return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                hearing.result()
                self.drop("dead")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LINGER_S):
                    await telling
        finally:
            for task in (hearing, telling, ending):
                task.cancel()
            await asyncio.gather(hearing, telling, ending, return_exceptions=True)
            self.drop("dead")

    async def _hear(self, receive: Receive) -> None:
        while (text := await receive()) is not None:
            data = text.encode("utf-8", "surrogatepass")
            self.took(None if len(data) > MOST_BYTES else data)

    async def _tell(self, send: Send) -> None:
        while True:
            while self._unsent:
                message = self._unsent.popleft()
                self._size -= len(message)
                self._is_sending = True
                await send(message.decode())
                self._is_sending = False
            if self._ends.is_set():
                return
            self._more.clear()
            await self._more.wait()
