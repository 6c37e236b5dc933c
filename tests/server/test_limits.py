"""The limits of an arena, each of them a setting: what is too much, too long, too deep, too fast or too slow."""

import asyncio
import json
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import parlour.venues.tradecraft.open_halls
from parlour.server.accounts import Doorkeeper
from parlour.server.joining import ClientDesk
from parlour.server.net.listeners import Listeners
from parlour.server.net.ports import listening
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import BadSettings, Settings, read_settings
from parlour.transports.depth import is_too_deep
from parlour.transports.rate_limits import IdleTimeout, TokenBucket
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.crowd import Line, certificate
from tests.server.guests import Guest
from tests.turned import SOON_S, run, settle, soon, turn, until

DEEP = "[" * 40 + "]" * 40
NOT_NOW = {"type": "answer", "id": 10**6, "action": {"type": "Pass"}}
"""An answer that was not asked for; the client is told of a fault without a price."""


async def told(line: Any) -> str:
    """The code of the error before the connection is closed."""
    code: str = (await Seat(line).hear("error"))["code"]
    with pytest.raises(ConnectionClosed):
        await soon(line.recv())
    return code


async def seated(hall: Hall, token: str, **terms: Any) -> str:
    """A running match with a long time limit, in which the account has the first seat."""
    table: str = (await hall.table(token, "forsale", "open", "random", "random", limit_s=3600, **terms))["table"]["id"]
    assert (await hall.post(f"/tables/{table}/join", token)).status_code == 200
    return table


# Who may come


