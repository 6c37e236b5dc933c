"""WebSockets of players, which the web server opens without the app: handshakes, frames and ends, on bare sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.server.arenas import Hall, House, evening
from tests.server.attackers import BINARY, CLOSE, PING, TEXT, message, upgrade
from tests.server.test_hostile import NONSENSE, Wire, code_in, frame, rest
from tests.turned import soon

HERE = "/play/forsale"


@asynccontextmanager
async def wired(hall: Hall, said: bytes) -> AsyncIterator[Wire]:
    reader, writer = await asyncio.open_connection("127.0.0.1", hall.serving.port)
    writer.write(said)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def head(reader: asyncio.StreamReader) -> bytes:
    return await soon(reader.readuntil(b"\r\n\r\n"))


PATHS = {
    HERE: b"hello",
    "/play/forsale/": b"hello",
    "//play//forsale": b"hello",
    "/play/for%73ale?full=1": b"hello",
    "/play/nothing": b"no_such_game",
    "/play/forsale/nowhere": b"no_such_table",
    "/play/forsale%2Fnowhere": b"no_such_table",
    "/ws/dominion/text": b"player-name-request",
    "/ws/dominion/": b"player-name-request",
    "/ws/forsale/x": b"no_such_game",
    "/ws/forsale/numbers": b"no_such_game",
    "/ws/colorfight/x": b"no_such_game",
    "/ws/nothing": b"no_such_game",
    "/ws/dominion/text/x": b"404",
    "/play": b"404",
    "/play/forsale/a/b": b"404",
    "/PLAY/forsale": b"404",
}


def test_what_is_served_where(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for path, answer in PATHS.items():
            async with wired(hall, upgrade(path)) as (reader, _):
                told = await head(reader)
                assert b"x-content-type-options: nosniff" in told and b"cache-control: no-store" in told
                if answer == b"404":
                    assert told.startswith(b"HTTP/1.1 404 ")
                else:
                    assert told.startswith(b"HTTP/1.1 101 ") and answer in (await frame(reader))[1], path

    evening(House(tmp_path, log="off"), work)


def test_a_handshake_that_is_none_is_refused(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        whole = upgrade(HERE)
        for said, status in (
            (whole.replace(b"Version: 13", b"Version: 12"), b"400"),
            (whole.replace(b"Sec-WebSocket-Key", b"Sec-WebSocket-Nothing"), b"400"),
            (whole.replace(b"Sec-WebSocket-Key: ", b"Sec-WebSocket-Key: x"), b"400"),
            (whole.replace(b"GET", b"POST"), b"405"),
            (whole[:-2] + b"X: y\r\n" * 130 + b"\r\n", b"431"),
            (whole[:-2] + b"Content-Length: 5\r\n\r\nhello", b"400"),
        ):
            async with wired(hall, said) as (reader, _):
                assert (await rest(reader)).startswith(b"HTTP/1.1 " + status)

    evening(House(tmp_path, log="off"), work)


def test_nonsense_ends_the_connection_with_its_code(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for case, (said, code) in {**NONSENSE, "binary": (message(BINARY, b"x") + message(CLOSE), 1000)}.items():
            async with wired(hall, upgrade(HERE)) as (reader, writer):
                await head(reader)
                writer.write(said)
                told = await rest(reader)
                assert (code_in(told) if code else 0) == code, case

    evening(House(tmp_path, log="off", hello_s=600.0), work)


@pytest.mark.parametrize("size", [7, 10**6])
def test_a_handshake_may_follow_a_request_and_a_message_the_handshake(tmp_path: Path, size: int) -> None:
    async def work(hall: Hall) -> None:
        said = b"GET /health HTTP/1.1\r\nHost: h\r\n\r\n" + upgrade(HERE) + message(PING, b"?") + message(TEXT, b"junk")
        async with wired(hall, b"") as (reader, writer):
            for start in range(0, len(said), size):
                writer.write(said[start : start + size])
                await asyncio.sleep(0)
            assert (await head(reader)).startswith(b"HTTP/1.1 200 ")
            assert await soon(reader.readuntil(b"}")) == b'{"status":"ok"}'
            assert (await head(reader)).startswith(b"HTTP/1.1 101 ")
            told = [await frame(reader) for _ in range(4)]
            assert (10, b"?") in told and told[-1] == (CLOSE, b"\x03\xe8")
            assert any(b"bad_hello" in text for _, text in told)

    evening(House(tmp_path, log="off"), work)


def test_messages_are_read_after_a_handshake_that_came_with_much_more(tmp_path: Path) -> None:
    """So much after a request that the web server has stopped reading."""

    async def work(hall: Hall) -> None:
        much = 2 * message(TEXT, b"x" * 60_000)
        said = b"GET /health HTTP/1.1\r\nHost: h\r\n\r\n" + upgrade("/play/nothing") + much
        async with wired(hall, said) as (reader, writer):
            await soon(reader.readuntil(b"HTTP/1.1 101 "))
            await head(reader)
            writer.write(message(PING, b"?"))
            told = [await frame(reader) for _ in range(3)]
            assert b"no_such_game" in told[0][1] and told[1:] == [(CLOSE, b"\x03\xe8"), (10, b"?")]

    evening(House(tmp_path, log="off"), work)
