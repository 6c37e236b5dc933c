"""Peers over TCP."""

import asyncio
from collections.abc import Iterable
from typing import cast

from parlour.transports.framing import Framing
from parlour.transports.peer import Peer

LINGER_S = 2.0
"""Time to send buffered data before the connection is cut."""
MOST_TOGETHER = 64 * 1024


class SocketPeer(Peer, asyncio.Protocol):
    """A client that has connected to us."""

    def __init__(self, framing: Framing | None = None) -> None:
        super().__init__(framing)
        self._transport: asyncio.Transport | None = None
        self._unsent: list[bytes] = []
        self._size = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = self._writer = cast(asyncio.Transport, transport)
        if self.gone is not None:  # refused before it was connected
            self._transport.abort()

    def send(self, messages: Iterable[bytes]) -> None:
        """Collect messages and send them together at the end of this loop iteration, or earlier if they are many."""
        if self.gone is not None:
            return
        if not self._unsent:
            asyncio.get_running_loop().call_soon(self.flush)
        for message in messages:
            self._unsent.append(message)
            self._size += len(message)
        if self._size > MOST_TOGETHER:
            self.flush()

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent) or super().has_unsent

    def flush(self) -> None:
        """Send the collected messages."""
        messages, self._unsent, self._size = self._unsent, [], 0
        super().send(messages)

    def data_received(self, data: bytes) -> None:
        self.received(data)

    def eof_received(self) -> bool:
        self.drop("dead")
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.drop("dead")

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def hang_up(self) -> None:
        self.flush()
        if self._transport is not None:
            self._transport.close()
            asyncio.get_running_loop().call_later(LINGER_S, self._transport.abort)
