"""Run uvicorn in the current event loop, with limits on connections and requests."""

import asyncio
import contextlib
import logging
import resource
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from email.utils import formatdate
from functools import partial
from http import HTTPStatus
from typing import Any, TypeAlias, TypeVar

import uvicorn
from msgspec import Struct
from uvicorn.protocols.http.h11_impl import RequestResponseCycle
from websockets.datastructures import Headers
from websockets.http11 import Response

from parlour.server.net.addresses import counted_address
from parlour.server.net.connection_counts import ConnectionCounts
from parlour.server.net.connections import Connection, Http, OpenPeer, WebSocket, address_of, bearer
from parlour.server.net.middleware import SECURITY_HEADERS, with_body_deadline, with_security_headers
from parlour.server.net.ports import listening
from parlour.server.net.proxy_limits import HEADERS, ClientLimits, Proxies, by_network, refusal, through_proxies
from parlour.transports.limits import (
    BODY_S,
    CONNECTIONS,
    FRAME_FACTOR,
    GRACE_S,
    LAST_S,
    MESSAGE_BYTES,
    MOST_LOOKS,
    PROXY_SPARE,
)
from parlour.transports.rate_limits import Paces

T = TypeVar("T")

FindPeer: TypeAlias = Callable[[str], OpenPeer | None]
"""How to open the peer that serves WebSockets of a path; None: the app serves them."""

MOST_MESSAGE = FRAME_FACTOR * MESSAGE_BYTES
"""Maximum bytes of a WebSocket message; a longer one closes the connection."""

SWITCH_S = 0.0005
"""Python's thread switch interval: a tenth of the default, so that store threads wait less for the event loop."""
MOST_FILES = 65536

_OF_NO_USE = (
    "without completing handshake",  # it was answered by a plain 404
    "Invalid UTF-8",  # the connection is closed; errors of clients need no traceback
)


class Manner(Struct, frozen=True):
    """Limits and TLS of a server."""

    connections: int | None = None
    """Maximum number of connections; None: CONNECTIONS."""
    per_address: int | None = None
    """How many connections one address may have."""
    requests_a_second: float | None = None
    """How many requests and new connections of one address are served per second."""
    most_message: int = MOST_MESSAGE
    certificate: str | None = None
    """A file; if set, everything is served over TLS."""
    certificate_key: str | None = None
    handshake_s: float | None = None
    """Timeout of the TLS handshake; None: the default of asyncio."""
    body_s: float = BODY_S
    """How long the body of a request may take to arrive."""
    proxies: tuple[str, ...] = ()
    """Proxies whose forwarded client addresses are trusted."""
    refused: Callable[[str, str], None] = lambda why, address: None
    """Called with the reason and the address of every refused connection."""
    peers: FindPeer = lambda path: None
    """Finds the peers that serve WebSockets without the app."""


PLAIN = Manner()


def _most(manner: Manner) -> int:
    return CONNECTIONS if manner.connections is None else manner.connections


def _worth_telling(record: logging.LogRecord) -> bool:
    message = record.getMessage()
    return not any(words in message for words in _OF_NO_USE)


class _Config(uvicorn.Config):
    manner: Manner
    paces: Paces | None
    proxies: Proxies
    client_limits: ClientLimits
    """Counts clients of proxies by their requests; all others are counted by their connections."""
    counts: tuple[ConnectionCounts, ConnectionCounts]
    """Counts the connections: those of clients, and those of proxies, which may have more than their clients use, so
    that refused clients get an answer."""


