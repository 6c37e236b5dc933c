"""Random junk on every port, and many clients that stall, flood or do not read: other matches are not slowed down."""

import asyncio
import json
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from parlour.client import Client
from parlour.games import game
from parlour.plugins import names
from parlour.server.settings import usual_ports
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.attackers import upgrade
from tests.server.guests import Log
from tests.turned import SOON_S, turn

DIALECTS = [f"{name}/{dialect}" for name in names() for dialect in game(name).hosting.ports]
BEGINNINGS = (
    b'{"type": "enter", "game": "forsale"}\n{"type": "hello"}\n',
    b'{"type": "enter", "game": "dominion"}\n',
    b'{"type": "hello", "name": "x"}\n',
    b'["register", "x"]\n',
    b'"name"\n',
    b"x\n",
    b"GET /api/games HTTP/1.1\r\nHost: here\r\n\r\n",
    b"POST /api/guests HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n",
    b"",
)
"""Some of these first messages are valid on some port, so that the junk arrives in different states."""
PIECES = (
    b"[", b"{", b"]", b"}", b'"', b"\\", b":", b",", b"\n", b"\r\n", b"\x00", b"\xff\xfe", b"1e999", b"-", b"null",
    b"true", b'{"type":', b'"answer"', b'"id":', b"99999999999999999999", b'"action":', b"\\ud800", b"\xed\xa0\x80",
)  # fmt: skip


def junk(draw: Random) -> bytes:
    """Random bytes, or messages with errors."""
    kind = draw.randrange(4)
    if kind == 0:
        return draw.randbytes(draw.randrange(1, 3000))
    if kind == 1:
        return b"x" * draw.randrange(60_000, 200_000)
    if kind == 2:
        return b"[" * draw.randrange(1, 50_000) + b"\n"
    return b"".join(draw.choices(PIECES, k=draw.randrange(1, 300)))


async def pester(port: int, draw: Random) -> None:
    """Send junk and disconnect in one of several ways."""
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(20):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(draw.choice(BEGINNINGS))
                for _ in range(draw.randrange(1, 4)):
                    writer.write(junk(draw))
                    await asyncio.sleep(draw.choice((0, 0.01)))
                if draw.random() < 0.5:
                    writer.write_eof()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(0.2):
                            await reader.read(1000)
            finally:
                writer.transport.abort()


async def pester_socket(hall: Hall, path: str, draw: Random) -> None:
    """Send junk in well-formed WebSocket messages."""
    with suppress(ConnectionClosed, TimeoutError):
        async with asyncio.timeout(20), hall.connect(path) as line:
            if draw.random() < 0.5:
                await line.send(json.dumps({"type": "hello"}))
            for _ in range(draw.randrange(1, 4)):
                said = junk(draw)
                await line.send(said if draw.random() < 0.2 else said.decode("utf-8", "replace"))
            with suppress(TimeoutError):
                async with asyncio.timeout(0.1):
                    await line.recv()


async def a_match(hall: Hall, token: str) -> float:
    """Play a match while others are played; returns the seconds it took."""
    table = (await hall.table(token, "forsale", "open", "minimum", "random"))["table"]["id"]
    since = time.monotonic()
    finished = await Client(hall.url, token).play_async("forsale", game("forsale").hosting.bots["minimum"], table=table)
    assert finished.match == table
    return time.monotonic() - since


