"""TCP ports of an arena: one for protocol 1, which serves all games, and others for the games' own protocols."""

import asyncio
import socket
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from parlour import plugins
from parlour.core import Dialect, Game
from parlour.protocol.reports import tell_bug
from parlour.protocol.v1 import V1, ErrorMessage
from parlour.server.joining import Ways, is_too_deep
from parlour.server.net.addresses import counted_address
from parlour.server.net.rate_limits import Pace, Quiet
from parlour.server.ops.logs import tell_dropped
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.transports.framing import Framing
from parlour.transports.lines import LineSplitter
from parlour.transports.stream import JsonSplitter
from parlour.transports.tcp import SocketPeer

OURS = "tcp"
"""The transport name of protocol 1 over TCP, in metrics and logs."""
LAST_S = 2.0
"""Time to send buffered data before the connection is cut."""


class Enter(Struct, frozen=True, tag="enter", forbid_unknown_fields=True):
    """The first line of a client on the port of protocol 1: game, table and token."""

    game: Annotated[str, Meta(max_length=40)]
    table: Annotated[str, Meta(max_length=64)] | None = None
    token: Annotated[str, Meta(max_length=200)] | None = None


_enter = msgspec.json.Decoder(Enter)


class LimitedSocketPeer(SocketPeer):
    """A TCP client with limits."""

    def __init__(self, framing: Framing, way: str, limits: Settings, house: "Listeners") -> None:
        super().__init__(framing)
        self.way = way
        self.address = ""
        self._limits = limits
        self._house = house
        self._pace = Pace(2 * limits.messages_a_second, limits.messages_a_second)
        self._came = 0
        self._quiet: Quiet | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.address = counted_address(str((transport.get_extra_info("peername") or ("",))[0]))
        super().connection_made(transport)
        self._quiet = Quiet(self._limits.idle_s, partial(self.end, "idle", "nothing was said for too long"))
        self._house.came(self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._quiet is not None:
            self._quiet.stop()
        self._house.left(self)

    def data_received(self, data: bytes) -> None:
        """Read data; if the client sends too fast, pause reading."""
        self._touch()
        self._came = 0
        super().data_received(data)
        rest_s = self._pace.rest_s(self._came) if self._came else 0.0
        if rest_s and self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()
            asyncio.get_running_loop().call_later(rest_s, self._listen_again)

    def _listen_again(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def took(self, message: bytes | None) -> None:
        self._came += 1
        if self._transport is None or self._transport.is_closing():
            return
        if message is not None and is_too_deep(message, self._limits.message_depth):
            self.end("too_deep", f"at most {self._limits.message_depth} levels")
        else:
            super().took(message)

    def flush(self) -> None:
        if self.gone is not None or self._writer is None or self._writer.is_closing():
            return
        self._touch()
        super().flush()
        if self.gone is None and self._writer.get_write_buffer_size() > self._limits.unsent_bytes:
            self._house.dropped(self, "slow")
            self.drop("dead")

    @property
    def is_here(self) -> bool:
        return self.gone is None and self._transport is not None and not self._transport.is_closing()

    def _touch(self) -> None:
        if self._quiet is not None:
            self._quiet.touch()

    def end(self, why: str, words: str) -> None:
        """Disconnect, with an error message if the client speaks protocol 1. It can resume its seat."""
        self._house.dropped(self, why)
        if self.way == OURS:
            self.send([msgspec.json.encode(ErrorMessage(why, words))])
        self.flush()
        if self._transport is not None:
            self._transport.close()
            asyncio.get_running_loop().call_later(LAST_S, self._transport.abort)


Welcome: TypeAlias = Callable[[LimitedSocketPeer], Awaitable[None]]
"""Handles a new client."""


class Listeners:
    """All TCP listeners, which share the limits on connections."""

    def __init__(self, ways: Ways, settings: Settings | None = None, metrics: Metrics | None = None) -> None:
        self._ways = ways
        self._settings = settings or Settings()
        self._metrics = metrics or Metrics()
        self._tls = _tls(self._settings)
        self._servers: list[asyncio.Server] = []
        self._welcomes: dict[str, Welcome] = {}
        self.callers: set[LimitedSocketPeer] = set()
        """The connected clients."""
        self._came_from: Counter[str] = Counter()
        """Number of connections by address."""
        self._tasks: dict[asyncio.Task[None], LimitedSocketPeer] = {}
        """Clients that have not identified themselves yet, oldest first."""

    async def open(self, listener: socket.socket) -> int:
        """Serve protocol 1 for all games on a listening socket; returns its port."""
        return await self._listen(listener, OURS, self._lines, self._enter)

    async def open_dialect(self, listener: socket.socket, game: Game[Any], make: Callable[[], Dialect]) -> int:
        """Serve a game's own protocol. Its clients are guests at the next table."""
        frame = self._lines if make().frames == "lines" else self._values
        way = f"{game.name} {type(make()).__name__}"
        return await self._listen(listener, way, frame, partial(self._welcome, game, make))

    async def close(self) -> None:
        """Stop listening and close all connections."""
        for server in self._servers:
            server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for caller in [*self.callers]:
            await caller.close()

    async def _listen(self, listener: socket.socket, way: str, frame: Callable[[], Framing], welcome: Welcome) -> int:
        self._welcomes[way] = welcome
        server = await asyncio.get_running_loop().create_server(
            lambda: LimitedSocketPeer(frame(), way, self._settings, self),
            sock=listener,
            backlog=1024,
            ssl=self._tls,
            ssl_handshake_timeout=None if self._tls is None else self._settings.hello_s,
        )
        self._servers.append(server)
        port: int = listener.getsockname()[1]
        return port

    def _lines(self) -> Framing:
        return LineSplitter(self._settings.message_bytes)

    def _values(self) -> Framing:
        return JsonSplitter(self._settings.message_bytes)

    # Connections

    def came(self, caller: LimitedSocketPeer) -> None:
        self.callers.add(caller)
        self._came_from[caller.address] += 1
        self._metrics.connections.labels(caller.way).inc()
        if not self._has_room(caller):
            caller.end("too_many", "there are too many connections")
            return
        task = asyncio.ensure_future(self._welcomes[caller.way](caller))
        self._tasks[task] = caller
        task.add_done_callback(self._welcomed)

    def _has_room(self, caller: LimitedSocketPeer) -> bool:
        """Check the limits. If the server is full, drop the oldest unidentified connection of the busiest address."""
        own, limits = self._came_from[caller.address], self._settings
        if own > limits.connections_per_address or len(self.callers) <= limits.connections:
            return own <= limits.connections_per_address
        most = max(self._came_from, key=self._came_from.__getitem__)
        silent = next((other for other in self._tasks.values() if other.address == most and other.is_here), None)
        if own >= self._came_from[most] or silent is None:
            return False
        silent.end("too_many", "there are too many connections")
        return True

    def _welcomed(self, task: "asyncio.Task[None]") -> None:
        del self._tasks[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            tell_bug("bug", error)

    def left(self, caller: LimitedSocketPeer) -> None:
        self.callers.discard(caller)
        self._came_from[caller.address] -= 1
        if not self._came_from[caller.address]:
            del self._came_from[caller.address]
        self._metrics.connections.labels(caller.way).dec()

    def dropped(self, caller: LimitedSocketPeer, why: str) -> None:
        tell_dropped(self._metrics, caller.way, why, caller.address)

    async def _welcome(self, game: Game[Any], make: Callable[[], Dialect], caller: LimitedSocketPeer) -> None:
        await self._ways.welcome(caller, game, make(), address=caller.address, way=caller.way)

    async def _enter(self, caller: LimitedSocketPeer) -> None:
        try:
            said = _enter.decode(await _first_line(caller, self._settings.hello_s))
            game = plugins.find_game(said.game)
        except (TimeoutError, msgspec.MsgspecError, ValueError, RecursionError):
            game = None
        if game is None:
            names = ", ".join(plugins.names())
            caller.end("bad_enter", f'the first line is {{"type": "enter", "game": NAME}}, a name being one of {names}')
            return
        await self._ways.welcome(caller, game, V1(game), said.table, said.token, caller.address, way=OURS)


def _tls(settings: Settings) -> ssl.SSLContext | None:
    if settings.certificate is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(settings.certificate, settings.certificate_key)
    return context


async def _first_line(caller: LimitedSocketPeer, within_s: float) -> bytes:
    """The first line; later ones are buffered for the next listener."""
    line: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def heard(raw: bytes | None) -> None:
        caller.hold()
        if not line.done():
            line.set_result(raw or b"")

    def ended(why: str) -> None:
        if not line.done():
            line.set_result(b"")

    caller.listen(heard, ended)
    async with asyncio.timeout(within_s):
        return await line
