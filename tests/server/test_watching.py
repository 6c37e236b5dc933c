"""Watching a match: what everybody may see, what a seat may see, late comers, and those who do not keep up."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from parlour.server.api import spectators
from parlour.server.api.spectators import Slow, paced
from parlour.store.match_log import StoredLog
from parlour.tables.match_feed import Feeds, Watchers
from tests.referee.hand import new_match
from tests.server.arenas import Hall, House, Seat, evening
from tests.turned import run, settle, turn, until


async def told(line: ClientConnection) -> list[dict[str, Any]]:
    """All messages until the end."""
    heard: list[dict[str, Any]] = []
    try:
        async with asyncio.timeout(60):
            while True:
                heard.append(json.loads(await line.recv()))
    except ConnectionClosed:
        return heard


async def streamed(hall: Hall, path: str, token: str | None = None) -> list[dict[str, Any]]:
    """The same as server-sent events."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with (
        httpx.AsyncClient(base_url=hall.url, timeout=None) as http,
        http.stream("GET", f"/api{path}", headers=headers) as said,
    ):
        assert said.headers["content-type"].startswith("text/event-stream")
        lines = [line async for line in said.aiter_lines()]
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


async def play(seat: Seat) -> None:
    """Play the first choice to the end."""
    while True:
        message = json.loads(await asyncio.wait_for(seat.line.recv(), 60))
        if message["type"] == "ask":
            await seat.say(type="answer", id=message["id"], action=message["ask"]["choices"][0])
        elif message["type"] == "over":
            return


def test_a_match_is_seen_by_all_who_watch_and_by_its_seats_each_as_it_may(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("ada", token=token)
            await seat.first_choice()
            asked = await seat.hear("ask")
            async with hall.connect(f"/watch/{table}") as public, hall.connect(f"/watch/{table}/me", token) as own:
                watching = [
                    asyncio.ensure_future(work)
                    for work in (
                        told(public),
                        told(own),
                        streamed(hall, f"/matches/{table}/events"),
                        streamed(hall, f"/matches/{table}/events/me", token),
                    )
                ]
                await hall.figure("parlour_connections", 2, way="watch")
                await hall.figure("parlour_connections", 2, way="events")
                await settle()
                await seat.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0])
                await play(seat)
                everybody, ada, everybody_too, ada_too = await asyncio.gather(*watching)
        for heard in (everybody, ada, everybody_too, ada_too):
            assert heard[0]["type"] == "view" and heard[0]["players"] == ["ada", "random", "random"]
            assert heard[-1]["type"] == "over" and heard[-1]["end"]["ranks"]
            assert "event" in [message["type"] for message in heard], "and a late comer is told what was before"
        assert everybody == everybody_too
        assert {message["type"] for message in everybody} == {"view", "event", "over"}
        assert ada[0]["seat"] == 0 and ada[0]["asks"][0]["id"] == asked["id"]
        assert {message["type"] for message in ada} == {"view", "event", "ask", "over"}
        assert [each for each in ada if each["type"] == "ask"] == [each for each in ada_too if each["type"] == "ask"]
        assert everybody[0]["view"] != ada[0]["view"], "a seat sees its own hand, too"
        seed = (await hall.store.seed(table)).hex()
        assert all(seed not in json.dumps(heard) for heard in (everybody, ada))

    evening(House(tmp_path, log="off"), work)


def test_a_client_that_only_watches_hears_of_it_later_and_a_seat_at_once(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "random", "random", limit_s=3600))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("ada", token=token)
            await seat.hear("ask")
            async with hall.connect(f"/watch/{table}") as public, hall.connect(f"/watch/{table}/me", token) as own:
                await Seat(own).hear("view")
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.3):
                        await public.recv()
                turn(600)
                assert (await Seat(public).hear("view"))["players"][0] == "ada"

    evening(House(tmp_path, log="off", watch_delay_s=600.0), work)


