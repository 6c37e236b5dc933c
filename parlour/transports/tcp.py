"""Peers over TCP."""

import asyncio
from typing import cast

from parlour.transports.peer import Peer


class SocketPeer(Peer, asyncio.Protocol):
    """A client that has connected to us."""

    def __init__(self) -> None:
        super().__init__()
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
        """Send what is left, then hang up."""
        if self._transport is not None:
            self._transport.close()
