"""Thousands of clients that connect and are silent: matches are not slowed down, newcomers connect, nothing is left."""

import asyncio
import ssl
import time
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from parlour.client import Client
from parlour.games import game
from parlour.server.net import connections as protocols
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.attackers import upgrade
from tests.server.crowd import Crowd, Line, certificate, more_files, peak_memory
from tests.turned import turn, until

pytestmark = pytest.mark.alone

HELLO_S = 120.0
"""The handshake timeout, and that of connections without a request; the crowd needs a while to connect."""
PATIENCE_S = 900.0
"""By then all are disconnected: a request may take four times REQUEST_S, and a silent Maze player one move."""
SLACK_S = 15.0
"""By how much a match may take longer for other reasons."""
FILES = 60
"""Open files of the server besides its connections."""
MOST_MORE = 30 * 1024 * 1024
"""How much more memory a second crowd may need than the first, in bytes."""


async def a_match(hall: Hall, token: str, name: str, *others: str) -> float:
    """Play a match against bots; returns the seconds it took."""
    table = (await hall.table(token, name, "open", *others))["table"]["id"]
    since = time.monotonic()
    finished = await Client(hall.url, token).play_async(name, [*game(name).hosting.bots.values()][1], table=table)
    assert finished.match == table
    return time.monotonic() - since


async def two_matches(hall: Hall, token: str, times: int = 1) -> float:
    """Play For Sale and Dominion at the same time; returns the shortest time of several attempts."""
    took = []
    for _ in range(times):
        forsale, dominion = (
            a_match(hall, token, "forsale", "minimum", "random"),
            a_match(hall, token, "dominion", "money"),
        )
        took.append(max(await asyncio.gather(forsale, dominion)))
    return min(took)


async def fills(hall: Hall, crowd: Crowd, size: int) -> None:
    """Connect about so many clients, over every transport, which do not introduce themselves."""
    http, tcp, lines = hall.serving.port, hall.serving.tcp_port, hall.serving.listeners
    assert tcp is not None
    ways = [
        (tcp, b""),
        (tcp, b'{"type": "ent'),
        (tcp, b'{"type": "enter", "game": "forsale"}\n'),
        (lines["forsale"], b""),
        (lines["dominion"], b""),
        (lines["maze"], b""),
        (lines["maze/course"], b'"na'),
        (lines["tradecraft"], b'{"type": "login", '),
        (http, b""),
        (http, b"GET /api/gam"),
        (http, b"POST /api/guests HTTP/1.1\r\nHost: x\r\n" + JSON + b"Content-Length: 9\r\n\r\n{"),
        (http, upgrade("/play/forsale")),
        (http, upgrade("/ws/tradecraft")),
        (http, upgrade("/socket.io/?EIO=4&transport=websocket")),
    ]
    for port, said in ways:
        await crowd.comes(port, said, size // len(ways) // len(ADDRESSES) + 1, ADDRESSES)


ADDRESSES = range(2, 10)
JSON = b"Content-Type: application/json\r\n"


@pytest.mark.parametrize("most", [600, pytest.param(2600, marks=pytest.mark.slow)])
def test_many_half_open_connections_hold_nobody_up(most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "REQUEST_S", HELLO_S)
    size = min(most, (more_files() - FILES) // 2)  # both ends are ours

    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        alone_s = await two_matches(hall, token, 2)
        peaks = []
        for _ in range(2):
            with Crowd() as crowd:
                await fills(hall, crowd, size)
                assert crowd.left() == len(crowd.members) >= size, "each of them is let in"
                among_s = await two_matches(hall, token, 2)
                assert among_s < 3 * alone_s + SLACK_S, f"{alone_s:.1f} s alone, {among_s:.1f} s in the crowd"
                await gone(crowd)
            peaks.append(peak_memory())
        assert peaks[1] - peaks[0] < MOST_MORE, "nothing is left of them"

    settings = {"connections": 5000, "hello_s": HELLO_S, "guests_a_minute": 100_000, "quick_s": 5.0}
    evening(House(tmp_path, log="off", **settings), work)


async def gone(crowd: Crowd) -> None:
    """Wait until the whole crowd is disconnected, which takes little more than the handshake timeout."""
    turned_s = 0.0
    while crowd.left():
        assert turned_s < PATIENCE_S, f"{crowd.left()} of {len(crowd.members)} are still there"
        turn(30.0)
        turned_s += 30.0
        await asyncio.sleep(0.1)


# When the house is full


def test_a_client_that_says_nothing_makes_room_for_newcomers_from_elsewhere(tmp_path: Path) -> None:
    """Two addresses have all connections over TCP and HTTP. A third can connect, and no player is disconnected."""

    async def work(hall: Hall) -> None:
        tcp, http, token = hall.serving.tcp_port, hall.serving.port, await hall.account("ada")
        assert tcp is not None
        with Crowd() as crowd:
            playing = asyncio.ensure_future(two_matches(hall, token))
            for said in (b"", b"GET /", upgrade("/play/forsale")):
                await crowd.comes(http, said, 7, (2, 3))
            await crowd.comes(tcp, b"", 20, (2, 3))
            await until(lambda: crowd.left() < len(crowd.members))
            for _ in range(5):
                line = await Line.to(tcp)
                line.say(type="enter", game="dominion")
                await line.hear("hello")
                async with hall.connect("/play/forsale") as other:
                    await Seat(other).hear("hello")
            await playing

    settings = {"connections": 40, "connections_per_address": 20, "hello_s": 3600.0, "guests_a_minute": 100_000}
    evening(House(tmp_path, log="off", **settings), work)


def test_one_address_does_not_push_out_others(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        tcp = hall.serving.tcp_port
        assert tcp is not None
        lines = [await Line.to(tcp) for _ in range(3)]
        with Crowd() as crowd:
            await crowd.comes(tcp, b"", 10, (2,))
            await until(lambda: crowd.left() == 3)
            for line in lines:
                line.say(type="enter", game="dominion")
                await line.hear("hello")

    evening(House(tmp_path, log="off", connections=6, hello_s=3600.0), work)


# TLS

CLIENT_HELLO = b"\x16\x03\x01\x02\x00"
"""The beginning of a TLS handshake, whose rest never arrives."""


def test_handshakes_that_are_never_finished_hold_nobody_up_and_end(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    context = ssl.create_default_context(cafile=files["certificate"])

    async def comes_in(hall: Hall) -> None:
        """Connect from another address over TCP and WebSocket."""
        line = await Line.to(hall.serving.tcp_port, ssl=context)
        line.say(type="enter", game="dominion")
        await line.hear("hello")
        async with connect(f"wss://127.0.0.1:{hall.serving.port}/play/forsale", ssl=context, proxy=None) as other:
            await Seat(other).hear("hello")

    async def work(hall: Hall) -> None:
        assert hall.serving.tcp_port is not None
        with Crowd() as crowd:
            for port in (hall.serving.tcp_port, hall.serving.port):
                for said in (b"", CLIENT_HELLO):
                    await crowd.comes(port, said, 50, (2, 3))
            await comes_in(hall)
            assert crowd.left() == len(crowd.members) == 400
            await gone(crowd)
            await comes_in(hall)

    evening(House(tmp_path, log="off", hello_s=HELLO_S, guests_a_minute=100_000, **files), work)
