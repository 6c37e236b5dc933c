"""A guest is told its token before the first line of its match is stored, so that it can return after any crash."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import parlour.tables.arena
from parlour.client import Client, Refused
from parlour.games import game
from parlour.players.play import Begun
from parlour.store.backup import back_up
from parlour.tables.arena import Arena
from parlour.tables.match_setup import begun_in_thread
from parlour.tables.table import Table
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.liners import TcpLiner
from tests.turned import soon, turn, until

DEALT, BEGUN, TOLD, STORED = "dealt", "begun", "told", "stored"


class Deaths:
    """A copy of the store as it would be if the server were killed at each step of the beginning of a match."""

    def __init__(self, folder: Path, hall: Hall, told: Callable[[], Awaitable[Any]]) -> None:
        self.folder = folder
        self._hall = hall
        self._told = told
        """Wait until the client was told its token."""
        self._begin_match, self._keep = hall.store.begin_match, hall.store.writer.keep
        self.done = asyncio.Event()

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(parlour.tables.arena, "begun_in_thread", self._deal)
        monkeypatch.setattr(self._hall.store, "begin_match", self._begin)
        monkeypatch.setattr(self._hall.store.writer, "keep", self._store)

    def at(self, step: str, **settings: Any) -> House:
        return House(self.folder / step, log="off", **settings)

    def _dies(self, step: str) -> None:
        copy_store(self.folder, self.folder / step)

    async def _deal(self, *terms: Any) -> Begun:
        begun = await begun_in_thread(*terms)
        self._dies(DEALT)
        return begun

    async def _begin(self, *how: Any) -> None:
        await self._begin_match(*how)
        self._dies(BEGUN)

    async def _store(self, match: str, first: int, raws: Sequence[bytes]) -> None:
        if first == 0:
            await self._told()
            self._dies(TOLD)
        await self._keep(match, first, raws)
        if first == 0:
            self._dies(STORED)
            self.done.set()


def test_a_guest_of_protocol_1_can_come_back_whenever_the_server_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> tuple[Deaths, str, str]:
        table = (await hall.table(await hall.account("host"), "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            deaths = Deaths(tmp_path, hall, lambda: seat.hear("seat"))
            with monkeypatch.context() as watched:
                deaths.watch(watched)
                await seat.hello("guest", salt="mine")
                await soon(deaths.done.wait())
            [told] = [message for message in seat.heard if message["type"] == "seat"]
            await seat.hear("ask")
            assert [message["type"] for message in seat.heard].count("seat") == 1, "it is told once"
        return deaths, table, told["token"]

    async def free(hall: Hall) -> None:
        """No guest was told its token, and the seat is free."""
        assert hall.serving.arena.open[table].chairs[0].free and await hall.store.lines(table) == []
        finished = await Client(hall.url, name="other").play_async(
            "forsale", game("forsale").hosting.bots["random"], table=table
        )
        assert finished.players == ("other", "random", "random")

    async def begun(hall: Hall) -> None:
        """The guest may have been told its token, so the match waits for it, up to a limit."""
        chair = hall.serving.arena.open[table].chairs[0]
        assert chair.name == "guest" and chair.is_awaited
        turn(600.0)
        assert (await hall.over(table))["state"] == "dropped" and await hall.store.lines(table) == []

    async def back(hall: Hall) -> None:
        finished = await Client(hall.url, token).play_async("forsale", bot, table=table)
        assert finished.players == ("guest", "random", "random")
        await hall.over(table)
        assert (await hall.proof(table)).holds == "yes"

    async def token_lost(hall: Hall) -> None:
        """The guest was not told its token, and connects as a new guest, which waits for the seat."""
        playing = asyncio.ensure_future(Client(hall.url, name="again").play_async("forsale", bot, table=table))
        await until(lambda: waits(hall))
        assert hall.serving.arena.open[table].chairs[0].name == "guest"
        turn(11.0)
        finished = await soon(playing)
        assert finished.players == ("again", "random", "random")

    async def token_known(hall: Hall) -> None:
        """The guest was told its token, and returns while another guest waits for its seat."""
        other = asyncio.ensure_future(Client(hall.url, name="other").play_async("forsale", bot, table=table))
        await until(lambda: waits(hall))
        finished = await Client(hall.url, token).play_async("forsale", bot, table=table)
        assert finished.players == ("guest", "random", "random")
        with pytest.raises(Refused):
            await soon(other)

    def waits(hall: Hall) -> bool:
        """Whether the arena lets a new guest wait for a seat."""
        return len(waiting) > 0 and hall.serving.arena.open[table].chairs[0].is_awaited

    waiting: list[str] = []
    wait = Arena.wait_for_awaited

    async def watched_wait(arena: Arena, table: Table) -> bool:
        waiting.append(table.id)
        return await wait(arena, table)

    bot = game("forsale").hosting.bots["random"]
    deaths, table, token = evening(House(tmp_path, log="off"), work)
    evening(deaths.at(DEALT), free)
    for step, returns in ((BEGUN, token_lost), (TOLD, token_known)):
        copy_store(deaths.folder / step, deaths.folder / returns.__name__)
        waiting.clear()
        with monkeypatch.context() as watched:
            watched.setattr(Arena, "wait_for_awaited", watched_wait)
            evening(deaths.at(returns.__name__), returns)
    evening(deaths.at(BEGUN), begun)
    evening(deaths.at(TOLD), back)
    evening(deaths.at(STORED), back)


def copy_store(old: Path, new: Path) -> None:
    new.mkdir()
    back_up(old / "arena.db", new / "arena.db")


def test_a_guest_of_tradecraft_can_come_back_whenever_the_server_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings: dict[str, Any] = {"tcp_port": 0, "listeners": {"tradecraft": 0}}

    async def work(hall: Hall) -> tuple[Deaths, str]:
        await hall.table(await hall.account("host"), "tradecraft", "open", "random", quick=True)
        guest = await TcpLiner.sits(hall.serving.listeners["tradecraft"], "guest")
        deaths = Deaths(tmp_path, hall, lambda: guest.hears("login_success"))
        with monkeypatch.context() as watched:
            deaths.watch(watched)
            await soon(deaths.done.wait())
        await guest.drop()
        return deaths, guest.heard[-1]["token"]

    async def back(hall: Hall) -> None:
        guest = await TcpLiner.sits(hall.serving.listeners["tradecraft"], "", token=token)
        assert (await guest.hears("login_success"))["token"] == token
        await until(lambda: hall.serving.arena.playing)
        await guest.drop()

    deaths, token = evening(House(tmp_path, log="off", **settings), work)
    evening(deaths.at(TOLD, **settings), back)
    evening(deaths.at(STORED, **settings), back)


def test_a_guest_that_came_back_and_is_killed_again_finds_its_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two guests were told their tokens, and one of them has returned."""

    async def work(hall: Hall) -> tuple[Deaths, str, list[str]]:
        table = (await hall.table(await hall.account("host"), "forsale", "open", "open", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as one, hall.connect(f"/play/forsale/{table}") as two:
            seats = [Seat(one), Seat(two)]
            deaths = Deaths(tmp_path, hall, lambda: asyncio.gather(*(seat.hear("seat") for seat in seats)))
            with monkeypatch.context() as watched:
                deaths.watch(watched)
                for name, seat in zip(("ada", "bob"), seats, strict=True):
                    await seat.hello(name)
                await soon(deaths.done.wait())
            return deaths, table, [seat.heard[-1]["token"] for seat in seats]

    async def one_is_back(hall: Hall) -> None:
        async with hall.connect(f"/play/forsale/{table}") as line:
            await Seat(line).hello("ada", token=tokens[0])
            await until(lambda: any(chair.is_connected for chair in hall.serving.arena.open[table].chairs))
        await until(lambda: not any(chair.is_connected for chair in hall.serving.arena.open[table].chairs))
        await hall.serving.arena.begin_if_full(hall.serving.arena.open[table])
        assert table in hall.serving.arena.open, "the match waits for both"

    async def both_are_back(hall: Hall) -> None:
        bot = game("forsale").hosting.bots["random"]
        playing = [Client(hall.url, token).play_async("forsale", bot, table=table) for token in tokens]
        [first, _] = await asyncio.gather(*playing)
        assert sorted(first.players) == ["ada", "bob", "random"]

    deaths, table, tokens = evening(House(tmp_path, log="off"), work)
    evening(deaths.at(TOLD), one_is_back)
    evening(deaths.at(TOLD), both_are_back)


def test_no_match_begins_with_a_guest_that_could_not_hear_of_its_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guest disconnects while the match begins: its seat is free, and the others wait for another player."""
    deals, is_dealing = asyncio.Event(), asyncio.Event()

    async def slowly(*terms: Any) -> Begun:
        is_dealing.set()
        await deals.wait()
        return await begun_in_thread(*terms)

    async def work(hall: Hall) -> None:
        monkeypatch.setattr(parlour.tables.arena, "begun_in_thread", slowly)
        table = (await hall.table(await hall.account("host"), "forsale", "open", "open", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            stays = Seat(line)
            await stays.hello("ada")
            waiting = hall.serving.arena.open[table]
            await until(waiting.seats.people)
            async with hall.connect(f"/play/forsale/{table}") as other:
                await Seat(other).hello("bob")
                await is_dealing.wait()
            await until(lambda: (gone := waiting.chairs[1].player) is not None and gone.peer.gone is not None)
            deals.set()
            await until(lambda: waiting.chairs[1].free)
            await until(lambda: not waiting.lock.locked())
            stored = await hall.store.match(table)
            assert stored is not None and (stored.state, stored.seats[1].name) == ("open", None)
            assert await hall.store.lines(table) == [] and table in hall.serving.arena.open
            carl = Client(hall.url, name="carl").play_async(
                "forsale", game("forsale").hosting.bots["random"], table=table
            )
            playing = asyncio.ensure_future(carl)
            seats = [await stays.hear("seat")]
            while seats[-1]["players"] != ["ada", "carl", "random"]:  # it may have heard of the first one, too
                seats.append(await stays.hear("seat"))
            await stays.hear("ask")
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing

    evening(House(tmp_path, log="off", hello_s=3600.0), work)


def test_a_guest_with_a_token_from_a_room_keeps_its_seat_at_a_table_after_a_restart(tmp_path: Path) -> None:
    async def work(hall: Hall) -> str:
        async with hall.connect("/play/colorfight") as line:
            in_room = Seat(line)
            await in_room.hello("ada")
            token = (await in_room.hear("seat"))["token"]
        table: str = (await hall.table(await hall.account("host"), "forsale", "open", "open", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            await Seat(line).hello("ada", token=token)
            await until(hall.serving.arena.open[table].seats.people)
        return table

    async def restarted(hall: Hall) -> None:
        assert hall.serving.arena.open[table].chairs[0].name == "ada"

    house = House(tmp_path, log="off", rooms=1)
    table = evening(house, work)
    evening(house, restarted)
