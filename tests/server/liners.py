"""Clients that speak lines, over WebSocket and over TCP."""

import asyncio
import contextlib
import json
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_web
from websockets.exceptions import ConnectionClosed

from tests.players.clients import connect
from tests.server.arenas import Hall
from tests.turned import SOON_S

Body = dict[str, Any]


class Liner:
    """A client that speaks lines over WebSocket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[Body] = []

    async def says(self, type: str, **body: Any) -> None:
        await self.send(json.dumps({"type": type, **body}))

    async def send(self, message: str | bytes) -> None:
        await self.socket.send(message)

    async def next(self) -> Body:
        async with asyncio.timeout(SOON_S):
            self.heard.append(json.loads(await self.receive()))
        return self.heard[-1]

    async def receive(self) -> str | bytes:
        return await self.socket.recv()

    async def hears(self, type: str, **fields: Any) -> Body:
        """The next message of this type with these fields."""
        before = len(self.heard)
        while True:
            try:
                said = await self.next()
            except (TimeoutError, ConnectionClosed, ValueError) as e:
                raise AssertionError(f"no {type} {fields} in {self.heard[before:]}, but {e!r}") from None
            if said["type"] == type and all(said.get(key) == value for key, value in fields.items()):
                return said

    async def rest(self) -> list[Body]:
        """All messages until the connection is closed."""
        rest: list[Body] = []
        with contextlib.suppress(ConnectionClosed):
            async with asyncio.timeout(SOON_S):
                while True:
                    rest.append(json.loads(await self.socket.recv()))
        return rest

    async def drop(self) -> None:
        """Lose the connection without a word."""
        self.socket.transport.abort()
        await self.socket.wait_closed()


class TcpLiner(Liner):
    """The same over TCP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.heard = []

    @classmethod
    async def sits(cls, port: int, name: str, **more: Any) -> "TcpLiner":
        liner = cls(*await connect(port))
        await liner.says("login", username=name, **more)
        return liner

    async def send(self, message: str | bytes) -> None:
        data = message.encode() if isinstance(message, str) else message
        self.writer.write(data + b"\n")

    async def receive(self) -> str | bytes:
        return await self.reader.readline()

    async def rest(self) -> list[Body]:
        rest: list[Body] = []
        with contextlib.suppress(ConnectionResetError):
            async with asyncio.timeout(SOON_S):
                while line := await self.reader.readline():
                    rest.append(json.loads(line))
        return rest

    async def drop(self) -> None:
        self.writer.transport.abort()


async def closed(socket: ClientConnection) -> int | None:
    """The code with which it is closed, whatever comes before."""
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(SOON_S):
            while True:
                await socket.recv()
    return socket.close_code


async def to_arena(hall: Hall, way: str, **said: Any) -> Liner:
    """Connect to tradeCraft at an arena over this transport, and send this name or token."""
    if way == "TCP":
        made: Liner = TcpLiner(*await connect(hall.serving.listeners["tradecraft"]))
    else:
        made = Liner(await connect_web(f"ws://127.0.0.1:{hall.serving.port}/ws/tradecraft", proxy=None))
    await made.says("login", **said)
    return made