def test_all_together_have_only_so_many_connections(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        path = f"{hall.url.replace('http', 'ws')}/play/forsale"
        sockets = [await connect(path) for _ in range(3)]
        with pytest.raises((OSError, EOFError, InvalidHandshake)):
            await connect(path)
        for socket in sockets:
            await Seat(socket).hear("hello")  # those who are there stay there
            await socket.close()

    evening(House(tmp_path, connections=3, connections_per_address=100, log="off"), work)


def test_one_address_has_only_so_many_connections(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        port, path = hall.serving.tcp_port, f"{hall.url.replace('http', 'ws')}/play/forsale"
        lines = [await Line.to(port) for _ in range(5)]
        assert (await lines[4].hear("error"))["code"] == "too_many"
        await lines[4].ended()
        assert await hall.figure("parlour_dropped_total", why="too_many") == 1
        sockets = await _as_many_as_may(path)
        assert len(sockets) in (3, 4), "who has read the figures may not have gone yet"
        for line in lines:
            line.writer.close()
        for socket in sockets:
            await socket.close()
        async with asyncio.timeout(SOON_S):
            while not await _let_in(port):
                await asyncio.sleep(0.02)

    evening(House(tmp_path, connections_per_address=4, tcp_port=0, log="off"), work)


async def _as_many_as_may(path: str) -> list[ClientConnection]:
    sockets = []
    with suppress(OSError, EOFError, InvalidHandshake):
        while True:
            sockets.append(await connect(path))
    return sockets


async def _let_in(port: int | None) -> bool:
    line = await Line.to(port)
    line.say(type="enter", game="forsale")
    said = json.loads(await line.reader.readline())
    line.writer.close()
    return bool(said["type"] == "hello")


def test_nobody_tries_too_often_wherever_it_says_it_comes_from(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for n in range(4):
            said = await hall.http.post("/api/guests", json={}, headers={"X-Forwarded-For": f"10.0.0.{n}"})
            assert said.status_code == (201 if n < 3 else 429)
        assert said.json()["code"] == "too_many_tries" and int(said.headers["retry-after"]) > 0
        for n in range(3):
            async with hall.connect("/play/forsale") as line:
                await Seat(line).hello("x", token="parlour_guess")
                assert await told(line) == ("bad_token" if n < 2 else "too_many_tries")
        async with hall.connect("/play/forsale") as line:
            await Seat(line).hello("no token")
            assert await told(line) == "too_many_tries"
        turn(61)
        assert (await hall.http.post("/api/guests", json={})).status_code == 201

    evening(House(tmp_path, tries_a_minute=3, guests_a_minute=2, log="off"), work)


def test_a_proxy_that_is_trusted_tells_where_clients_come_from(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for n in range(4):
            said = await hall.http.post("/api/guests", json={}, headers={"X-Forwarded-For": f"10.0.0.{n}"})
            assert said.status_code == 201
        again = await hall.http.post("/api/guests", json={}, headers={"X-Forwarded-For": "10.0.0.1"})
        assert again.status_code == 429

    evening(House(tmp_path, tries_a_minute=1, trusted_proxies=("127.0.0.1",), log="off"), work)


def test_one_address_has_only_so_many_users_of_socket_io(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parlour.venues.tradecraft.open_halls, "MOST_USERS", 4)

    async def work(hall: Hall) -> None:
        async def comes(name: str, address: str) -> Guest:
            guest = Guest()
            await guest.connect(hall.serving.port, headers={"X-Forwarded-For": address})
            await guest.says("login", username=name)
            return guest

        ada = await comes("ada", "10.0.0.1")
        await ada.hears("login_success")
        bob = await comes("bob", "10.0.0.1")
        await bob.hears("login_success")
        cyd = await comes("cyd", "10.0.0.1")
        assert (await cyd.hears("error"))["code"] == "full"
        dan = await comes("dan", "10.0.0.2")
        await dan.hears("login_success")
        await ada.drop()
        async with asyncio.timeout(SOON_S):
            while not any(event == "server__login_success" for event, _ in cyd.heard):
                await cyd.says("login", username="cyd")
                await asyncio.sleep(0.02)
        for guest in (ada, bob, cyd, dan):
            await guest.leave()

    evening(House(tmp_path, trusted_proxies=("127.0.0.1",), log="off"), work)


def test_no_address_has_most_of_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parlour.venues.tradecraft.open_halls, "MOST_USERS", 3)

    async def work(hall: Hall) -> None:
        guests = [Guest() for _ in range(2)]
        for guest in guests:
            await guest.connect(hall.serving.port)
        await guests[0].login("ada")
        await guests[1].says("login", username="bob")
        assert (await guests[1].hears("error"))["code"] == "full"
        for guest in guests:
            await guest.leave()

    evening(House(tmp_path, log="off"), work)


# What may be said


def test_messages_are_neither_too_long_nor_too_deep(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        said = await hall.post("/guests", name="x" * 3000)
        assert said.status_code == 413
        table = await seated(hall, token)
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=token)
            await seat.hear("ask")
            await line.send(json.dumps({**NOT_NOW, "more": "x" * 3000}))
            assert (await seat.hear("fault"))["code"] == "too_big"
            await line.send(DEEP)
            assert await told(line) == "too_deep"
        async with hall.connect(f"/play/forsale/{table}") as line:
            await line.send("x" * 10_000)
            with pytest.raises(ConnectionClosed) as closed:
                await Seat(line).hear("nothing")
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
        tcp = await Line.to(hall.serving.tcp_port)
        tcp.say(type="enter", game="forsale", table=table, token=token)
        tcp.say(type="hello")
        await tcp.hear("ask")
        tcp.say(**NOT_NOW, more="x" * 3000)
        assert (await tcp.hear("fault"))["code"] == "too_big"
        tcp.writer.write(DEEP.encode() + b"\n")
        assert (await tcp.hear("error"))["code"] == "too_deep"
        await tcp.ended()
        assert 0 not in hall.serving.arena.playing[table].match.gone, "the seat stays its own"

    evening(House(tmp_path, message_bytes=2048, message_depth=20, tcp_port=0, log="off"), work)


@pytest.mark.parametrize(
    ("raw", "deep"),
    [
        (b"[[[]]]", False),
        (b"[[[[]]]]", True),
        (b'{"a":{"b":{"c":{}}}}', True),
        (b"[[],[],[],[],[]]", False),
        (b'["[[[[[[", "{{{{{"]', False),
        (rb'["\"[[[[[[", 1]', False),
        (rb'"\\" [[[[', True),
        (b"]]]][[[[", False),
        (b"", False),
    ],
)
def test_how_deep_is_too_deep(raw: bytes, deep: bool) -> None:
    assert is_too_deep(raw, 3) is deep


def test_a_client_that_talks_too_fast_is_not_listened_to_for_a_while(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = await seated(hall, token)
        heard: list[str] = []
        async with hall.connect(f"/play/forsale/{table}") as line:
            await Seat(line).hello("x", token=token)
            await Seat(line).hear("ask")

            async def listen() -> None:
                async for said in line:
                    heard[len(heard) :] = [json.loads(said)["type"]]

            listening = asyncio.ensure_future(listen())
            for _ in range(50):
                await line.send(json.dumps(NOT_NOW))
            await until(lambda: heard.count("fault") >= 3)
            await settle()
            assert heard.count("fault") < 50
            while heard.count("fault") < 50:  # nothing is lost by that
                turn(1)
                await asyncio.sleep(0.01)
            listening.cancel()
        tcp = await Line.to(hall.serving.tcp_port)
        tcp.say(type="enter", game="forsale", table=table, token=token)
        tcp.say(type="hello")
        await tcp.hear("ask")
        for _ in range(60):
            tcp.say(**NOT_NOW)
        for _ in range(60):
            await tcp.hear("fault")
        tcp.say(**NOT_NOW)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(tcp.reader.readline(), 0.2)
        turn(100)
        await tcp.hear("fault")

    evening(House(tmp_path, messages_a_second=2.0, tcp_port=0, log="off"), work)


def test_requests_of_one_address_have_a_pace(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        here = f"http://127.0.0.1:{hall.serving.port}"
        async with (
            httpx.AsyncClient(base_url=here, timeout=None) as one,
            httpx.AsyncClient(base_url=here, timeout=None) as another,
        ):
            clients, asking = (one, another), [asyncio.ensure_future(each.get("/health")) for each in (one, another)]
            while done := [place for place in (0, 1) if await done_soon(asking[place])]:  # by whatever connection
                for place in done:
                    asking[place] = asyncio.ensure_future(clients[place].get("/health"))
            elsewhere = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
            async with httpx.AsyncClient(base_url=here, transport=elsewhere) as other:
                assert (await other.get("/health")).status_code == 200
            turn(600)
            assert [(await each).status_code for each in asking] == [200, 200]

    evening(House(tmp_path, requests_a_second=0.1, log="off"), work)


async def done_soon(work: "asyncio.Future[Any]") -> bool:
    done, _ = await asyncio.wait([work], timeout=0.4)
    return bool(done)


def test_a_burst_is_free_and_then_there_is_a_pace() -> None:
    async def work() -> None:
        bucket = TokenBucket(4, 0.02)
        assert [bucket.delay_s() for _ in range(4)] == [0.0] * 4
        assert bucket.delay_s(2) == pytest.approx(100.0, abs=20.0)
        turn(6000)
        assert bucket.delay_s(4) == 0.0

    run(work())


# How long it may take


def test_a_client_that_does_not_introduce_itself_is_disconnected(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        tcp = await Line.to(hall.serving.tcp_port)
        late = await Line.to(hall.serving.tcp_port)
        late.say(type="enter", game="forsale")
        await late.hear("hello")
        async with hall.connect("/play/forsale") as line, hall.connect("/watch/x/me") as watching:
            await Seat(line).hear("hello")
            await settle()
            turn(601)
            assert await told(line) == "silent"
            assert await told(watching) == "bad_token"
        assert (await tcp.hear("error"))["code"] == "bad_enter"
        assert (await late.hear("error"))["code"] == "silent"
        await tcp.ended()
        await late.ended()

    evening(House(tmp_path, hello_s=600.0, tcp_port=0, log="off"), work)


def test_a_silent_connection_ends_and_its_seat_stays_its_own(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "open", "random", wait_s=86400))["table"]["id"]
        tcp = await Line.to(hall.serving.tcp_port)
        tcp.say(type="enter", game="forsale", table=table, token=token)
        tcp.say(type="hello")
        chairs = hall.serving.arena.open[table].chairs
        await until(lambda: chairs[0].taken)
        turn(2001)
        assert (await tcp.hear("error"))["code"] == "idle"
        await tcp.ended()
        async with hall.connect(f"/play/forsale/{table}") as line:
            await Seat(line).hello("x", token=token)
            await until(lambda: (player := chairs[0].player) is not None and player.peer.gone is None)
            turn(2001)
            assert await told(line) == "idle"
        assert chairs[0].name == "ada" and not chairs[1].taken
        assert await hall.figure("parlour_dropped_total", why="idle") == 2

    evening(House(tmp_path, idle_s=2000.0, tcp_port=0, log="off"), work)


def test_what_passes_either_way_breaks_the_silence() -> None:
    async def work() -> None:
        ended: list[int] = []
        quiet = IdleTimeout(100.0, lambda: ended.append(1))
        turn(60)
        quiet.since = asyncio.get_running_loop().time()
        turn(60)
        await settle()
        assert not ended
        turn(60)
        await until(lambda: ended)
        other = IdleTimeout(100.0, lambda: ended.append(2))
        other.cancel()
        turn(200)
        await settle()
        assert ended == [1]

    run(work())


def test_a_client_that_does_not_read_is_let_go(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        settings, metrics = Settings(unsent_bytes=4096), Metrics()
        client_desk = ClientDesk(hall.serving.arena, Doorkeeper(hall.store), settings, metrics)
        listeners, listener = Listeners(client_desk, settings), listening("127.0.0.1", 0)
        await listeners.open(listener)
        line = await Line.to(listener.getsockname()[1])
        line.writer.transport.pause_reading()  # type: ignore[attr-defined]  # as who does not read
        await until(lambda: listeners.sessions)
        [session] = listeners.sessions
        for _ in range(1000):
            session.peer.send([b"x" * 60_000])
        assert session.peer.gone == "dead", "which keeps the seat"
        assert b'parlour_dropped_total{why="slow"} 1.0' in metrics.text()
        line.writer.transport.abort()
        await listeners.close()

    evening(House(tmp_path, log="off"), work)


def test_a_client_that_plays_on_the_largest_map_gets_all_of_it(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        options = {"width": 200, "height": 200, "max_turn": 1}
        made = await hall.table(ada, "colorfight", "open", "random", limit_s=3600, options=options)
        async with hall.connect(f"/play/colorfight/{made['table']['id']}", ada) as line:
            seat = Seat(line)
            await seat.hello("ada")
            assert len((await seat.hear("ask"))["view"]["owner"]) == 200 * 200

    evening(House(tmp_path, log="off"), work)


# TLS


def test_everything_is_served_over_tls_if_there_is_a_certificate(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    context = ssl.create_default_context(cafile=files["certificate"])

    async def work(hall: Hall) -> None:
        here = f"127.0.0.1:{hall.serving.port}"
        async with httpx.AsyncClient(verify=context) as http:
            assert (await http.get(f"https://{here}/health")).json() == {"status": "ok"}
        async with connect(f"wss://{here}/play/forsale", ssl=context) as line:
            assert (await Seat(line).hear("hello"))["game"] == "forsale"
        tcp = await Line.to(hall.serving.tcp_port, ssl=context)
        tcp.say(type="enter", game="forsale")
        assert (await tcp.hear("hello"))["game"] == "forsale"
        tcp.writer.close()
        with pytest.raises(httpx.TransportError):
            await hall.http.get("/health")

    evening(House(tmp_path, tcp_port=0, log="off", **files), work)


def test_a_handshake_of_tls_takes_no_longer_than_saying_who_one_is(tmp_path: Path) -> None:
    """The limit holds on every port; the default of the library is a minute."""

    async def work(hall: Hall) -> None:
        ports = (hall.serving.port, hall.serving.tcp_port)
        lines = [await asyncio.open_connection("127.0.0.1", port) for port in ports]
        await settle()
        turn(90)
        await settle()
        assert not any(reader.at_eof() for reader, _ in lines)
        turn(40)
        for reader, writer in lines:
            assert await soon(reader.read()) == b""
            writer.close()

    evening(House(tmp_path, tcp_port=0, hello_s=120.0, log="off", **certificate(tmp_path)), work)


# Settings


def test_settings_come_from_a_file_then_the_environment_then_flags(tmp_path: Path) -> None:
    file = tmp_path / "arena.toml"
    file.write_text("port = 1\nidle_s = 5.5\nhello_s = 3\n[listeners]\nforsale = 7\n")
    environment = {
        "PARLOUR_PORT": "2",
        "PARLOUR_HELLO_S": "4.5",
        "PARLOUR_TRUSTED_PROXIES": "10.0.0.1, 10.0.0.2",
        "PARLOUR_LISTENERS": "not here",
        "PARLOUR_TOKEN": "no setting",
    }
    read = read_settings(file, environment, port=3, address=None)
    assert (read.port, read.idle_s, read.hello_s, read.listeners) == (3, 5.5, 4.5, {"forsale": 7})
    assert read.trusted_proxies == ("10.0.0.1", "10.0.0.2") and read.address == "127.0.0.1"


def test_a_list_that_is_empty_in_the_environment_has_nothing_in_it() -> None:
    read = read_settings(None, {"PARLOUR_TRUSTED_PROXIES": "10.0.0.1,"})
    assert read == Settings(trusted_proxies=("10.0.0.1",))
    assert read_settings(None, {"PARLOUR_TRUSTED_PROXIES": ""}) == Settings()


@pytest.mark.parametrize(
    "wrong",
    [
        "port = 70000",
        "connections_per_address = 0",
        "message_bytes = 100000",
        "message_depth = 1",
        "messages_a_second = 0",
        "requests_a_second = 0",
        "hello_s = 0",
        "idle_s = -1",
        "unsent_bytes = 1",
        "watch_queue = 0",
        "watch_delay_s = -1",
        'log = "loud"',
        "nothing_like_this = 1",
        "port = ",
    ],
)
def test_settings_that_cannot_be_are_refused(tmp_path: Path, wrong: str) -> None:
    file = tmp_path / "arena.toml"
    file.write_text(wrong)
    with pytest.raises(BadSettings):
        read_settings(file, {})
