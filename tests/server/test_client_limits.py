"""Limits by address: IPv6 networks, clients behind a proxy, and refusals that are counted and do not fill the log."""

import asyncio
import json
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from parlour.server.net import connections as protocols
from parlour.server.net import proxy_limits as client_limits
from parlour.server.net.addresses import counted_address
from parlour.transports.rate_limits import AddressBuckets, TokenBucket
from tests.players.clients import CLIENTS
from tests.server.arenas import Hall, House, Seat, evening
from tests.turned import run, soon, turn

PROXY = {"trusted_proxies": ("127.0.0.1",)}


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("10.0.0.7", "10.0.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("", ""),
        ("a path", "a path"),
    ],
)
def test_the_address_that_counts(address: str, counted: str) -> None:
    assert counted_address(address) == counted


async def guest(hall: Hall, address: str) -> httpx.Response:
    return await hall.http.post("/api/guests", json={}, headers={"X-Forwarded-For": address})


def test_an_ipv6_network_counts_as_one_client(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        assert (await guest(hall, "2001:db8::1")).status_code == 201
        assert (await guest(hall, "2001:db8::ffff:2")).status_code == 429
        assert (await guest(hall, "2001:db8:0:1::1")).status_code == 201

    evening(House(tmp_path, tries_a_minute=1, log="off", **PROXY), work)


def socket(hall: Hall, address: str) -> connect:
    url = f"ws://127.0.0.1:{hall.serving.port}/play/forsale"
    return connect(url, additional_headers={"X-Forwarded-For": address}, open_timeout=None, proxy=None)


def test_behind_a_proxy_one_client_has_only_so_many_connections(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with AsyncExitStack() as stack:
            for address in ("10.0.0.1", "10.0.0.1", "2001:db8::1", "2001:db8::2"):
                await Seat(await stack.enter_async_context(socket(hall, address))).hear("hello")
            for address in ("10.0.0.1", "2001:db8::3"):
                with pytest.raises(InvalidStatus) as refused:
                    await soon(socket(hall, address).__aenter__())
                assert refused.value.response.status_code == 429
            assert (await guest(hall, "10.0.0.1")).json()["code"] == "too_many"
            assert (await guest(hall, "10.0.0.2")).status_code == 201
        assert await hall.figure("parlour_dropped_total", 3, why="too_many") == 3
        async with asyncio.timeout(30):
            while (await guest(hall, "10.0.0.1")).status_code != 201:  # they have gone
                pass

    evening(House(tmp_path, connections_per_address=2, log="off", **PROXY), work)


class Slow(AddressBuckets):
    """Only the clients of one network have sent requests too fast."""

    def of(self, address: str) -> TokenBucket:
        bucket = super().of(address)
        if address == "2001:db8::/64":
            bucket.delay_s = lambda count=1, now=None: 1000.0  # type: ignore[method-assign]
        return bucket


def test_behind_a_proxy_a_client_that_asks_too_fast_waits_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_limits, "AddressBuckets", Slow)

    async def work(hall: Hall) -> None:
        async def asks(address: str) -> None:
            assert (await hall.http.get("/health", headers={"X-Forwarded-For": address})).status_code == 200

        slow = asyncio.ensure_future(asks("2001:db8::5"))
        for _ in range(3):
            await asks("10.0.0.2")
        assert not slow.done()
        turn(1001.0)
        await soon(slow)

    evening(House(tmp_path, log="off", **PROXY), work)


async def holds(stack: AsyncExitStack, hall: Hall, address: str) -> int:
    """How many WebSockets the address gets, until one is refused."""
    for count in range(100):
        try:
            await Seat(await stack.enter_async_context(socket(hall, address))).hear("hello")
        except InvalidStatus as refused:
            assert refused.response.status_code == (429 if count else 503)
            return count
    raise AssertionError("nothing was refused")


def test_behind_a_proxy_few_clients_do_not_take_every_place(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with AsyncExitStack() as stack:
            first = await stack.enter_async_context(AsyncExitStack())
            assert await holds(first, hall, "10.0.0.1") == 3
            assert await holds(stack, hall, "10.0.0.2") == 2
            assert await holds(stack, hall, "10.0.0.3") == 1
            assert await holds(stack, hall, "10.0.0.4") == 0
            full = await guest(hall, "10.0.0.4")
            assert full.status_code == 503 and full.json()["code"] == "too_many"
            assert full.headers["content-type"] == "application/problem+json"
            assert await is_answered(hall, "127.0.0.2"), "who comes without a proxy has room of its own"
            await first.aclose()
            async with asyncio.timeout(30):
                while (await guest(hall, "10.0.0.4")).status_code != 201:  # the first client's are going
                    pass

    evening(House(tmp_path, connections=6, hello_s=600.0, log="off", **PROXY), work)


ASK = b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n"


async def come(hall: Hall, peer: str, say: bytes = ASK) -> asyncio.StreamReader:
    """Connect from this address, and send these bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hall.serving.port, local_addr=(peer, 0))
    CLIENTS.append(writer)
    writer.write(say)
    return reader


async def is_answered(hall: Hall, peer: str) -> bool:
    """Whether a request from this address is answered; otherwise its connection is reset."""
    try:
        answer = await soon((await come(hall, peer)).read(65536))
    except ConnectionError:
        return False
    return answer.startswith(b"HTTP/1.1 200 ")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No connection is closed for being idle during the test."""
    monkeypatch.setattr(protocols, "REQUEST_S", 3600.0)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("proxy", ["127.0.0.9", "127.0.0.8/29"])
def test_a_client_beside_the_proxy_has_only_so_many_connections(proxy: str, tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for peer in ("127.0.0.2", "127.0.0.9"):
            await come(hall, peer, b"")
            assert await is_answered(hall, peer)
            await come(hall, peer, b"")
            await come(hall, peer, b"")
        assert not await is_answered(hall, "127.0.0.2")
        assert await is_answered(hall, "127.0.0.9"), "a proxy comes for many"

    evening(House(tmp_path, connections_per_address=2, trusted_proxies=(proxy,), log="off"), work)


@pytest.mark.usefixtures("patient")
def test_idle_connections_of_a_proxy_leave_room_for_its_clients(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for _ in range(5):
            await come(hall, "127.0.0.1", b"")
        assert await is_answered(hall, "127.0.0.1")
        assert await is_answered(hall, "127.0.0.2")
        for _ in range(5):
            await come(hall, "127.0.0.1", b"")
        assert not await is_answered(hall, "127.0.0.1"), "not even a proxy has any number of them"

    evening(House(tmp_path, connections=3, log="off", **PROXY), work)


class Resting(AddressBuckets):
    """All clients have sent requests too fast."""

    def of(self, address: str) -> TokenBucket:
        bucket = super().of(address)
        bucket.delay_s = lambda count=1, now=None: 1000.0  # type: ignore[method-assign]
        return bucket


@pytest.mark.usefixtures("patient")
def test_a_client_beside_the_proxy_that_asks_too_fast_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "AddressBuckets", Resting)

    async def work(hall: Hall) -> None:
        direct = asyncio.ensure_future((await come(hall, "127.0.0.2")).read(65536))
        for _ in range(3):
            assert await is_answered(hall, "127.0.0.1")
        assert not direct.done()
        turn(1001.0)
        assert (await soon(direct)).startswith(b"HTTP/1.1 200 ")

    evening(House(tmp_path, log="off", **PROXY), work)


def test_a_client_is_held_back_after_its_burst() -> None:
    async def work() -> None:
        buckets = AddressBuckets(5.0)
        rests = [buckets.of("10.0.0.1").delay_s() for _ in range(12)]
        assert rests[:10] == [0.0] * 10 and rests[11] > 0.0
        assert buckets.of("10.0.0.2").delay_s() == 0.0

    run(work())


def test_connections_that_are_refused_are_counted_and_logged_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def work(hall: Hall) -> None:
        async def comes() -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", hall.serving.tcp_port)
            writers.append(writer)
            return await soon(reader.read())

        writers: list[asyncio.StreamWriter] = []
        _, own = await asyncio.open_connection("127.0.0.1", hall.serving.tcp_port)
        for _ in range(20):
            assert b"too_many" in await comes()
        assert await hall.figure("parlour_dropped_total", 20, why="too_many") == 20
        turn(61.0)
        assert b"too_many" in await comes()
        for writer in (own, *writers):
            writer.close()

    evening(House(tmp_path, connections_per_address=1, hello_s=600.0, log="info"), work)
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    told = [line["untold"] for line in lines if line["event"] == "dropped" and line["why"] == "too_many"]
    assert told == [0, 19]


def test_web_connections_that_are_refused_are_counted(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as line:
            await Seat(line).hear("hello")
            reader, writer = await asyncio.open_connection("127.0.0.1", hall.serving.port)
            with suppress(ConnectionResetError):
                assert await soon(reader.read()) == b""
            writer.close()
        assert await hall.figure("parlour_dropped_total", 1, why="too_many") >= 1

    evening(House(tmp_path, connections_per_address=1, log="off"), work)
