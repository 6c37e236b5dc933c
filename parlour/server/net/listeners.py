"""TCP ports of an arena: one for protocol 1, which serves all games, and others for the games' own protocols."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from parlour import plugins
from parlour.core import Dialect, Game
from parlour.players.session import Errors, Session
from parlour.protocol import v1
from parlour.protocol.reports import tell_bug
from parlour.protocol.v1 import V1
from parlour.server.joining import ClientDesk
from parlour.server.net.addresses import counted_address
from parlour.server.net.occupancy import Occupancy
from parlour.server.settings import Settings
from parlour.transports.framing import Framing
from parlour.transports.lines import LineSplitter
from parlour.transports.peer import Peer
from parlour.transports.stream import SPLITTERS
from parlour.transports.tcp import Made, SocketPeer

OURS = "tcp"
"""The transport name of protocol 1 over TCP, in metrics and logs."""
TOO_MANY = "there are too many connections"


class Enter(Struct, frozen=True, tag="enter", forbid_unknown_fields=True):
    """The first line of a client on the port of protocol 1: game, table and token."""

    game: Annotated[str, Meta(max_length=40)]
    table: Annotated[str, Meta(max_length=64)] | None = None
    token: Annotated[str, Meta(max_length=200)] | None = None


_enter = msgspec.json.Decoder(Enter)


Welcome: TypeAlias = Callable[[Session], Awaitable[None]]
"""Handles a new client."""


class Listeners:
    """All TCP listeners, which share the limits on connections."""

    def __init__(self, client_desk: ClientDesk, settings: Settings) -> None:
        self._client_desk = client_desk
        self._settings = settings
        self._limits = settings.message_limits()
        self._tls = _tls(self._settings)
        self._servers: list[asyncio.Server] = []
        self.sessions: set[Session] = set()
        """The connected clients."""
        self._counts = Occupancy()
        self._tasks: dict[asyncio.Task[None], Session] = {}
        """Clients that have not identified themselves yet, oldest first."""

    async def open(self, listener: socket.socket) -> None:
        """Serve protocol 1 for all games on a listening socket."""
        await self._listen(listener, LineSplitter, partial(self._on_connection, OURS, v1.error, self._enter))

    async def open_dialect(self, listener: socket.socket, game: Game[Any], make: Callable[[], Dialect]) -> None:
        """Serve a game's own protocol. Its clients are guests at the next table."""
        spoken = make()
        way = f"{game.name} {type(spoken).__name__}"
        made = partial(self._on_connection, way, None, lambda session: self._client_desk.welcome(session, game, make()))
        await self._listen(listener, SPLITTERS[spoken.frames], made)

    async def close(self) -> None:
        """Stop listening and close all connections."""
        for server in self._servers:
            server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for session in [*self.sessions]:
            await session.peer.close()

    async def _listen(self, listener: socket.socket, frame: Callable[[int], Framing], made: Made) -> None:
        """`frame` creates a framing with this limit of bytes."""
        server = await asyncio.get_running_loop().create_server(
            lambda: SocketPeer(frame(self._limits.message_bytes), self._limits, made),
            sock=listener,
            backlog=1024,
            ssl=self._tls,
            ssl_handshake_timeout=None if self._tls is None else self._settings.hello_s,
        )
        self._servers.append(server)

    # Connections

    def _on_connection(self, way: str, errors: Errors | None, welcome: Welcome, peer: SocketPeer) -> None:
        """A new connection. `errors` writes errors for clients that have not said which game they play."""
        session = self._client_desk.connected(peer, way, counted_address(peer.host), errors)
        peer.on_lost.append(partial(self._on_lost, session))
        self.sessions.add(session)
        self._counts.add(session.address)
        if not self._has_room(session):
            session.end("too_many", TOO_MANY)
            return
        task = asyncio.ensure_future(welcome(session))
        self._tasks[task] = session
        task.add_done_callback(self._on_welcomed)

    def _has_room(self, session: Session) -> bool:
        """Check the limits. If the server is full, drop the oldest unidentified connection of the busiest address."""
        own, limits = self._counts.of(session.address), self._settings
        if own > limits.connections_per_address or self._counts.total <= limits.connections:
            return own <= limits.connections_per_address
        most = self._counts.busiest()
        silent = next((other for other in self._tasks.values() if other.address == most and other.is_here), None)
        if own >= self._counts.of(most) or silent is None:
            return False
        silent.end("too_many", TOO_MANY)
        return True

    def _on_welcomed(self, task: "asyncio.Task[None]") -> None:
        del self._tasks[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            tell_bug("bug", error)

    def _on_lost(self, session: Session) -> None:
        self.sessions.discard(session)
        self._counts.remove(session.address)

    async def _enter(self, session: Session) -> None:
        try:
            said = _enter.decode(await _first_line(session.peer, self._settings.hello_s))
            game = plugins.find_game(said.game)
        except (TimeoutError, msgspec.MsgspecError, ValueError, RecursionError):
            game = None
        if game is None:
            names = ", ".join(plugins.names())
            session.end(
                "bad_enter", f'the first line is {{"type": "enter", "game": NAME}}, a name being one of {names}'
            )
            return
        await self._client_desk.welcome(session, game, V1(game), said.table, said.token)


def _tls(settings: Settings) -> ssl.SSLContext | None:
    if settings.certificate is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(settings.certificate, settings.certificate_key)
    return context


async def _first_line(peer: Peer, within_s: float) -> bytes:
    """The first line; later ones are buffered for the next listener."""
    line: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def heard(raw: bytes | None) -> None:
        peer.hold()
        if not line.done():
            line.set_result(raw or b"")

    peer.listen(heard, lambda why: heard(None))
    async with asyncio.timeout(within_s):
        return await line
