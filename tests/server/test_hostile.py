"""Clients that stall, flood, send junk or do not read: the answers to them, and that nothing is left of them."""

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import AsyncIterator, Awaitable
from typing import Any

import pytest

import parlour.server.net.websockets
import parlour.store.passwords
from parlour.server.net.ports import listening
from parlour.transports.limits import (
    A_SECOND,
    BITE,
    BODY_S,
    BURST,
    FAREWELL_S,
    FRAMES_A_SECOND,
    FRAMES_BURST,
    HEAVY,
    MOST_PARTS,
    REGISTERS_A_SECOND,
    REGISTERS_BURST,
    REQUEST_S,
    SEND_S,
)
from tests.players.test_calls import DONE, NO_SUCH_ACTION, NOT_JSON, command, register
from tests.server.attackers import CLOSE, PING, SHOWS, TAKES, TEXT, message, upgrade
from tests.server.visitors import PUBLIC, ROOT, House, closed, refused, room
from tests.turned import SOON_S, run, settle, turn, until

Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@contextlib.asynccontextmanager
async def wired(house: House, first: bytes = b"") -> AsyncIterator[Wire]:
    """A plain connection on which these bytes were sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(first)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


@contextlib.asynccontextmanager
async def channel(house: House, path: str = "/action_channel") -> AsyncIterator[Wire]:
    """A bare WebSocket."""
    async with wired(house, upgrade(path)) as (reader, writer):
        async with asyncio.timeout(SOON_S):
            head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 ")
        yield reader, writer


async def rest(reader: asyncio.StreamReader) -> bytes:
    """All that comes before the connection is lost."""
    heard = b""
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(SOON_S):
            while part := await reader.read(1 << 16):
                heard += part
    return heard


async def frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The next WebSocket frame: its kind, and what is in it."""
    async with asyncio.timeout(SOON_S):
        first, size = await reader.readexactly(2)
        if size >= 126:
            size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
        return first & 0x0F, await reader.readexactly(size)


def code_in(heard: bytes) -> int:
    """The code in the close frame."""
    at = heard.rindex(bytes([0x80 | CLOSE]))
    return int.from_bytes(heard[at + 2 : at + 4], "big")


# Nonsense on the wire


NONSENSE: dict[str, tuple[bytes, int]] = {
    "without a mask": (b"\x81\x02hi", 1002),
    "an unknown kind": (message(3), 1002),
    "a reserved bit": (b"\xc1" + message(TEXT, b"x")[1:], 1002),
    "a ping that is too big": (b"\x89\xfe\x00\x7e" + bytes(4 + 126), 1002),
    "a ping in parts": (message(PING, b"x", last=False), 1002),
    "a part of nothing": (message(0, b"x"), 1002),
    "two texts at once": (message(TEXT, b"x", last=False) + message(TEXT, b"y"), 1002),
    "a text that is none": (message(TEXT, b"\xff\xfe"), 1007),
    "half a letter at the end": (message(TEXT, "ü".encode()[:1]), 1007),
    "longer than there can be": (b"\x81\xff\x7f" + b"\xff" * 7 + bytes(4), 1009),
    "a little too long": (b"\x81\xff" + (256 * 1024 + 1).to_bytes(8, "big") + bytes(4), 1009),
    "too many parts": (message(TEXT, b"", last=False) + message(0, b"", last=False) * (MOST_PARTS + 1), 1009),
    "a goodbye without a code": (message(CLOSE), 0),
    "a goodbye with half a code": (message(CLOSE, b"\x03"), 1002),
    "a goodbye with a strange code": (message(CLOSE, (999).to_bytes(2, "big")), 1002),
}


@pytest.mark.parametrize("path", [*TAKES, *SHOWS])
def test_nonsense_ends_its_connection_and_no_other(path: str) -> None:
    async def work() -> Any:
        async with House() as house:
            codes, other = {}, await house.actor()
            for case, (said, _) in NONSENSE.items():
                async with channel(house, path) as (reader, writer):
                    writer.write(said)
                    codes[case] = code_in(await rest(reader)) if case != "a goodbye without a code" else 0
            assert await other.register("ada") == {"success": True, "uid": 1}
            return codes

    assert run(work()) == {case: code for case, (_, code) in NONSENSE.items()}


