"""Connections that break, for the soak of returns, and its clients of our own protocols."""

import asyncio
import contextlib
import http.client
import itertools
import json
import random
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from parlour.client import Client, Finished
from parlour.client.match import ClientMatch

HOST = "127.0.0.1"
GONE = (ConnectionClosed, InvalidHandshake, OSError, EOFError)
AGAIN_S = 0.05
"""The pause before a client tries again that got no answer, or was refused for the moment."""
CHUNK = 64 * 1024


class Luck(Struct):
    """How bad the road is: of so many connections one is cut, after so many pieces of what goes over it."""

    random: random.Random
    cut: float = 0.8
    most_pieces: int = 40
    slow: float = 0.15
    """Of so many connections one brings what the client says late."""
    slow_s: float = 0.3
    late_s: float = 0.4
    """So long the server may take to notice a cut."""
    cuts: int = 0
    calm: bool = False
    """Whether nothing is cut any more."""


class Road:
    """Leads to a port of the server. Connections are cut at random moments, without a word, and not always at both ends
    at the same time."""

    def __init__(self, port: int, luck: Luck) -> None:
        self._port = port
        self._luck = luck
        self._server: asyncio.Server | None = None
        self._travels: set[asyncio.Task[None]] = set()
        self.port = 0

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._came, HOST, 0, limit=CHUNK)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        travels = [*self._travels]
        for travel in travels:
            travel.cancel()
        await asyncio.gather(*travels, return_exceptions=True)

    def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        travel = asyncio.ensure_future(self._travel(reader, writer))
        self._travels.add(travel)
        travel.add_done_callback(self._travels.discard)

    async def _travel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        luck, draw = self._luck, self._luck.random
        try:
            there, back = await asyncio.open_connection(HOST, self._port, limit=CHUNK)
        except OSError:
            writer.transport.abort()
            return
        pieces = draw.randint(1, luck.most_pieces) if draw.random() < luck.cut else None
        left = itertools.repeat(None) if pieces is None else itertools.repeat(None, pieces)
        slow_s = draw.uniform(0.0, luck.slow_s) if draw.random() < luck.slow else 0.0
        to = asyncio.ensure_future(self._carry(reader, back, left, slow_s))
        fro = asyncio.ensure_future(self._carry(there, writer, left, 0.0))
        try:
            await asyncio.wait([to, fro], return_when=asyncio.FIRST_COMPLETED)
            writer.transport.abort()
            await asyncio.sleep(draw.choice((0.0, draw.uniform(0.0, luck.late_s))))
        finally:
            for task in (to, fro):
                task.cancel()
            await asyncio.gather(to, fro, return_exceptions=True)
            writer.transport.abort()
            back.transport.abort()

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: "itertools.repeat[None]", slow_s: float
    ) -> None:
        """Until one end is gone or the last piece is carried, or is to be and is lost."""
        await asyncio.sleep(slow_s)
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                is_last = not self._luck.calm and next(left, self) is self
                if is_last:
                    self._luck.cuts += 1
                if not is_last or self._luck.random.random() < 0.5:
                    writer.write(data)
                    await writer.drain()
                if is_last:
                    return


class LineClient(Client):
    """The same over TCP."""

    def __init__(self, url: str, token: str | None, port: int, watch: Callable[[Any], None]) -> None:
        super().__init__(url, token, watch=watch)
        self._port = port

    async def _connected(self, playing: ClientMatch, path: str) -> Finished | None:
        _, _, name, *table = path.split("/")
        enter = {"type": "enter", "game": name} | ({"table": table[0]} if table else {})
        with contextlib.suppress(*GONE):
            line = _Line(*await asyncio.open_connection(HOST, self._port, limit=CHUNK * 16))
            try:
                await line.send(json.dumps(enter))
                return await playing.on(cast(ClientConnection, line))
            finally:
                line.close()
        return None


class _Line:
    """What a client asks of a WebSocket, over TCP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def send(self, text: str) -> None:
        self._writer.write(text.encode() + b"\n")
        await self._writer.drain()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (line := await self._reader.readline()).endswith(b"\n"):
            yield line

    def close(self) -> None:
        self._writer.transport.abort()


async def watched(url: str, match: str) -> int:
    """How many messages come until there are no more; a match that is watched to its end tells it."""
    seen = 0
    with contextlib.suppress(*GONE, TimeoutError):
        async with connect(f"{url}/watch/{match}", proxy=None, max_size=None) as line:
            async for _ in line:
                seen += 1
    return seen


async def streamed(port: int, match: str) -> int:
    """The same as server-sent events, in the few words of HTTP that it takes."""
    seen = 0
    with contextlib.suppress(*GONE):
        reader, writer = await asyncio.open_connection(HOST, port, limit=CHUNK * 16)
        try:
            writer.write(f"GET /api/matches/{match}/events HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            while (line := await reader.readline()).endswith(b"\n") and line != b"0\r\n":
                seen += line.startswith(b"data:")
        finally:
            writer.transport.abort()
    return seen


class Asker:
    """Asks over HTTP, again and again until there is a server."""

    def __init__(self, port: int) -> None:
        self._url = f"http://{HOST}:{port}"
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self._threads = ThreadPoolExecutor(64)  # of our own: who waits for the server must not wait in its place

    async def post(self, path: str, token: str | None = None, **body: Any) -> Any:
        return await self._asked("POST", path, token, body)

    async def get(self, path: str, token: str) -> Any:
        return await self._asked("GET", path, token, None)

    async def delete(self, path: str, token: str) -> Any:
        return await self._asked("DELETE", path, token, None)

    async def _asked(self, method: str, path: str, token: str | None, body: Any) -> Any:
        """What is answered, be it a refusal."""
        data = None if body is None else msgspec.json.encode(body)
        headers = {"Content-Type": "application/json"} | ({} if token is None else {"Authorization": f"Bearer {token}"})
        request = urllib.request.Request(self._url + path, data, headers, method=method)
        while True:
            try:
                said = await asyncio.get_running_loop().run_in_executor(self._threads, self._said, request)
            except (OSError, http.client.HTTPException):
                await asyncio.sleep(AGAIN_S)
                continue
            if not isinstance(said, dict) or said.get("status") not in (500, 503):
                return said
            if said["status"] == 500:
                raise AssertionError(f"{path}: {said}")
            await asyncio.sleep(AGAIN_S)

    def _said(self, request: urllib.request.Request) -> Any:
        try:
            with self._opener.open(request, timeout=60) as answer:
                return msgspec.json.decode(answer.read() or b"null")
        except urllib.error.HTTPError as e:
            with e:
                return msgspec.json.decode(e.read() or b"null")
