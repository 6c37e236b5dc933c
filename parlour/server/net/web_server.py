"""An HTTP server in this program's own loop."""

import asyncio
import contextlib
import logging
import resource
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import uvicorn
from litestar.types import ASGIApp
from msgspec import Struct
from uvicorn.protocols.http.h11_impl import RequestResponseCycle

from parlour.server.net import connections as protocols
from parlour.server.net.connections import MOST_LOOKS, Http, WebSocket, address_of
from parlour.server.net.middleware import with_body_deadline, with_security_headers
from parlour.server.net.ports import listening
from parlour.server.net.proxy_limits import ClientLimits, by_network, through_proxies, trust
from parlour.server.net.rate_limits import Paces

T = TypeVar("T")

MOST_MESSAGE = 256 * 1024
"""Bytes of one WebSocket message; a longer one closes its connection."""
LAST_S = 1.0
"""How long connections may take to say goodbye when the server stops."""
GRACE_S = 3
"""How long it may take then to answer what was asked before."""

BODY_S = 10.0
"""How long the body of a request may take to arrive."""
SWITCH_S = 0.0005
"""How long the loop may keep a thread waiting that comes back from the disk; usually it would be ten times as long."""
MOST_FILES = 65536
SPARE = 2
"""How many connections proxies may have for each request or WebSocket of their clients."""

_OF_NO_USE = (
    "without completing handshake",  # it was answered by a plain 404, which completes it
    "Invalid UTF-8",  # and so the connection is closed; we need no traceback for what a client does
)


class Manner(Struct, frozen=True):
    """How a server treats those who come."""

    connections: int | None = None
    """How many there may be; None: as many as go without any arrangements."""
    per_address: int | None = None
    """How many connections one address may have."""
    requests_a_second: float | None = None
    """How many requests of one address are answered in a second, new connections counting as such."""
    most_message: int = MOST_MESSAGE
    certificate: str | None = None
    """A file; with it, all is served over TLS."""
    certificate_key: str | None = None
    handshake_s: float | None = None
    """How long that of TLS may take; None: as long as is usual."""
    body_s: float = BODY_S
    """How long the body of a request may take to arrive."""
    proxies: tuple[str, ...] = ()
    """Whose word is taken for where a client comes from."""
    refused: Callable[[str], None] = lambda why: None
    """Is told why, for every connection that is refused."""


PLAIN = Manner()


def _limited(app: ASGIApp, manner: Manner) -> ASGIApp:
    """Clients of proxies are counted by their requests; all others by their connections."""
    if not manner.proxies:
        return app
    limited = ClientLimits(app, _most(manner), manner.per_address, manner.requests_a_second, manner.refused)
    return through_proxies(app, limited, manner.proxies)


def _most(manner: Manner) -> int:
    return protocols.MOST_CONNECTIONS if manner.connections is None else manner.connections


def _worth_telling(record: logging.LogRecord) -> bool:
    message = record.getMessage()
    return not any(words in message for words in _OF_NO_USE)


class _Config(uvicorn.Config):
    manner: Manner
    paces: Paces | None
    is_proxy: Callable[[str], bool]