def test_only_so_many_watch_one_match(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        await hall.post(f"/tables/{table}/join", token)
        async with hall.connect(f"/watch/{table}") as one, hall.connect(f"/watch/{table}") as two:
            await Seat(one).hear("view")
            await Seat(two).hear("view")
            async with hall.connect(f"/watch/{table}") as three:
                assert (await Seat(three).hear("error"))["code"] == "too_many"
            said = await hall.get(f"/matches/{table}/events")
            assert (said.status_code, said.json()["code"]) == (503, "too_many")
            await one.close()
            async with asyncio.timeout(30):
                while True:
                    async with hall.connect(f"/watch/{table}") as again:
                        if json.loads(await again.recv())["type"] == "view":
                            break

    evening(House(tmp_path, log="off", watchers_per_match=2), work)


# Later, and not too late


async def source(messages: "asyncio.Queue[bytes | None]") -> AsyncGenerator[bytes, None]:
    while (message := await messages.get()) is not None:
        yield message


def test_messages_come_in_their_order_and_so_much_later() -> None:
    async def work() -> None:
        messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        heard: list[bytes] = []

        async def listen() -> None:
            async for message in paced(source(messages), 60.0, 10):
                heard[len(heard) :] = [message]

        listening = asyncio.ensure_future(listen())
        messages.put_nowait(b"one")
        await until(messages.empty)
        turn(40)
        messages.put_nowait(b"two")
        messages.put_nowait(None)
        await until(messages.empty)
        await settle()
        assert heard == []
        turn(30)
        await until(lambda: heard == [b"one"])
        turn(40)
        await listening
        assert heard == [b"one", b"two"], "also what came right before the end"

    run(work())


def test_a_client_that_takes_nothing_is_given_up() -> None:
    async def work() -> None:
        messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        later = paced(source(messages), 0.0, 3)
        messages.put_nowait(b"0")
        assert await anext(later) == b"0"
        for n in range(1, 10):
            messages.put_nowait(b"%d" % n)
        await settle()
        with pytest.raises(Slow):
            await anext(later)

    run(work())


@pytest.mark.parametrize("delay_s", [0.0, 60.0])
def test_large_messages_that_nobody_reads_do_not_fill_the_memory(
    delay_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectators, "WATCH_DELAYED_BYTES" if delay_s else "WATCH_UNSENT_BYTES", 250)

    async def work() -> None:
        messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        later = paced(source(messages), delay_s, 500)
        for _ in range(4):  # one after another, any number can be read, even if one alone is too large
            messages.put_nowait(bytes(300))
            reading = asyncio.ensure_future(anext(later))
            await until(messages.empty)
            await settle()
            turn(delay_s)
            assert len(await reading) == 300
        for _ in range(3):
            messages.put_nowait(bytes(100))
        await settle()
        with pytest.raises(Slow):
            await anext(later)

    run(work())


def test_a_blocked_reader_gets_no_more_messages_once_it_is_given_up() -> None:
    async def work() -> None:
        watchers = Watchers()
        later = paced(watchers.add([b"0"]), 0.0, 3)
        assert await anext(later) == b"0"  # and it reads nothing from now on
        for _ in range(5):
            watchers.tell(b"more")
        await settle()
        assert not watchers.all

    run(work())


def test_what_is_not_due_yet_is_not_behind() -> None:
    async def work() -> None:
        messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        for n in range(50):
            messages.put_nowait(b"%d" % n)
        messages.put_nowait(None)
        later = paced(source(messages), 60.0, 3)
        first = asyncio.ensure_future(anext(later))
        await settle()
        turn(70)
        assert await first == b"0"
        assert len([message async for message in later]) == 49

    run(work())


def test_a_stream_that_is_read_lasts_as_long_as_its_match(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "random", "random", limit_s=3600))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("ada", token=token)
            asked = await seat.hear("ask")
            streaming = asyncio.ensure_future(streamed(hall, f"/matches/{table}/events"))
            await hall.figure("parlour_connections", way="events")
            for _ in range(10):  # longer than any other answer may take
                turn(16)
                await settle()
            assert not streaming.done()
            await seat.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0])
            await play(seat)
            assert (await streaming)[-1]["type"] == "over"

    evening(House(tmp_path, log="off"), work)


def test_a_client_that_begins_to_watch_sees_nothing_that_could_still_be_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = asyncio.Event()
    kept = StoredLog.write

    async def slow(self: StoredLog, lines: Sequence[bytes]) -> None:
        await gate.wait()
        await kept(self, lines)

    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("ada", token=token)
            asked = await seat.hear("ask")
            monkeypatch.setattr(StoredLog, "write", slow)
            before = hall.serving.arena.playing[table].match.records
            await seat.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0])
            await until(lambda: hall.serving.arena.playing[table].match.records > before)
            async with hall.connect(f"/watch/{table}") as watching:
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.3):
                        await watching.recv()
                gate.set()
                assert json.loads(await watching.recv())["type"] == "view"

    evening(House(tmp_path, log="off"), work)


def test_a_seat_that_is_watched_after_the_end_is_not_watched_for_ever() -> None:
    async def work() -> None:
        feeds = Feeds(new_match(), {}, print)
        early = feeds.plain(0).messages(b"view")
        assert await anext(early) == b"view"
        feeds.end()
        assert [message async for message in early] == []
        assert [message async for message in feeds.plain(1).messages(b"view")] == [b"view"]

    run(work())