@contextmanager
def no_complaints(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No message of a client causes an error of ours."""
    caplog.clear()
    with caplog.at_level(logging.WARNING), Log() as log:
        yield
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert [said for said in log.said if "Traceback" in said] == []


def test_junk_on_every_listener_harms_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def work(hall: Hall) -> None:
        token, draw = await hall.account("ada"), Random(7)
        table = (await hall.table(token, "forsale", "open", "random", "random", limit_s=3600))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("ada", token=token)
            asked = await seat.hear("ask")
            ports = [hall.serving.port, hall.serving.tcp_port, *hall.serving.listeners.values()]
            assert len(ports) == 2 + len(DIALECTS)
            for port in ports:
                assert port is not None
                await asyncio.gather(*[pester(port, draw) for _ in range(15)])
            for path in (
                "/play/forsale",
                f"/play/forsale/{table}",
                "/play/maze",
                f"/watch/{table}",
                f"/watch/{table}/me",
            ):
                await asyncio.gather(*[pester_socket(hall, path, draw) for _ in range(8)])
            await seat.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0])
            assert (await seat.hear("ask"))["id"] == asked["id"] + 1, "who has a seat has noticed nothing"
        assert (await hall.http.get("/ready")).status_code == 200
        await a_match(hall, token)

    settings: dict[str, Any] = {"listeners": dict.fromkeys(DIALECTS, 0), "tcp_port": 0, "log": "off"}
    with no_complaints(caplog):
        evening(House(tmp_path, guests_a_minute=100_000, **settings), work)


# An arena as it is by default

OPENED = ("0", "40", "2probe", "5", '42["login",{"username":"x"}]', '42["restored_proof",{}]', "")
"""Packets of Socket.IO, some with errors."""
CALLS = ("creategameroom", "deletegameroom", "restart", "start", "socket.io/", "api/guests", "api/login", "api/tables")
CHANNELS = ("/game_channel", "/action_channel", "/gameroom/public/game_channel", "/gameroom/public/action_channel")


async def pester_io(hall: Hall, draw: Random) -> None:
    """Send junk over a WebSocket of Socket.IO."""
    with suppress(ConnectionClosed, InvalidHandshake, TimeoutError):
        async with asyncio.timeout(20), hall.connect("/socket.io/?EIO=4&transport=websocket") as line:
            for _ in range(draw.randrange(1, 5)):
                said = draw.choice(OPENED) + (text(draw) if draw.random() < 0.6 else "")
                await line.send(said.encode() if draw.random() < 0.1 else said)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.1):
                    await line.recv()


async def pester_polling(hall: Hall, draw: Random) -> None:
    """Send junk in requests, some of them of an existing session."""
    where = "/socket.io/?EIO=4&transport=polling"
    with suppress(httpx.HTTPError, TimeoutError):
        async with asyncio.timeout(20):
            opened = await hall.http.get(where)
            sid = (
                json.loads(opened.text[1:])["sid"] if draw.random() < 0.8 else draw.choice(("", "x", "%00", "9" * 999))
            )
            for _ in range(draw.randrange(1, 4)):
                said = "\x1e".join(
                    draw.choice(OPENED) + draw.choice(("", text(draw))) for _ in range(draw.randrange(1, 4))
                )
                await hall.http.post(f"{where}&sid={sid}", content=said.encode("utf-8", "replace"))
            with suppress(httpx.TimeoutException):
                await hall.http.get(f"{where}&sid={sid}", timeout=0.1)


async def pester_call(hall: Hall, draw: Random) -> None:
    with suppress(httpx.HTTPError):
        said = await hall.http.post(f"/{draw.choice(CALLS)}", content=junk(draw))
        assert said.status_code < 500, said.text


def text(draw: Random) -> str:
    return junk(draw).decode("utf-8", "replace")


def ours() -> int:
    """The number of tasks, without those of the Socket.IO library, which end by themselves."""
    theirs = ("_send_ping", "_service_task")
    return sum(not any(name in repr(task) for name in theirs) for task in asyncio.all_tasks())


async def connected(hall: Hall) -> float:
    families = text_string_to_metric_families((await hall.http.get("/metrics")).text)
    return sum(sample.value for family in families for sample in family.samples if sample.name == "parlour_connections")


def test_junk_at_a_default_arena_harms_nobody_and_leaves_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(hall: Hall) -> None:
        token, draw = await hall.account("ada"), Random(11)
        await a_match(hall, token)
        most = ours() + 1  # in which the Socket.IO library waits, once it has had a client
        ports = [hall.serving.port, hall.serving.tcp_port, *hall.serving.listeners.values()]
        assert len(ports) == 2 + len(usual_ports())
        for port in ports:
            assert port is not None
            await asyncio.gather(*[pester(port, draw) for _ in range(10)])
        for path in (*[f"/ws/{name}" for name in names()], "/ws/dominion/text", "/ws/maze/course", *CHANNELS):
            await asyncio.gather(*[pester_socket(hall, path, draw) for _ in range(6)])
        for pesters in (pester_io, pester_polling, pester_call):
            await asyncio.gather(*[pesters(hall, draw) for _ in range(20)])
        turned = 0
        while turned < 8 or hall.serving.arena.open:  # nobody comes back, and all tables of theirs come to an end
            turned += 1
            turn(150.0)
            await asyncio.sleep(0.05)
        await a_match(hall, token)
        while await connected(hall) or ours() > most:  # and so do matches
            turn(10.0)
            await asyncio.sleep(0.05)

    with no_complaints(caplog):
        evening(House(tmp_path, guests_a_minute=100_000, log="off", rooms=3), work)


# Crowds


async def half_open(port: int | None, said: bytes) -> socket.socket:
    assert port is not None
    await asyncio.sleep(0)  # in which those before are let in
    client = socket.create_connection(("127.0.0.1", port), timeout=SOON_S)
    client.sendall(said)
    client.setblocking(False)
    return client


async def flood(client: socket.socket, payload: bytes) -> None:
    """Send as much as the server takes, until the connection is lost, and read nothing."""
    loop = asyncio.get_running_loop()
    with suppress(OSError):
        while True:
            await loop.sock_sendall(client, payload)
            await asyncio.sleep(0)


ENTER = b'{"type": "enter", "game": "forsale"}\n'
HELLO = b'{"type": "hello"}\n'
FRAME = b"\x81\x85\x00\x00\x00\x00" + b"[[[[["
"""A WebSocket message with a mask of zeros."""


def test_crowds_that_dawdle_flood_and_do_not_read_hold_up_only_themselves(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        quiet_s = min([await a_match(hall, token) for _ in range(2)])
        http, tcp = hall.serving.port, hall.serving.tcp_port
        crowd = [
            *[await half_open(tcp, b"") for _ in range(100)],
            *[await half_open(tcp, b'{"type": "ent') for _ in range(50)],
            *[await half_open(http, b"") for _ in range(50)],
            *[await half_open(http, b"POST /api/guests HTTP/1.1\r\nHost: x\r\n") for _ in range(50)],
            *[await half_open(http, upgrade("/play/forsale")) for _ in range(50)],
        ]
        await hall.figure("parlour_connections", 150, way="tcp")
        await hall.figure("parlour_connections", 50, way="websocket")
        floods = [
            *[(await half_open(tcp, ENTER + HELLO), b'{"type": "answer"}\n' * 1000) for _ in range(3)],
            *[(await half_open(tcp, b""), b"x" * 60_000) for _ in range(3)],
            *[(await half_open(http, upgrade("/play/forsale")), FRAME * 1000) for _ in range(3)],
        ]
        flooding = [asyncio.ensure_future(flood(client, payload)) for client, payload in floods]
        loud_s = min([await a_match(hall, token) for _ in range(2)])
        assert loud_s < 20 * quiet_s + 20, f"{quiet_s:.2f} s alone, {loud_s:.2f} s in the crowd"
        for task in flooding:
            task.cancel()
        await asyncio.gather(*flooding, return_exceptions=True)
        for client in [*crowd, *[client for client, _ in floods]]:
            client.close()
        assert (await hall.http.get("/ready")).status_code == 200

    with no_complaints(caplog):
        evening(House(tmp_path, tcp_port=0, log="off", guests_a_minute=100_000), work)
