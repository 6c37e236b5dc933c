"""Peers whose messages are sent by a coroutine, one after the other."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeAlias

from parlour.transports.peer import Peer

Send: TypeAlias = Callable[[bytes], Awaitable[None]]


class QueuedPeer(Peer):
    """A client of a library that does the rest. Its messages are handed to `took`."""

    def __init__(self, send: Send) -> None:
        super().__init__()
        self._send = send
        self._unsent: deque[bytes] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._is_leaving = False

    def send(self, messages: Iterable[bytes]) -> None:
        if self.gone is None and not self._is_leaving:
            self._unsent.extend(messages)
            if self._unsent and self._sending is None:
                self._sending = asyncio.create_task(self._send_all())

    @property
    def has_unsent(self) -> bool:
        return self._sending is not None

    async def _send_all(self) -> None:
        try:
            while self._unsent:
                await self._send(self._unsent.popleft())
        finally:
            self._sending = None
            if self._is_leaving:
                self.drop("dead")

    def abort(self) -> None:
        self._unsent.clear()

    def hang_up(self) -> None:
        self._is_leaving = True
        if self._sending is None:
            asyncio.get_running_loop().call_soon(self.drop, "dead")