class _Http(Http):
    """Adds limits by address. A streamed response has no time limit while its client reads."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the class above has it
        super().connection_made(transport)
        assert isinstance(self.config, _Config)
        limits, is_proxy, address = self.config.manner, self._is_proxy(self), address_of(self)
        counts = self.config.counts[is_proxy]
        most = PROXY_SPARE * _most(limits) if is_proxy else _most(limits)
        has_room = counts.total < most or self._make_room(counts, address)
        counts.add(address)
        self.on_lost = partial(counts.remove, address)
        per_address = None if is_proxy else limits.per_address  # a proxy has many clients
        if not has_room or (per_address is not None and counts.of(address) > per_address):
            limits.refused("too_many", address)
            self.transport.abort()
        elif rest_s := self._rest_s():
            self.loop.call_soon(self.flow.pause_reading)  # early releases of Python 3.11 begin to read after this call
            self.loop.call_later(rest_s, self.flow.resume_reading)

    def on_response_complete(self) -> None:
        """Delay the next request of a client that sends too fast."""
        if (rest_s := self._rest_s()) and not self.transport.is_closing():
            self.flow.pause_reading()
            self.loop.call_later(rest_s, super().on_response_complete)
        else:
            super().on_response_complete()

    def _rest_s(self) -> float:
        assert isinstance(self.config, _Config)
        if self.config.paces is None or self._is_proxy(self):  # a proxy has many clients
            return 0.0
        return self.config.paces.of(address_of(self)).rest_s()

    def _make_room(self, counts: ConnectionCounts, address: str) -> bool:
        """Close an idle connection of the busiest address; False if there is none, or this one has that address."""
        most = counts.busiest()
        if counts.of(address) >= counts.of(most):
            return False
        is_proxy = self._is_proxy(self)
        others = [other for other in self.connections if isinstance(other, Connection) and address_of(other) == most]
        silent = [other for other in others if not other.is_busy and self._is_proxy(other) == is_proxy]
        if silent:
            min(silent, key=lambda other: not isinstance(other, Http)).transport.abort()
        return bool(silent)

    def _is_proxy(self, connection: Connection) -> bool:
        assert isinstance(self.config, _Config)
        return connection.client is not None and connection.client[0] in self.config.proxies

    def find_peer(self, path: str) -> OpenPeer | None:
        assert isinstance(self.config, _Config)
        return self.config.manner.peers(path)

    def admit(self, open: OpenPeer, response: bytes) -> None:
        """Accept a WebSocket, or refuse it if its proxy's client has too many."""
        if self.client is None or not self._is_proxy(self):
            super().admit(open, response)
            return
        assert isinstance(self.config, _Config)
        limits = self.config.client_limits
        address = counted_address(self.config.proxies.forwarded(self.client[0], self.headers))
        if (status := limits.enter(address)) is not None:
            self.answer(_refused(status))
            return
        peer = open(address, bearer(self.headers))
        peer.on_lost.append(partial(limits.leave, address))
        self.switch(peer, response, limits.rest_s(address))

    def _look(self, seen: RequestResponseCycle | None, patience: int) -> None:
        streams = self.cycle is not None and self.cycle.response_started and not self.flow.write_paused
        super()._look(seen, MOST_LOOKS if streams else patience)


class _Server(uvicorn.Server):
    """Does not handle signals, and does not wait for clients that do not close."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen without the base class, which would allow a minute for a TLS handshake."""
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
            if isinstance(connection, Connection):
                connection.transport.abort()


def _refused(status: int) -> Response:
    """The answer to a WebSocket of a client that has too many."""
    body = refusal(status)
    headers = Headers(
        [
            *((name.decode(), value.decode()) for name, value in (*HEADERS, *SECURITY_HEADERS)),
            ("Date", formatdate(usegmt=True)),
            ("Connection", "close"),
            ("Content-Length", str(len(body))),
        ]
    )
    return Response(status, HTTPStatus(status).phrase, headers, body)


def run(work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` with uvloop, if installed, and a clean shutdown on SIGINT, SIGTERM and SIGHUP."""
    sys.setswitchinterval(SWITCH_S)
    _have_files()
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(_until_told(work))


async def _until_told(work: Coroutine[Any, Any, T]) -> T:
    """Signals are handled in the loop: a normal handler could interrupt it anywhere."""
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
    """Raise the limit of open files, because each connection needs one."""
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
    """Serve the app during the block; yields the port, which the system chooses if it was 0."""
    async with serving_on(listening(address, port), app, manner) as port:
        yield port


@asynccontextmanager
async def serving_on(listener: socket.socket, app: Any, manner: Manner = PLAIN) -> AsyncIterator[int]:
    """Serve the app on a listening socket, which is closed at the end."""
    limits = ClientLimits(_most(manner), manner.per_address, manner.requests_a_second, manner.refused)
    app = with_body_deadline(by_network(app), manner.body_s)
    config = _Config(
        with_security_headers(through_proxies(app, limits.app(app), manner.proxies) if manner.proxies else app),
        log_config=None,  # logging is configured elsewhere
        http=_Http,
        ws=WebSocket,
        log_level="error",  # errors of clients are not logged
        access_log=False,
        server_header=False,
        ws_max_size=manner.most_message,
        ws_ping_interval=None,  # a busy client may not answer pings
        ws_per_message_deflate=False,  # compressing for each client costs more than sending
        timeout_graceful_shutdown=round(GRACE_S),
        proxy_headers=False,  # read by proxy_limits
        ssl_certfile=manner.certificate,
        ssl_keyfile=manner.certificate_key,
    )
    config.manner = manner
    config.proxies, config.client_limits = Proxies(manner.proxies), limits
    config.counts = ConnectionCounts(), ConnectionCounts()
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
