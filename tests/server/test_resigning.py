"""Players that leave for good, with `leave` of protocol 1."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.client import CannotPlay, Client
from parlour.games import game
from parlour.referee.player import Resigned
from tests.server.arenas import Hall, House, Seat, evening
from tests.turned import until

RANDOM = game("forsale").hosting.bots["random"]
TABLES = {
    "forsale": ["random", "random"],
    "dominion": ["random"],
    "maze": ["random", "random"],
    "tradecraft": ["random"],
    "colorfight": ["random"],
}
"""The bots against which somebody resigns."""


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


async def table(hall: Hall, name: str, *seats: str, **terms: Any) -> tuple[str, str]:
    """A table, and the token of its owner."""
    token = await hall.account("ada")
    id: str = (await hall.table(token, name, *seats, **terms))["table"]["id"]
    return id, token


async def lines(hall: Hall, match: str) -> list[bytes]:
    return await hall.store.lines(match)


def left(transcript: list[bytes]) -> list[bytes]:
    return [line for line in transcript if b'"type":"Leave"' in line and b'"quit"' in line]


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_game_goes_on_without_a_client_that_resigned(house: House, name: str) -> None:
    async def work(hall: Hall) -> None:
        options = {"max_turn": 3} if name in ("tradecraft", "colorfight") else {}
        id, token = await table(hall, name, "open", *TABLES[name], options=options, limit_s=3600)
        async with hall.connect(f"/play/{name}/{id}", token) as line:
            seat = Seat(line)
            await seat.hello("ada")
            await seat.hear("seat")
            await seat.say(type="leave")
            await seat.say(type="leave")
            over = await seat.hear("over")  # it still hears how the match goes on
            assert over["void"] is None and not [told for told in seat.heard if told["type"] == "fault"]
        assert (await hall.over(id))["state"] == "over"
        assert len(left(await lines(hall, id))) == 1
        assert (await hall.proof(id)).holds == "yes"

    evening(house, work)


def test_one_resigns_when_not_asked_and_is_not_asked_any_more(house: House) -> None:
    async def work(hall: Hall) -> None:
        id, ada = await table(hall, "forsale", "open", "open", "open")
        bob, eve = await hall.account("bob"), await hall.account("eve")
        games = [Client(hall.url, token).play_async("forsale", RANDOM, table=id) for token in (bob, eve)]
        others = asyncio.gather(*games)
        async with hall.connect(f"/play/forsale/{id}", ada) as line:
            seat = Seat(line)
            await seat.hello("ada")
            await seat.first_choice()
            await seat.say(type="leave")
            await seat.hear("over")
        await others
        recorded = await lines(hall, id)
        assert b'"quit"' in b"".join(left(recorded)) and b'"gone"' in b"".join(recorded), "charged as gone, never late"

    evening(house, work)


def test_before_the_match_it_gives_up_the_seat(house: House) -> None:
    async def work(hall: Hall) -> None:
        id, ada = await table(hall, "forsale", "open", "random", "open")
        async with hall.connect(f"/play/forsale/{id}", ada) as line:
            seat = Seat(line)
            await seat.hello("ada")
            await until(hall.serving.arena.open[id].seats.people)
            await seat.say(type="leave")
            assert (await seat.hear("error"))["code"] == "left"
        assert [each["name"] for each in (await hall.get(f"/matches/{id}")).json()["seats"]] == [None, "random", None]
        games = [Client(hall.url, await hall.account(name)).play_async("forsale", RANDOM, table=id) for name in "bc"]
        assert {finished.match for finished in await asyncio.gather(*games)} == {id}

    evening(house, work)


def test_after_the_end_it_changes_nothing(house: House) -> None:
    async def work(hall: Hall) -> None:
        id, ada = await table(hall, "forsale", "open", "random", "random")
        async with hall.connect(f"/play/forsale/{id}", ada) as line:
            seat = Seat(line)
            await seat.hello("ada")
            await seat.say(type="leave")
            await seat.hear("over")
            with contextlib.suppress(ConnectionClosed):
                await seat.say(type="leave")
        await until(lambda: id not in hall.serving.arena.playing)
        before = await lines(hall, id)
        async with hall.connect(f"/play/forsale/{id}", ada) as line:
            assert (await Seat(line).hear("over"))["void"] is None
            with contextlib.suppress(ConnectionClosed):
                await Seat(line).say(type="leave")
        assert await lines(hall, id) == before

    evening(house, work)


def test_a_client_that_has_resigned_has_also_after_a_restart(house: House) -> None:
    async def first(hall: Hall) -> tuple[str, str, str]:
        id, ada = await table(hall, "forsale", "open", "open", "random")
        bob = await hall.account("bob")
        async with hall.connect(f"/play/forsale/{id}", ada) as one, hall.connect(f"/play/forsale/{id}", bob) as two:
            await Seat(one).hello("ada")
            await Seat(two).hello("bob")
            await Seat(one).hear("seat")
            await Seat(one).say(type="leave")
            while not left(await lines(hall, id)):
                await asyncio.sleep(0.01)
        return id, ada, bob

    id, ada, bob = evening(house, first)

    async def second(hall: Hall) -> None:
        async with hall.connect(f"/play/forsale/{id}", ada) as line:
            seat = Seat(line)
            await seat.hello("ada")
            await seat.hear("seat")
            await Client(hall.url, bob).play_async("forsale", RANDOM, table=id)
            await seat.hear("over")
            assert not [told for told in seat.heard if told["type"] == "ask"]
        assert len(left(await lines(hall, id))) == 1

    evening(house, second)


def test_a_bot_that_resigns_has_left_at_once(house: House) -> None:
    def tired(view: Any, ask: Any, dice: Any) -> Any:
        raise Resigned

    async def work(hall: Hall) -> None:
        id, ada = await table(hall, "forsale", "open", "random", "random")
        with pytest.raises(CannotPlay, match="resigned"):
            await Client(hall.url, ada).play_async("forsale", tired, table=id)
        await hall.over(id)
        assert len(left(await lines(hall, id))) == 1

    evening(house, work)


@pytest.mark.parametrize("leaves", [True, False])
def test_a_cancelled_client_leaves_if_it_is_told_to(house: House, leaves: bool) -> None:
    async def work(hall: Hall) -> None:
        id, ada = await table(hall, "forsale", "open", "random", "random")
        enough, loop = asyncio.Event(), asyncio.get_running_loop()

        def told(view: Any, ask: Any, dice: Any) -> Any:
            loop.call_soon_threadsafe(enough.set)
            raise SystemExit  # its answer comes too late to matter

        playing = asyncio.ensure_future(Client(hall.url, ada, leaves=leaves).play_async("forsale", told, table=id))
        await enough.wait()
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        if leaves:
            await hall.over(id)
        assert len(left(await lines(hall, id))) == leaves

    evening(house, work)
