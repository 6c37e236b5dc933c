"""Accept TCP connections, up to a limit, and run a task for each of them."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

from parlour.transports.framing import Framing
from parlour.transports.limits import HOST_CONNECTIONS
from parlour.transports.tcp import SocketPeer

Welcome: TypeAlias = Callable[[SocketPeer], Awaitable[None]]
"""Handles one connection."""


class TcpListener:
    """Listens on one or more ports, which share the limit."""

    def __init__(self) -> None:
        self.peers: set[SocketPeer] = set()
        """The open connections."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._servers: list[asyncio.Server] = []

    async def open(self, address: str, port: int, frame: Callable[[], Framing], welcome: Welcome) -> int:
        """Listen on a port; returns its number, which the system chooses if it was 0."""
        knock = partial(self._connected, frame, welcome)
        server = await asyncio.get_running_loop().create_server(knock, address, port)
        self._servers.append(server)
        chosen: int = server.sockets[0].getsockname()[1]
        return chosen

    def run(self, work: Awaitable[None]) -> None:
        """Run a background task; `close` cancels it."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop listening and close all connections."""
        for server in self._servers:
            server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for peer in self.peers:
            await peer.close()

    def _connected(self, frame: Callable[[], Framing], welcome: Welcome) -> SocketPeer:
        peer = SocketPeer(frame())
        self.peers = {other for other in self.peers if other.gone is None}
        if len(self.peers) >= HOST_CONNECTIONS:
            peer.drop("flood")
        else:
            self.peers.add(peer)
            self.run(self._let_in(peer, welcome))
        return peer

    async def _let_in(self, peer: SocketPeer, welcome: Welcome) -> None:
        await asyncio.sleep(0)  # asyncio connects the protocol object right after it is created
        await welcome(peer)