class _Http(Http):
    """One address may not have all connections; and what is sent bit by bit, and read, may take as long as it likes."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the class above has it
        super().connection_made(transport)
        assert isinstance(self.config, _Config)
        most = None if self._is_proxy(self) else self.config.manner.per_address  # a proxy comes for many
        if most is not None and len(self.connections) > most and self._neighbours() > most:
            self.refuse("too_many")
        elif rest_s := self._rest_s():
            self.loop.call_soon(self.flow.pause_reading)  # early releases of Python 3.11 begin to read after this call
            self.loop.call_later(rest_s, self.flow.resume_reading)

    def on_response_complete(self) -> None:
        """The next request of who asks too fast waits for a while."""
        if (rest_s := self._rest_s()) and not self.transport.is_closing():
            self.flow.pause_reading()
            self.loop.call_later(rest_s, super().on_response_complete)
        else:
            super().on_response_complete()

    def _rest_s(self) -> float:
        assert isinstance(self.config, _Config)
        if self.config.paces is None or self._is_proxy(self):  # a proxy asks for many
            return 0.0
        return self.config.paces.of(address_of(self)).rest_s()

    def refuse(self, why: str) -> None:
        assert isinstance(self.config, _Config)
        self.config.manner.refused(why)
        super().refuse(why)

    def most_connections(self) -> int:
        """Proxies have more than their clients may use, so that a client too many gets an answer."""
        assert isinstance(self.config, _Config)
        most = _most(self.config.manner)
        return SPARE * most if self._is_proxy(self) else most

    def rivals(self) -> list[Http | WebSocket]:
        """Proxies and others do not take each other's room."""
        rivals = super().rivals()
        assert isinstance(self.config, _Config)
        if not self.config.manner.proxies:
            return rivals
        own = self._is_proxy(self)
        return [each for each in rivals if self._is_proxy(each) == own]

    def _is_proxy(self, connection: Http | WebSocket) -> bool:
        assert isinstance(self.config, _Config)
        return connection.client is not None and self.config.is_proxy(connection.client[0])

    def _neighbours(self) -> int:
        """How many connections come from where this one does."""
        own = address_of(self)
        return sum(own == address_of(other) for other in self.rivals())

    def _look(self, seen: RequestResponseCycle | None, patience: int) -> None:
        streams = self.cycle is not None and self.cycle.response_started and not self.flow.write_paused
        super()._look(seen, MOST_LOOKS if streams else patience)


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs the loop, and does not wait for clients that do not go."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """We listen ourselves: the class above would wait a minute for a handshake."""
        await super().startup(sockets=[])
        loop, config = asyncio.get_running_loop(), self.config
        assert isinstance(config, _Config)
        handshake_s = None if config.ssl is None else config.manner.handshake_s
        for each in sockets or ():
            server = await loop.create_server(
                self._connection, sock=each, ssl=config.ssl, backlog=config.backlog, ssl_handshake_timeout=handshake_s
            )
            self.servers.append(server)

    def _connection(self) -> _Http:
        return _Http(self.config, self.server_state, self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        last = asyncio.get_running_loop().call_later(LAST_S, self._hang_up)
        try:
            await super().shutdown(sockets)
        finally:
            last.cancel()
            self._hang_up()

    def _hang_up(self) -> None:
        for connection in [*self.server_state.connections]:
            if isinstance(connection, Http | WebSocket):
                connection.transport.abort()


def run(work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` in a quicker loop, where there is one. Whatever signal tells it to stop, it comes to a good end."""
    sys.setswitchinterval(SWITCH_S)
    _have_files()
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(_until_told(work))


async def _until_told(work: Coroutine[Any, Any, T]) -> T:
    """The loop must take signals itself: another handler would break into the middle of it."""
    loop, task, told = asyncio.get_running_loop(), asyncio.ensure_future(work), list[signal.Signals]()

    def stop(number: signal.Signals) -> None:
        told.append(number)
        task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not told:
            raise
    if told[0] is signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(128 + told[0])


def _have_files() -> None:
    """Each connection is one; a process may have more of them than it usually has, if it asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


@asynccontextmanager
async def serving(app: Any, address: str, port: int, manner: Manner = PLAIN) -> AsyncIterator[int]:
    """Serve the app there as long as the block lasts; gives the port, which matters if any would do."""
    async with serving_on(listening(address, port), app, manner) as port:
        yield port


@asynccontextmanager
async def serving_on(listener: socket.socket, app: Any, manner: Manner = PLAIN) -> AsyncIterator[int]:
    """The same on a socket that listens already, and is closed in the end."""
    config = _Config(
        with_security_headers(_limited(with_body_deadline(by_network(app), manner.body_s), manner)),
        log_config=None,  # the log of whoever runs the server has what it tells
        http=_Http,
        ws=WebSocket,
        log_level="error",  # what clients do wrong is their business
        access_log=False,
        server_header=False,
        ws_max_size=manner.most_message,
        ws_ping_interval=None,  # clients that are busy thinking must not be taken for dead
        ws_per_message_deflate=False,  # a frame goes to many, and compressing it for each costs more than sending it
        timeout_graceful_shutdown=GRACE_S,
        proxy_headers=False,  # they are read where clients of proxies are counted
        ssl_certfile=manner.certificate,
        ssl_keyfile=manner.certificate_key,
    )
    config.manner = manner
    config.is_proxy = trust(manner.proxies)
    asked = manner.requests_a_second
    config.paces = None if asked is None else Paces(asked)
    logging.getLogger("uvicorn.error").addFilter(_worth_telling)
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started and not task.done():
            await asyncio.sleep(0.01)
        if task.done():
            await task
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await task
