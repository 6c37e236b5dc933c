"""An HTTP server in this program's own loop."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import uvicorn

T = TypeVar("T")

MOST_MESSAGE = 256 * 1024
"""Bytes of one WebSocket message; a longer one closes its connection."""
MOST_CONNECTIONS = 1024
GRACE_S = 2
"""How long connections may take to say goodbye when the server stops."""


def _worth_telling(record: logging.LogRecord) -> bool:
    """A handshake that was answered by a plain 404 is complete, whatever the server thinks of it."""
    return "without completing handshake" not in record.getMessage()


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs the loop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


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


@asynccontextmanager
async def serving(app: Any, address: str, port: int) -> AsyncIterator[int]:
    """Serve the app there as long as the block lasts; gives the port, which matters if any would do."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.create_server((address, port), family=family, backlog=1024)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=MOST_MESSAGE,
        ws_ping_interval=None,  # clients that are busy thinking must not be taken for dead
        ws_per_message_deflate=False,  # a frame goes to many, and compressing it for each costs more than sending it
        limit_concurrency=MOST_CONNECTIONS,
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
