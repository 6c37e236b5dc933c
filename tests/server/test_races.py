"""Events that cross: each of them is allowed at any moment, also between two steps of another one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from parlour.games import game
from parlour.players.remote import RemotePlayer
from parlour.protocol.errors import RequestError
from parlour.protocol.v1 import V1
from parlour.server.accounts import Doorkeeper
from parlour.server.api.spectators import Watching
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.tables.seating import HELD_S
from parlour.transports.limits import RETURN_S
from parlour.transports.tcp import SocketPeer
from parlour.venues.colorfight.arena_rooms import RoomTable
from tests.server.agents import agent
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.kept_house import KeptHouse, Line
from tests.server.test_arena_trouble import failing
from tests.server.test_unlucky import Gate
from tests.server.visitors import PUBLIC
from tests.turned import run, settle, turn, until


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off", hello_s=3600.0)


class ForSaleLine(Line):
    """A client of For Sale."""

    def __init__(self) -> None:
        super().__init__()
        self.player = RemotePlayer(self, V1(game("forsale")))


def test_a_seat_is_kept_whose_client_has_returned_twice_of_which_the_first_connection_was_lost_at_once(
    house: House,
) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        id = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{id}", ada) as line:
            seat = Seat(line)
            await seat.hello("ada")
            await seat.hear("ask")
            playing, first, second = hall.serving.arena.playing[id], ForSaleLine(), ForSaleLine()
            playing.reconnect(0, first.player)
            first.drop("dead")  # before the match has taken note of it
            playing.reconnect(0, second.player)
            await until(lambda: "ask" in second.kinds())
            turn(RETURN_S)
            await settle()
            assert 0 not in playing.match.gone

    evening(house, work)


def test_a_table_of_a_league_is_not_given_up_because_the_store_failed_once(house: House) -> None:
    async def work(hall: Hall) -> None:
        arena, ada = hall.serving.arena, await hall.account("ada")
        id = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        arena.open[id].policy = arena.arranged
        with failing(hall.store, "note_absent"):
            assert (await hall.post(f"/tables/{id}/join", ada)).status_code == 503
        turn(HELD_S)
        await until(lambda: id in arena.playing)

    evening(house, work)


def test_a_table_whose_match_cannot_be_announced_is_given_up(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(*_: Any) -> list[bytes]:
        raise ZeroDivisionError("a bug")

    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        id = (await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
        monkeypatch.setattr(V1, "tell_token", cannot)
        async with hall.connect(f"/play/forsale/{id}") as line:
            seat = Seat(line)
            await seat.hello("ada")
            assert (await seat.hear("error"))["code"] == "dropped"
        assert (await hall.over(id))["state"] == "dropped"

    evening(house, work)


@pytest.mark.parametrize("has_left", [False, True])
def test_clients_do_not_wait_for_a_full_table_whose_guests_do_not_read_their_tokens(
    house: House, monkeypatch: pytest.MonkeyPatch, has_left: bool
) -> None:
    reads, told = asyncio.Event(), set[SocketPeer]()

    async def slowly(peer: SocketPeer) -> bool:
        told.add(peer)
        await reads.wait()
        return True

    monkeypatch.setattr(SocketPeer, "all_sent", slowly)

    async def work(hall: Hall) -> None:
        path = "/play/forsale"
        async with hall.connect(path) as one, hall.connect(path) as two, hall.connect(path) as three:
            for line in (one, two, three):
                await Seat(line).hello("guest")
            await until(lambda: len(told) == 3)  # at the same time
            if has_left:
                await one.close()
                [table] = hall.serving.arena.open.values()
                await until(lambda: not table.chairs[0].is_connected)
            async with hall.connect(path) as another:
                await Seat(another).hear("hello")
            reads.set()
            await until(lambda: hall.serving.arena.playing)

    evening(house, work)


@pytest.mark.parametrize("full", [False, True])
def test_a_spectator_of_a_table_that_reads_after_its_match_is_over_is_not_told_that_it_was_dropped(
    house: House, full: bool
) -> None:
    async def work(hall: Hall) -> None:
        arena, ada = hall.serving.arena, await hall.account("ada")
        watching = Watching(arena, Doorkeeper(hall.store), Settings(), Metrics())
        id = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        messages = await watching.public(id, full)
        assert b"waiting" in await anext(messages)
        assert (await hall.post(f"/tables/{id}/join", ada)).status_code == 200
        await until(lambda: id in arena.playing)
        arena.playing[id].seats.left(0, "quit")
        await until(lambda: id not in arena.playing)
        rest = [message async for message in messages]
        assert b'"type":"over"' in rest[-1]

    evening(house, work)


# Rooms


@asynccontextmanager
async def resting(house: KeptHouse) -> AsyncIterator[None]:
    """The game of the room is stopped by a failure of the store, and is resumed after a while."""
    actor = await house.player("bob", PUBLIC)
    await house.start()
    yield
    with failing(house.store.writer, "keep"):
        assert not (await actor.command("lost"))["success"]
        await until(lambda: house.room().game is None)


def test_a_client_that_comes_to_a_room_whose_game_is_to_be_resumed_may_come_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            ada = await house.store.add_account("ada", None)
            async with resting(house):
                pass
            with pytest.raises(RequestError) as refused:
                await RoomTable(house.room()).seat(Line().player, "ada", ada)
            assert refused.value.code == "parked"

    run(work())


def test_a_client_whose_join_is_interrupted_by_a_failure_of_the_store_may_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            ada = await house.store.add_account("ada", None)
            async with resting(house):
                gate = Gate(monkeypatch, house.store, "join")
                joining = asyncio.ensure_future(RoomTable(house.room()).seat(Line().player, "ada", ada))
                await gate.is_asked.wait()
            gate.opens.set()
            with pytest.raises(RequestError) as refused:
                await joining
            assert refused.value.code == "parked"

    run(work())


# Agents


def test_an_agent_is_told_that_the_store_failed_while_a_table_was_looked_for(house: House) -> None:
    async def work(hall: Hall) -> None:
        arena = hall.serving.arena
        async with hall.connect("/play/forsale") as line:
            await Seat(line).hello("guest")
            await until(lambda: any(table.seats.people() for table in arena.open.values()))
        [table] = arena.open.values()
        await until(lambda: not table.chairs[0].is_connected)
        async with agent(hall.url) as ada:
            with failing(hall.store, "stand_up"):
                assert await ada.fails("sit", game="forsale") == "store_failed"
        assert await hall.figure("parlour_connections", least=0, way="mcp") == 0

    evening(house, work)
