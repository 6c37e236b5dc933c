"""A door for strangers: lets them in by TCP, not too many at once, and minds what is done for each of them."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

from parlour.transports.framing import Framing
from parlour.transports.tcp import SocketPeer

MOST_CONNECTIONS = 256

Welcome: TypeAlias = Callable[[SocketPeer], Awaitable[None]]
"""What is done for somebody who has come in."""


class Door:
    """Several ports may lead through it; they share its limit."""

    def __init__(self) -> None:
        self.peers: set[SocketPeer] = set()
        """Who is inside."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._servers: list[asyncio.Server] = []

    async def open(self, address: str, port: int, frame: Callable[[], Framing], welcome: Welcome) -> int:
        """Let people in there; returns the port, which matters if any would do."""
        knock = partial(self._connected, frame, welcome)
        server = await asyncio.get_running_loop().create_server(knock, address, port)
        self._servers.append(server)
        chosen: int = server.sockets[0].getsockname()[1]
        return chosen

    def run(self, work: Awaitable[None]) -> None:
        """Do something on the side, until it is done or the door is closed."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Let nobody in any more, and everybody go."""
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
        if len(self.peers) >= MOST_CONNECTIONS:
            peer.drop("flood")
        else:
            self.peers.add(peer)
            self.run(self._let_in(peer, welcome))
        return peer

    async def _let_in(self, peer: SocketPeer, welcome: Welcome) -> None:
        await asyncio.sleep(0)  # the connection is made right after its protocol is
        await welcome(peer)
