"""An HTTP server in this program's own loop."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import uvicorn

from parlour.server.protocols import Http, WebSocket

T = TypeVar("T")

MOST_MESSAGE = 256 * 1024
"""Bytes of one WebSocket message; a longer one closes its connection."""
LAST_S = 1.0
"""How long connections may take to say goodbye when the server stops."""
GRACE_S = 3
"""How long it may take then to answer what was asked before."""

KEEP_ALIVE = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4))
"""Who does not say anything for a minute is asked whether it is still there; not the client, but its machine."""

_OF_NO_USE = (
    "without completing handshake",  # it was answered by a plain 404, which completes it
    "Invalid UTF-8",  # and so the connection is closed; we need no traceback for what a client does
)


def _worth_telling(record: logging.LogRecord) -> bool:
    message = record.getMessage()
    return not any(words in message for words in _OF_NO_USE)


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs the loop, and does not wait for clients that do not go."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

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
    """`asyncio.run` in a quicker loop, where there is one."""
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(work)


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def listening(address: str, port: int) -> socket.socket:
    """A socket whose connections end when the other machine is gone."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.create_server((address, port), family=family, backlog=1024)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in KEEP_ALIVE:
        if hasattr(socket, name):  # not everywhere
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return listener


@asynccontextmanager
async def serving(app: Any, address: str, port: int) -> AsyncIterator[int]:
    """Serve the app there as long as the block lasts; gives the port, which matters if any would do."""
    listener = listening(address, port)
    config = uvicorn.Config(
        app,
        http=Http,
        ws=WebSocket,
        log_level="error",  # what clients do wrong is their business
        access_log=False,
        server_header=False,
        ws_max_size=MOST_MESSAGE,
        ws_ping_interval=None,  # clients that are busy thinking must not be taken for dead
        ws_per_message_deflate=False,  # a frame goes to many, and compressing it for each costs more than sending it
        timeout_graceful_shutdown=GRACE_S,
    )
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
