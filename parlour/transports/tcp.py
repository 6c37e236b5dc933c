"""Peers over TCP."""

import asyncio
from typing import cast

from parlour.transports.framing import Framing
from parlour.transports.peer import Peer

LINGER_S = 2.0
"""How long what is left may take."""


class SocketPeer(Peer, asyncio.Protocol):
    """A client that has connected to us."""

    def __init__(self, framing: Framing | None = None) -> None:
        super().__init__(framing)
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = self._writer = cast(asyncio.Transport, transport)
        if self.gone is not None:  # turned away before it was here
            self._transport.abort()

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

    async def close(self) -> None:
        """Send what is left, then hang up; at once, if it does not read."""
        if self._transport is not None:
            self._transport.close()
            asyncio.get_running_loop().call_later(LINGER_S, self._transport.abort)
