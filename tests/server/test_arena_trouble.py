"""Failures, and events at bad moments: no client is left waiting."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

import parlour.tables.arena
import parlour.tables.stored_tables
from parlour.client import Client
from parlour.games import game
from parlour.players.play import Begun
from parlour.players.starter import Starter
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Plan, TableTerms
from parlour.server.accounts import Doorkeeper
from parlour.store.match_log import StoredLog
from parlour.store.store import Store, Token
from parlour.tables.arena import QUICK_S, Arena
from parlour.tables.match_setup import begun_in_thread
from parlour.tables.retries import AGAIN_S
from parlour.tables.seating import HELD_S
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.kept_house import Line
from tests.server.leagues import BOT, close_entries, opened, until_over
from tests.server.liners import Liner
from tests.turned import run, settle, turn, until

WAIT_S = 600.0
WAITS_FOR_OTHERS = """
import json, os, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
(folder / f"{os.getpid()}.started").touch()
while len([*folder.glob("*.started")]) < 4:
    time.sleep(0.01)
print(json.dumps({"type": "hello", "name": "waits"}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask":
        answer = {"type": "answer", "id": message["id"], "action": message["ask"]["choices"][0]}
        print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off", hello_s=3600.0)


@contextmanager
def failing(store: object, what: str) -> Iterator[list[str]]:
    """Let one call of a store fail; yields a list with an entry for each call."""
    asked: list[str] = []

    async def fails(*_: Any, **__: Any) -> None:
        asked.append(what)
        raise OperationalError(what, {}, Exception("disk full"))

    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(store, what, fails)
        yield asked


@contextmanager
def losing_answers(store: object, what: str, times: int = 1) -> Iterator[None]:
    """A store that does one thing, but whose connection is lost before it says so."""
    call, left = getattr(store, what), times

    async def loses(*args: Any, **more: Any) -> Any:
        nonlocal left
        answer, left = await call(*args, **more), left - 1
        if left >= 0:
            raise OperationalError(what, {}, Exception("connection lost"))
        return answer

    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(store, what, loses)
        yield


class Slow:
    """Matches begin when the test lets them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.deals = asyncio.Event()
        self.is_dealing = asyncio.Event()
        monkeypatch.setattr(parlour.tables.arena, "begun_in_thread", self._slowly)

    async def _slowly(self, *terms: Any) -> Begun:
        self.is_dealing.set()
        await self.deals.wait()
        return await begun_in_thread(*terms)


# The store fails


def test_a_full_table_is_tried_again_by_one_task_however_often_the_store_failed(house: House) -> None:
    async def work(hall: Hall) -> None:
        token, arena = await hall.account("ada"), hall.serving.arena
        id = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        table, tasks = arena.open[id], {*arena._tasks}
        with failing(hall.store, "begin_match") as asked:
            await arena.sit(id, await hall.id(token), "ada")
            for _ in range(10):
                with pytest.raises(OperationalError):
                    await arena.begin_if_full(table)
            assert len(arena._tasks - tasks) == 1
            turn(HELD_S)
            await until(lambda: len(asked) > 10 and table.is_retried)
            assert len(asked) < 20
        turn(HELD_S)
        await until(lambda: id in arena.playing)

    evening(house, work)


def test_a_table_whose_time_is_over_while_the_store_fails_begins_when_it_does_not(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        seats = ("open", "open", "random", "random")
        table = (await hall.table(token, "forsale", *seats, wait_s=WAIT_S))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("ada", token=token)
            await until(hall.serving.arena.open[table].seats.people)
            with failing(hall.store, "begin_match") as asked:
                turn(WAIT_S)
                await until(lambda: asked)
                await settle()
            turn(HELD_S)
            assert len((await seat.hear("seat"))["players"]) == 3

    evening(house, work)


def test_a_full_table_of_invited_players_begins_although_its_time_was_over_while_the_store_failed(house: House) -> None:
    async def work(hall: Hall) -> None:
        token, arena = await hall.account("ada"), hall.serving.arena
        created = await hall.table(token, "forsale", "invited", "random", "random", wait_s=WAIT_S)
        id = created["table"]["id"]
        with failing(hall.store, "begin_match") as asked:
            assert (await hall.post(f"/tables/{id}/join", token, key=created["key"])).status_code == 503
            before = len(asked)
            turn(WAIT_S)
            await until(lambda: len(asked) > before)
            await settle()
            assert id in arena.open
        turn(HELD_S)
        await until(lambda: id in arena.playing)

    evening(house, work)


def test_a_match_that_cannot_be_resumed_for_the_moment_is_tried_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        arena, token = hall.serving.arena, await hall.account("ada")
        id = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        tries: list[object] = []

        async def no_memory(*args: Any) -> Begun:
            tries.append(args)
            raise MemoryError

        async with hall.connect(f"/play/forsale/{id}", token) as line:
            seat = Seat(line)
            await seat.hello("ada")
            await seat.hear("ask")
            with monkeypatch.context() as broken, failing(hall.store.writer, "keep"):
                broken.setattr(parlour.tables.stored_tables, "begun_in_thread", no_memory)
                arena.playing[id].seats.left(1, "dead")
                await until(lambda: arena.broken)
                await until(lambda: id not in arena.playing)
                while not tries:
                    turn(AGAIN_S[-1])
                    await settle()
        while id not in arena.playing:
            turn(AGAIN_S[-1])
            await settle()

    evening(house, work)


def test_a_failed_match_whose_record_is_wrong_is_void(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        arena, token, lines = hall.serving.arena, await hall.account("ada"), hall.store.lines
        logged: list[tuple[str, str]] = []
        monkeypatch.setattr(
            parlour.tables.arena, "tell", lambda event, level=0, **facts: logged.append((event, facts["match"]))
        )

        async def wrong(id: str) -> list[bytes]:
            return [(await lines(id))[0], b"{}"]

        id = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{id}", token) as line:
            seat = Seat(line)
            await seat.hello("ada")
            await seat.hear("ask")
            with failing(hall.store.writer, "keep"):
                arena.playing[id].seats.left(1, "dead")
                await until(lambda: id not in arena.playing)
            monkeypatch.setattr(hall.store, "lines", wrong)
            stored = await hall.store.match(id)
            while stored is not None and stored.state != "void":
                turn(AGAIN_S[-1])
                await settle()
                stored = await hall.store.match(id)
        await until(lambda: not arena._failed)
        assert id in arena.broken[-1] and logged == [("void", id)]

    evening(house, work)


def test_a_table_that_was_stored_although_the_connection_was_lost_is_open(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        with losing_answers(hall.store, "add_match"):
            id = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        assert [match.id for match in await hall.store.matches()] == [id] == [*hall.serving.arena.open]

    evening(house, work)


def test_a_quick_table_that_was_stored_although_the_connection_was_lost_has_all_its_players(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        with losing_answers(hall.store, "add_match"), failing(hall.store, "match"):
            assert (await hall.post("/queue/forsale", ada)).status_code == 503
        for token in (bob, ada):
            assert (await hall.post("/queue/forsale", token)).status_code == 200
        [stored] = await hall.store.matches()
        [table] = hall.serving.arena.open.values()
        assert [seat.name for seat in stored.seats] == [chair.name for chair in table.chairs] == ["bob", "ada", None]

    evening(house, work)


def test_a_match_of_a_league_whose_table_was_stored_although_the_connection_was_lost_is_played(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        with losing_answers(hall.store, "open_slot"):
            league = await opened(hall, admin, house=[BOT, BOT, BOT])
            await close_entries(hall, league, admin)
            await until_over(hall, league)

    evening(house, work)


def test_a_table_ends_even_if_its_commands_cannot_be_stopped_in_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = asyncio.Event()

    async def stuck(self: Starter) -> None:
        closing.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Starter, "close", stuck)

    async def work(hall: Hall) -> None:
        arena, token = hall.serving.arena, await hall.account("ada")
        id = (await hall.table(token, "forsale", "random", "random", "random"))["table"]["id"]
        playing = arena.playing[id]
        await closing.wait()
        await arena.close()
        assert playing.ended.is_set() and playing.feeds._ended

    evening(house, work)


def test_commands_are_started_at_the_same_time(tmp_path: Path) -> None:
    """Each says hello only after all have been started."""
    program = tmp_path / "waits.py"
    program.write_text(WAITS_FOR_OTHERS)
    commands = {"forsale": {"waits": f"exec:{sys.executable} {program} {tmp_path}"}}

    async def work(hall: Hall) -> None:
        seats = [{"kind": "open"}, *[{"kind": "command", "spec": "waits"}] * 4]
        token = await hall.account("ada")
        made = await hall.post("/tables", token, game="forsale", seats=seats, terms={"limit_s": 60})
        async with hall.connect(f"/play/forsale/{made.json()['table']['id']}", token) as line:
            seat = Seat(line)
            await seat.hello("ada")
            await seat.hear("ask")

    evening(House(tmp_path, log="off", commands=commands), work)


def test_a_table_that_is_dropped_while_the_store_fails_is_so_when_it_does_not(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "open", "open", wait_s=WAIT_S))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("ada", token=token)
            await until(hall.serving.arena.open[table].seats.people)
            with failing(hall.store, "change_match") as asked:
                turn(WAIT_S)
                await until(lambda: asked)
                await settle()
            turn(HELD_S)
            assert (await seat.hear("error"))["code"] == "dropped"
        assert (await hall.over(table))["state"] == "dropped"

    evening(house, work)


def test_a_client_that_comes_back_while_the_store_fails_is_told(house: House) -> None:
    async def work(hall: Hall) -> None:
        with failing(hall.store, "token"):
            async with hall.connect("/ws/tradecraft") as line:
                ada = Liner(line)
                await ada.says("login", token="parlour_of_before")
                assert (await ada.hears("error"))["code"] == "store_failed"
                await ada.rest()

    evening(house, work)


def test_a_client_that_stays_for_the_next_match_while_the_store_fails_is_told(house: House) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("ada")
        line, arena = Line(), hall.serving.arena
        with failing(hall.store, "add_match"):
            await arena._seat_again(game("maze"), line.player, 1, "ada")
        assert line.heard[-1]["code"] == "store_failed" and line.closed
        assert all(chair.free for table in arena.open.values() for chair in table.chairs)

    evening(house, work)


# What the host has changed


def test_a_command_that_the_host_has_no_more_is_nobody_and_its_match_goes_on(tmp_path: Path) -> None:
    plans = [{"kind": "open"}, {"kind": "command", "spec": "ours"}, {"kind": "bot", "spec": "random"}]

    async def before(hall: Hall) -> tuple[str, str, str]:
        token = await hall.account("ada")
        [running, waiting] = [
            (await hall.post("/tables", token, game="forsale", seats=plans)).json()["table"]["id"] for _ in range(2)
        ]
        async with hall.connect(f"/play/forsale/{running}") as line:
            seat = Seat(line)
            await seat.hello("ada", token=token)
            await seat.first_choice()
            await seat.hear("ask")
        return token, running, waiting

    async def after(hall: Hall) -> None:
        for table in (running, waiting):
            finished = await Client(hall.url, token).play_async(
                "forsale", game("forsale").hosting.bots["random"], table=table
            )
            assert finished.players == ("ada", "ours", "random")
            await hall.over(table)
            assert (await hall.proof(table)).holds == "yes"

    token, running, waiting = evening(House(tmp_path, log="off", commands={"forsale": {"ours": "random"}}), before)
    evening(House(tmp_path, log="off"), after)


# At the same moment


def test_a_client_that_connects_while_the_match_begins_is_seated(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        table = (await hall.table(ada, "forsale", "open", "open", "random"))["table"]["id"]
        assert (await hall.post(f"/tables/{table}/join", ada)).status_code == 200
        slow = Slow(monkeypatch)
        joining = asyncio.ensure_future(hall.post(f"/tables/{table}/join", bob))
        await slow.is_dealing.wait()
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("ada", token=ada)
            await until(lambda: hall.serving.arena.open[table].lock._waiters)
            slow.deals.set()
            assert (await seat.hear("seat"))["seat"] == 0
            assert (await joining).status_code == 200

    evening(house, work)


def test_a_stranger_who_comes_while_the_match_begins_is_told_so(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        slow = Slow(monkeypatch)
        joining = asyncio.ensure_future(hall.post(f"/tables/{table}/join", ada))
        await slow.is_dealing.wait()
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("eve")
            await until(lambda: hall.serving.arena.open[table].lock._waiters)
            slow.deals.set()
            assert (await seat.hear("error"))["code"] == "begun"
            assert (await joining).status_code == 200

    evening(house, work)


class SlowEnd:
    """Matches end in the store when we say so."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_ending, self.ends = asyncio.Event(), asyncio.Event()
        self._end_match = store.end_match
        monkeypatch.setattr(store, "end_match", self._slowly)

    async def _slowly(self, *how: Any) -> None:
        self.is_ending.set()
        await self.ends.wait()
        await self._end_match(*how)


@pytest.mark.parametrize("when", ["while the end is kept", "when all is over"])
def test_a_late_introduction_is_told_of_the_end(house: House, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        slow = SlowEnd(hall.store, monkeypatch)
        async with hall.connect(f"/play/forsale/{table}", ada) as one:
            await Seat(one).hello("ada")
            await Seat(one).hear("seat")
            async with hall.connect(f"/play/forsale/{table}") as two:
                back = Seat(two)
                await back.hear("hello")
                hall.serving.arena.playing[table].seats.left(0, "dead")  # and so the bots play it to its end
                await slow.is_ending.wait()
                if when == "when all is over":
                    slow.ends.set()
                    await hall.over(table)
                await back.say(type="hello", name="ada", token=ada)
                assert len((await back.hear("over"))["ranks"]) == 3
                slow.ends.set()
                with pytest.raises(ConnectionClosed):
                    await back.hear("anything")

    evening(house, work)


def test_an_invited_guest_whose_connection_is_lost_before_the_match_takes_the_seat_again(house: House) -> None:
    async def work(hall: Hall) -> None:
        arena, random = hall.serving.arena, game("forsale").hosting.bots["random"]
        created = await hall.table(await hall.account("host"), "forsale", "invited", "open", "random")
        table = arena.open[created["table"]["id"]]
        invited = Client(hall.url, name="ada").play_async("forsale", random, table=table.id, key=created["key"])
        ada = asyncio.ensure_future(invited)
        await until(lambda: table.chairs[0].player is not None)
        player = table.chairs[0].player
        assert player is not None
        player.peer.drop("dead")
        await arena.begin_if_full(table)
        assert table.chairs[0].free
        await until(lambda: ada.done() or table.chairs[0].player is not None)
        bob = await Client(hall.url, name="bob").play_async("forsale", random, table=table.id)
        assert bob.match == (await ada).match and bob.seat == 1

    evening(house, work)


def test_those_who_never_say_their_names_cannot_keep_a_table_waiting(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as line:
            ada = Seat(line)
            await ada.hello("ada")
            [table] = hall.serving.arena.open.values()
            await until(table.seats.people)
            async with hall.connect("/play/forsale") as silent:
                await Seat(silent).hear("hello")
                turn(QUICK_S)
                await settle()
                other = await hall.connect("/play/forsale")
                await Seat(other).hear("hello")
            turn(HELD_S)
            assert (await ada.hear("seat"))["players"][0] == "ada"
            await other.close()

    evening(House(tmp_path, log="off", hello_s=3600.0, quick_s=QUICK_S), work)


def test_a_token_that_is_revoked_while_it_is_looked_up_does_not_hold(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        door = Doorkeeper(hall.store)
        token, before = await door.guest("ada")

        async def late(hash: str) -> Token:
            await door.revoke(before.account.id, before.id)
            return before

        monkeypatch.setattr(hall.store, "token", late)
        with pytest.raises(RequestError, match="a valid token is needed"):
            await door.valid_token(token)

    evening(house, work)


def test_a_match_that_is_dealt_while_the_arena_closes_begins_with_the_next_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        store = await Store.open(f"sqlite:///{tmp_path / 'arena.db'}")
        arena, again = Arena(store, partial(StoredLog, store)), Arena(store, partial(StoredLog, store))
        slow = Slow(monkeypatch)
        creating = asyncio.ensure_future(arena.create("forsale", [Plan("bot", "random")] * 3, TableTerms(), None))
        await slow.is_dealing.wait()
        await arena.close()
        slow.deals.set()
        [table, _] = await creating
        assert not arena.playing and await store.lines(table.id) == []
        await again.start()
        assert table.id in again.playing
        await until(lambda: not again.playing)
        stored = await store.match(table.id)
        assert stored is not None and stored.state == "over"
        await store.close()

    run(work())


def test_a_match_that_fails_before_its_first_line_is_begun_again_only_once(house: House) -> None:
    async def work(hall: Hall) -> None:
        arena, token = hall.serving.arena, await hall.account("ada")
        with failing(hall.store.writer, "keep"):
            id = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
            assert (await hall.post(f"/tables/{id}/join", token)).status_code == 200
            await until(lambda: id in arena._failed and id not in arena.playing)
        with failing(hall.store, "begin_match") as asked:
            while not asked:
                turn(AGAIN_S[0])
                await settle()
            await until(lambda: id in arena.open)
        while id not in arena.playing:
            turn(HELD_S)
            await settle()
        playing, troubles = arena.playing[id], [*arena.broken]
        for _ in range(3):
            turn(AGAIN_S[1])
            await settle()
        assert arena.playing[id] is playing and arena.broken == troubles and not arena._failed

    evening(house, work)