@pytest.mark.parametrize(
    "said",
    [
        *(b"hello\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 100),
        *(b"GET / HTTP/1.1\r\n\r\n", b"POST /start HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n"),
        b"GET / HTTP/1.1\r\nHost: h\r\n" + b"a: b\r\n" * 20_000,
        b"POST /start HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
    ],
    ids=lambda said: repr(said[:20]),
)
def test_what_is_no_http_is_answered_or_dropped_and_not_logged(said: bytes) -> None:
    async def work() -> bytes:
        async with House() as house, wired(house, said) as (reader, writer):
            writer.write_eof()
            return await rest(reader)

    assert run(work())[:12] in (b"HTTP/1.1 400", b"HTTP/1.1 404", b"")


def test_a_handshake_that_is_none() -> None:
    async def work() -> None:
        async with House() as house:
            whole = upgrade("/action_channel")
            for said in (
                whole.replace(b"Version: 13", b"Version: 12"),
                whole.replace(b"Sec-WebSocket-Key", b"Sec-WebSocket-Nothing"),
                whole.replace(b"Sec-WebSocket-Key: ", b"Sec-WebSocket-Key: x"),
            ):
                async with wired(house, said) as (reader, _):
                    assert (await rest(reader))[:10] == b"HTTP/1.1 4"

    run(work())


def test_a_client_that_goes_in_the_middle_of_anything() -> None:
    """Clients disconnect during the handshake, a frame, a registration, and a message of the server."""

    async def work() -> None:
        async with House() as house:
            await house.start()
            whole = message(TEXT, register("ada").encode())
            for path in (*TAKES, *SHOWS):
                for said in (upgrade(path)[:40], upgrade(path), upgrade(path) + whole[:9], upgrade(path) + whole * 3):
                    async with wired(house, said):
                        await asyncio.sleep(0)
                    async with wired(house, said) as (_, writer):
                        await settle()
                        writer.close()
            await until(lambda: house.room().idle_s() > 0)

    run(work())


def test_no_task_is_left_of_those_who_have_gone() -> None:
    async def work() -> None:
        async with House() as house:
            await house.actor()
            before = len(asyncio.all_tasks())
            for _ in range(20):
                for path in (*TAKES, *SHOWS):
                    async with channel(house, path) as (_, writer):
                        writer.write(message(TEXT, command().encode()) * 5)
            await until(lambda: len(asyncio.all_tasks()) <= before)

    run(work())


# Messages in parts


def test_a_message_in_parts_is_one_message() -> None:
    async def work() -> None:
        async with House() as house:
            actor = await house.actor()
            await actor.connection.send(list(register("ada")))
            assert await actor.reply() == {"success": True, "uid": 1}

    run(work())


def test_a_message_that_comes_byte_by_byte_with_pings_in_between() -> None:
    async def work() -> None:
        async with House() as house, channel(house) as (reader, writer):
            half = message(TEXT, b'{"action":', last=False), message(0, b'"jump"}')
            for said in (half[0], message(PING, b"there?"), half[1]):
                for place in range(len(said)):
                    writer.write(said[place : place + 1])
                    await asyncio.sleep(0)
            assert await frame(reader) == (10, b"there?")
            assert json.loads((await frame(reader))[1]) == refused(NO_SUCH_ACTION)

    run(work())


def test_messages_that_come_all_at_once_are_answered_in_order() -> None:
    """Many messages in one packet, larger and smaller than the read buffer."""

    async def work() -> None:
        async with House() as house, channel(house) as (reader, writer):
            sent = ["x" * size for size in (1, BITE - 6, BITE, 3 * BITE, 2)] + [register("ada"), command("x"), "{}"]
            writer.write(b"".join(message(TEXT, text.encode()) for text in sent))
            said = [json.loads((await frame(reader))[1]) for _ in sent]
            assert said[:5] == [refused(NOT_JSON)] * 5
            assert said[5:7] == [{"success": True, "uid": 1}, DONE]
            writer.write(message(CLOSE))
            assert (await frame(reader))[0] == CLOSE

    run(work())


def test_nothing_is_compressed() -> None:
    """A small message that would be huge when decompressed is not read."""

    async def work() -> None:
        async with House() as house:
            client = await house.connect("/action_channel", compression="deflate")
            assert client.response is not None and "Sec-WebSocket-Extensions" not in client.response.headers
            await client.send("x" * 1000)
            assert json.loads(await client.recv()) == refused(NOT_JSON)

    run(work())


# Floods


async def seconds(work: Awaitable[object]) -> float:
    """The seconds that the work takes, by the clock of the tests."""
    loop = asyncio.get_running_loop()
    begin, task = loop.time(), asyncio.ensure_future(work)
    while not task.done():
        turn(0.05)
        await asyncio.sleep(0.02)
    await task
    return loop.time() - begin + 0.1  # of which none of our paces makes a point


async def frames(reader: asyncio.StreamReader, count: int) -> None:
    for _ in range(count):
        await frame(reader)


def test_a_client_that_floods_an_action_channel_is_answered_at_a_pace() -> None:
    async def work() -> float:
        async with House() as house, channel(house) as (reader, writer):
            writer.write(message(TEXT, b"x") * (BURST + 200))
            return await seconds(frames(reader, BURST + 200))

    assert run(work()) >= 200 / A_SECOND


def test_a_heavy_message_counts_for_several() -> None:
    async def work() -> float:
        async with House() as house, channel(house) as (reader, writer):
            writer.write(message(TEXT, b"x" * 3 * HEAVY) * BURST)
            return await seconds(frames(reader, BURST))

    assert run(work()) >= 3 * BURST / A_SECOND


def test_a_client_that_sends_many_pings_is_answered_at_a_pace() -> None:
    async def work() -> float:
        async with House() as house, channel(house) as (reader, writer):
            writer.write(message(PING) * (FRAMES_BURST + 5000))
            return await seconds(frames(reader, FRAMES_BURST + 5000))

    assert run(work()) >= (5000 - BITE / 6) / FRAMES_A_SECOND, "but for what came in the last bite"


def test_a_client_that_registers_again_and_again_waits_longer() -> None:
    async def work() -> float:
        async with House() as house:
            await house.player("ada")
            actor = await house.actor()

            async def guess() -> None:
                for number in range(REGISTERS_BURST + 5):
                    assert await actor.register("ada", f"guess {number}") == refused("Username exists")

            return await seconds(guess())

    assert run(work()) >= 5 / REGISTERS_A_SECOND


def test_passwords_are_hashed_one_at_a_time() -> None:
    """The limit holds for all rooms and calls together."""

    async def work() -> int:
        with pytest.MonkeyPatch.context() as patch:
            watcher = Watcher(parlour.store.passwords.hashed)
            patch.setattr(parlour.store.passwords, "hashed", watcher)
            async with House(admin_password="secret") as house:
                makes = [house.post("/creategameroom", gameroom_id=f"r{n}", admin_password="own") for n in range(8)]
                rooms = [f"/gameroom/r{number}" for number in range(8)]
                assert await asyncio.gather(*makes) == [DONE] * 8
                await asyncio.gather(*(house.player(f"p{n}", where) for n in range(3) for where in rooms))
            assert watcher.calls == 8 + 24
            return watcher.most

    assert run(work()) == 1


class Watcher:
    """Counts simultaneous calls of a function."""

    def __init__(self, work: Any) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._now = self.most = self.calls = 0

    def __call__(self, *args: Any) -> Any:
        with self._lock:
            self.calls += 1
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            return self._work(*args)
        finally:
            with self._lock:
                self._now -= 1


# Clients that do not read


@pytest.mark.parametrize("path", SHOWS)
def test_a_client_that_never_reads_is_let_go(path: str) -> None:
    """A client that does not read misses frames, then gets a close frame, and then is disconnected."""

    async def work() -> None:
        async with House(room(max_turn=500)) as house:
            viewer = await house.viewer(ROOT)
            with socket.socket() as lazy:
                lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                lazy.connect(("127.0.0.1", house.port))
                lazy.sendall(upgrade(path))
                await house.start()
                await until(lambda: _waiting(house) == 2)
                for number in range(1, 120):
                    assert (await viewer.turn(number))["turn"] == number, "others see every turn"
                    await house.round()
                await viewer.connection.close()
                turn(SEND_S)
                await settle()
                turn(SEND_S)
                await until(lambda: house.room().idle_s() > 0)
                turn(FAREWELL_S)
                await until(lambda: _is_reset(lazy))

    run(work())


def _waiting(house: House) -> int:
    return house.room()._sockets


def _is_reset(client: socket.socket) -> bool:
    try:
        client.send(b"x")
    except OSError:
        return True
    return False


def test_a_client_that_does_not_read_its_replies_is_let_go() -> None:
    async def work() -> None:
        async with House() as house:
            with socket.socket() as lazy:
                lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                lazy.connect(("127.0.0.1", house.port))
                lazy.sendall(upgrade("/action_channel"))
                await until(lambda: _waiting(house) == 1)
                lazy.setblocking(False)
                for _ in range(3000):
                    with contextlib.suppress(BlockingIOError):
                        lazy.send(message(TEXT, b"x" * 100) * 100)
                    turn(10.0)
                    await asyncio.sleep(0.001)
                    if not _waiting(house):
                        break
                assert not _waiting(house)

    run(work())


def test_pongs_wait_for_a_client_that_reads_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several pings, at least the last is answered."""
    monkeypatch.setattr(parlour.server.net.websockets, "SEND_S", 10 * SOON_S)

    async def work() -> None:
        async with House(room(round_time=0.01, max_turn=10_000)) as house, channel(house, SHOWS[0]) as (reader, writer):
            await house.start()
            reader._transport.pause_reading()  # type: ignore[attr-defined]  # there is no other way not to read
            await until(lambda: house.game().state.turn > 100)
            writer.write(message(PING, b"one") + message(PING, b"two"))
            await settle()
            reader._transport.resume_reading()  # type: ignore[attr-defined]
            heard: list[tuple[int, bytes]] = []
            while (10, b"two") not in heard:
                heard.append(await frame(reader))
            assert len(heard) > 1, "what was sent before comes first"

    run(work())


# Who dawdles


@pytest.mark.parametrize(
    "said", [b"", b"GET", upgrade("/action_channel")[:-2]], ids=["nothing", "a word", "almost all"]
)
def test_a_client_that_does_not_come_to_the_point_is_dropped(said: bytes) -> None:
    async def work() -> None:
        async with House() as house, wired(house, said) as (reader, writer):
            await settle()
            turn(REQUEST_S / 2)
            writer.write(b"")
            await settle()
            turn(REQUEST_S / 2)
            assert await rest(reader) == b""

    run(work())


def test_a_client_that_does_not_come_to_the_point_of_a_second_request_is_dropped() -> None:
    async def work() -> None:
        asks = b"GET /get_gameroom_list HTTP/1.1\r\nHost: here\r\n\r\n"
        async with House() as house, wired(house, asks) as (reader, writer):
            async with asyncio.timeout(SOON_S):
                assert (await reader.readuntil(b"}]")).startswith(b"HTTP/1.1 200")
            writer.write(asks[:10])
            while not (reader.at_eof() or reader.exception()):
                turn(REQUEST_S)
                await settle()
            assert await rest(reader) == b""

    run(work())


def test_a_body_that_never_ends_is_answered_and_dropped() -> None:
    async def work() -> None:
        asks = b"POST /start HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\n{"
        async with House() as house, wired(house, asks) as (reader, _):
            await settle()
            turn(BODY_S)
            assert (await rest(reader)).startswith(b"HTTP/1.1 408 ")

    run(work())


def test_a_websocket_may_be_silent_for_as_long_as_it_likes() -> None:
    async def work() -> None:
        async with House() as house:
            actor = await house.actor(PUBLIC)
            for _ in range(20):
                turn(REQUEST_S)
                await asyncio.sleep(0.001)
            assert await actor.register("ada") == {"success": True, "uid": 1}

    run(work())


def test_a_connection_too_many_is_dropped() -> None:
    async def work() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(House, "connections", 3)
            async with House() as house:
                actors = [await house.actor() for _ in range(3)]
                async with wired(house, upgrade("/action_channel")) as (reader, _):
                    assert await rest(reader) == b""
                assert await actors[0].register("ada") == {"success": True, "uid": 1}
                await actors[1].connection.close()
                await until(lambda: _waiting(house) == 2)
                assert await (await house.actor()).register("bob") == {"success": True, "uid": 2}

    run(work())


def test_the_other_machine_is_asked_whether_it_is_still_there() -> None:
    """A client whose machine was switched off sends nothing, so without keep-alive it would stay connected."""
    with listening("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 60


# The end of the server


def test_the_server_stops_whatever_its_clients_do() -> None:
    """Clients that do not read, flood, are silent, or are in the middle of a request do not delay the end."""

    async def work() -> None:
        async with House(room(round_time=0.01, max_turn=10_000)) as house:
            await house.start()
            async with contextlib.AsyncExitStack() as stack:
                lazy = stack.enter_context(socket.socket())
                lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                lazy.connect(("127.0.0.1", house.port))
                lazy.sendall(upgrade(SHOWS[0]))
                flood = message(TEXT, b"x") * 5000 + message(PING) * 5000
                for said in (flood, b""):
                    _, writer = await stack.enter_async_context(channel(house))
                    writer.write(said)
                half = b"POST /start HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\n{"
                await stack.enter_async_context(wired(house, half))
                await until(lambda: house.game().state.turn > 100)
                viewer = await house.viewer(PUBLIC)
                await house.rooms.stop()
                assert await closed(viewer.connection) == 1000
                await house._serving.__aexit__(None, None, None)
                house._serving = contextlib.nullcontext()  # type: ignore[assignment]  # it is over

    run(work())
