"""Texts that an app sends without waiting: in one go, as long as the client keeps up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from parlour.server.net.connections import AT_ONCE
from parlour.server.net.web_server import serving
from tests.players.clients import run


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[ClientConnection]:
    """Somebody who is connected to the app."""
    async with (
        serving(_only_websockets(app), "127.0.0.1", 0) as port,
        connect(f"ws://127.0.0.1:{port}/", max_size=None) as line,
    ):
        yield line


SIZES = (0, 1, 125, 126, 65535, 65536, 200_000)


def test_texts_of_every_size_arrive_whole_and_in_order() -> None:
    texts = [b"x" * size for size in SIZES]
    came: list[bool] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        at_once = scope["extensions"][AT_ONCE]["send"]
        await receive()
        came.append(at_once([b"too early"]))
        await send({"type": "websocket.accept"})
        came.append(at_once(texts))
        await receive()

    async def work() -> None:
        async with served(app) as line:
            assert [len(await line.recv()) for _ in SIZES] == [*SIZES]

    run(work())
    assert came == [False, True]


def test_who_does_not_read_is_sent_nothing_more_in_this_way() -> None:
    taken: asyncio.Future[int]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        at_once = scope["extensions"][AT_ONCE]["send"]
        await receive()
        await send({"type": "websocket.accept"})
        count = 0
        while at_once([b"x" * 60_000]):
            count += 1
        taken.set_result(count)

    async def work() -> None:
        nonlocal taken
        taken = asyncio.get_running_loop().create_future()
        async with served(app) as line:
            line.transport.pause_reading()
            assert 1 <= await taken < 1000
            line.transport.abort()

    run(work())


def _only_websockets(app: Any) -> Any:
    async def outer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await app(scope, receive, send)
        else:
            await _started(receive, send)

    return outer


async def _started(receive: Any, send: Any) -> None:
    while True:
        event = await receive()
        await send({"type": f"{event['type']}.complete"})
        if event["type"] == "lifespan.shutdown":
            return
