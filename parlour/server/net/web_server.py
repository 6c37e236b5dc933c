"""Run uvicorn in the current event loop, with limits on connections and requests."""

import asyncio
import contextlib
import logging
import resource
import signal
import socket
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

import uvicorn
from litestar.types import ASGIApp
from uvicorn.loops.auto import auto_loop_factory

from parlour import __version__
from parlour.server.net.connections import FindPeer, Gate, Http, WebSocket
from parlour.server.net.middleware import with_body_deadline, with_headers
from parlour.server.net.proxy_limits import ProxyClients
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.transports.limits import FRAME_FACTOR, GRACE_S, LAST_S

T = TypeVar("T")

SWITCH_S = 0.0005
"""Python's thread switch interval: a tenth of the default, so that store threads wait less for the event loop."""
MOST_FILES = 65536

_NOT_NEEDED = (
    "without completing handshake",  # the handshake was answered by a plain 404
    "Invalid UTF-8",  # the connection is closed; errors of clients need no traceback
)


def _is_needed(record: logging.LogRecord) -> bool:
    message = record.getMessage()
    return not any(words in message for words in _NOT_NEEDED)


class _Server(uvicorn.Server):
    """A uvicorn server that does not handle signals, and does not wait for clients that do not close."""

    hello_s: float
    """Timeout of the TLS handshake."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen without the base class, which would allow a minute for a TLS handshake."""
        await super().startup(sockets=[])
        loop, config = asyncio.get_running_loop(), self.config
        http: Any = config.http_protocol_class
        connection = partial(http, config, self.server_state, self.lifespan.state)
        hello_s = None if config.ssl is None else self.hello_s
        for each in sockets or ():
            server = await loop.create_server(
                connection, sock=each, ssl=config.ssl, backlog=config.backlog, ssl_handshake_timeout=hello_s
            )
            self.servers.append(server)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        last = asyncio.get_running_loop().call_later(LAST_S, self._hang_up)
        try:
            await super().shutdown(sockets)
        finally:
            last.cancel()
            self._hang_up()

    def _hang_up(self) -> None:
        for connection in [*self.server_state.connections]:
            connection.transport.abort()


def run(work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` with uvloop, if installed, and a clean shutdown on SIGINT, SIGTERM and SIGHUP."""
    sys.setswitchinterval(SWITCH_S)
    _raise_file_limit()
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        return runner.run(_until_signal(work))


async def _until_signal(work: Coroutine[Any, Any, T]) -> T:
    """Run until a signal comes. It is handled in the loop: a normal handler could interrupt the loop anywhere."""
    loop, task, received = asyncio.get_running_loop(), asyncio.ensure_future(work), list[signal.Signals]()

    def stop(number: signal.Signals) -> None:
        received.append(number)
        task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not received:
            raise
    if received[0] is signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(128 + received[0])


def _raise_file_limit() -> None:
    """Raise the limit of open files, because each connection needs one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@asynccontextmanager
async def serving(
    listener: socket.socket,
    app: ASGIApp,
    settings: Settings,
    metrics: Metrics,
    find_peer: FindPeer,
    build: str = __version__,
) -> AsyncIterator[int]:
    """Serve the app on a listening socket during the block; yields the port. The socket is closed at the end. `build`
    is the id of the built page."""
    clients = ProxyClients(with_body_deadline(app), settings, metrics)
    http: Any = partial(Http, Gate(settings, metrics, clients, find_peer))
    server = _Server(
        uvicorn.Config(
            with_headers(clients, build),
            log_config=None,  # logging is configured elsewhere
            http=http,
            ws=WebSocket,
            log_level="error",  # errors of clients are not logged
            access_log=False,
            server_header=False,
            ws_max_size=FRAME_FACTOR * settings.message_bytes,  # a longer message closes the connection
            ws_ping_interval=None,  # a busy client may not answer pings
            ws_per_message_deflate=False,  # compressing for each client costs more than sending
            timeout_graceful_shutdown=round(GRACE_S),
            proxy_headers=False,  # read by proxy_limits
            ssl_certfile=settings.certificate,
            ssl_keyfile=settings.certificate_key,
        )
    )
    server.hello_s = settings.hello_s
    logging.getLogger("uvicorn.error").addFilter(_is_needed)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await _started(server, task)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await task


async def _started(server: _Server, task: "asyncio.Task[None]") -> None:
    """Wait until the server accepts connections. If its task has ended instead, raise its exception."""
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    if task.done():
        await task
