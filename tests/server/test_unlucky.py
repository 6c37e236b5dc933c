"""Races: two things happen in an unlucky order, and each client still gets the right message."""

import asyncio
import json
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

import parlour.tables.arena
from parlour.core import Dialect
from parlour.games import game
from parlour.players.play import Begun
from parlour.players.remote import RemotePlayer
from parlour.protocol.records import Account
from parlour.protocol.v1 import V1
from parlour.server.accounts import EndVisits
from parlour.server.api.spectators import paced
from parlour.server.net.socketio_clients import EventClient
from parlour.store.match_log import StoredLog
from parlour.store.store import Store, Token
from parlour.tables.match_feed import Feed
from parlour.tables.seating import HELD_S
from parlour.tables.table import Table
from parlour.transports.peer import Peer
from parlour.transports.tcp import SocketPeer
from parlour.venues.colorfight.rooms import WantedRoom
from parlour.venues.tradecraft.hall import Guests
from parlour.venues.tradecraft.socketio_halls import Halls
from tests.players.test_calls import DONE
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.kept_house import KeptHouse, Line
from tests.server.liners import to_arena
from tests.server.test_arena_trouble import Slow, failing
from tests.server.visitors import LONG_S, PUBLIC, WORD, refused
from tests.turned import run, turn, until


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off", hello_s=3600.0)


class Gate:
    """A call of the store that waits until the test lets it go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, store: Store, what: str) -> None:
        self.is_asked, self.opens = asyncio.Event(), asyncio.Event()
        self._call = getattr(store, what)
        monkeypatch.setattr(store, what, self._slowly)

    async def _slowly(self, *args: Any, **more: Any) -> Any:
        self.is_asked.set()
        await self.opens.wait()
        return await self._call(*args, **more)


# Tables and matches


def test_of_two_connections_to_a_seat_whose_match_just_begins_one_is_let_go(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        arena, dealing = hall.serving.arena, Slow(monkeypatch)
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}", ada) as line:
            seat, again, play = Seat(line), Line(), arena._play
            await seat.hello("ada")
            await dealing.is_dealing.wait()

            def at_once(playing: Table, *more: Any) -> None:
                play(playing, *more)
                playing.reconnect(0, RemotePlayer(again, V1(game("forsale"))))  # a client that returns at this moment

            monkeypatch.setattr(arena, "_play", at_once)
            dealing.deals.set()
            await until(lambda: "seat" in again.kinds())
            with pytest.raises(ConnectionClosed):
                await seat.hear("seat")

    evening(house, work)


def test_whoever_came_last_has_the_seat_even_if_the_store_is_slow_with_the_one_before(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        assert (await hall.post(f"/tables/{table}/join", ada)).status_code == 200
        await until(lambda: table in hall.serving.arena.playing)
        path = f"/play/forsale/{table}"
        async with hall.connect(path, ada) as one, hall.connect(path, ada) as another:
            slow, last, known = Seat(one), Seat(another), hall.store.token
            await slow.hear("hello")
            await last.hear("hello")
            gate = Gate(monkeypatch, hall.store, "token")
            await slow.say(type="hello", name="ada")
            await gate.is_asked.wait()
            monkeypatch.setattr(hall.store, "token", known)
            await last.say(type="hello", name="ada")
            await last.hear("seat")
            gate.opens.set()
            assert (await slow.hear("error"))["code"] == "replaced"
            await last.hear("ask")

    evening(house, work)


def test_nobody_is_seated_at_a_table_when_the_server_stops(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        hall.serving.arena._closing = True
        said = await hall.post(f"/tables/{table}/join", ada)
        assert (said.status_code, said.json()["code"]) == (503, "parked")
        hall.serving.arena._closing = False

    evening(house, work)


def test_a_client_that_looks_for_a_table_does_not_clear_the_seats_of_a_match_that_has_just_begun(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        arena, dealing = hall.serving.arena, Slow(monkeypatch)
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random", quick=True))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            await Seat(line).hello("guest", token=await hall.guest())
            await dealing.is_dealing.wait()
            begins = arena.open[table]
        await until(lambda: (lost := begins.chairs[0].player) is not None and lost.peer.gone is not None)
        looking = asyncio.ensure_future(arena.seating("forsale")._with_room([begins]))
        await until(lambda: begins.lock._waiters)
        dealing.deals.set()
        assert await looking is None
        stored = await hall.store.match(table)
        assert stored is not None and stored.seats[0].name == "guest", "it may come back to its seat"

    evening(house, work)


def test_a_client_that_says_its_name_when_the_match_of_its_table_is_over_hears_of_the_end(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            late = Seat(line)
            await late.hear("hello")
            assert (await hall.post(f"/tables/{table}/join", ada)).status_code == 200
            playing = hall.serving.arena.playing[table]
            await until(lambda: playing.shell is not None)
            playing.seats.left(0, "dead")
            await hall.over(table)
            await late.say(type="hello", name="ada", token=ada)
            assert len((await late.hear("over"))["ranks"]) == 3

    evening(house, work)


def test_a_client_that_comes_to_a_table_that_is_just_opened_again_may_come_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        arena, ada = hall.serving.arena, await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "open", "random"))["table"]["id"]
        stored = await hall.store.match(table)
        assert stored is not None
        arena._closed(arena.open[table])
        gate = Gate(monkeypatch, hall.store, "tokenless")
        arena.run(arena._reopen(stored))
        await gate.is_asked.wait()
        async with hall.connect(f"/play/forsale/{table}", ada) as line:
            assert (await Seat(line).hear("error"))["code"] == "parked"
        gate.opens.set()
        await until(lambda: table in arena.open)
        async with hall.connect(f"/play/forsale/{table}", ada) as line:
            await Seat(line).hear("hello")

    evening(house, work)


def test_a_full_table_whose_match_could_not_begin_waits_for_nobody_else(house: House) -> None:
    async def work(hall: Hall) -> None:
        arena, ada = hall.serving.arena, await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        with failing(hall.store, "begin_match") as asked:
            assert (await hall.post(f"/tables/{table}/join", ada)).status_code == 503
            turn(HELD_S)
            await until(lambda: len(asked) == 2)
        turn(HELD_S)
        await until(lambda: table in arena.playing)

    evening(house, work)


def test_a_table_whose_match_cannot_be_dealt_is_given_up(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def cannot(*_: Any) -> Begun:
        raise ZeroDivisionError("a bug")

    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        monkeypatch.setattr(parlour.tables.arena, "begun_in_thread", cannot)
        async with hall.connect(f"/play/forsale/{table}", ada) as line:
            seat = Seat(line)
            await seat.hello("ada")
            assert (await seat.hear("error"))["code"] == "dropped"
        assert (await hall.over(table))["state"] == "dropped"

    evening(house, work)


def test_a_bug_disconnects_a_client_that_stays_for_the_next_match(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cannot(*_: Any) -> Table:
        raise ZeroDivisionError("a bug")

    async def work(hall: Hall) -> None:
        arena, line = hall.serving.arena, Line()
        monkeypatch.setattr(arena, "quick", cannot)
        await arena._seat_again(game("colorfight"), line.player, 1, "ada")
        assert line.closed and line.heard[0]["code"] == "bug"

    evening(house, work)


def test_a_table_that_could_not_be_opened_again_at_once_is_opened_later(house: House) -> None:
    async def work(hall: Hall) -> None:
        arena, ada = hall.serving.arena, await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        with failing(hall.store.writer, "keep"):
            assert (await hall.post(f"/tables/{table}/join", ada)).status_code == 200
            await until(lambda: arena.broken)
        with failing(hall.store, "tokenless") as asked:
            turn(LONG_S)
            await until(lambda: asked)
        stored = await hall.store.match(table)
        assert stored is not None and stored.state == "open"
        turn(LONG_S)
        await until(lambda: table in arena.playing)

    evening(house, work)


def test_a_token_of_lines_is_good_for_a_match_that_rests(house: House) -> None:
    async def work(hall: Hall) -> None:
        arena = hall.serving.arena
        terms = {"quick": True, "options": {"max_turn": 4}}
        await hall.table(await hall.account("host"), "tradecraft", "open", "random", **terms)
        ada = await to_arena(hall, "TCP", username="ada")
        token = (await ada.hears("login_success"))["token"]
        await ada.hears("start_proposal")
        [playing] = arena.playing.values()
        with failing(hall.store.writer, "keep"):
            playing.seats.left(1, "dead")
            await until(lambda: not arena.playing)
        again = await to_arena(hall, "TCP", token=token)
        assert (await again.hears("error"))["code"] == "parked"
        turn(LONG_S)
        await until(lambda: arena.playing)
        again = await to_arena(hall, "TCP", token=token)
        assert (await again.hears("login_success"))["username"] == "ada"
        assert not arena.has_failed_match(game("tradecraft"), playing.chairs[0].account or 0)

    evening(house, work)


def test_a_client_that_is_sent_to_a_table_by_the_api_as_its_time_is_over_has_a_seat_there(house: House) -> None:
    async def work(hall: Hall) -> None:
        arena, ada = hall.serving.arena, await hall.account("ada")
        terms = {"quick": True, "wait_s": 600}
        table = (await hall.table(await hall.account("host"), "forsale", "open", "open", "random", **terms))["table"]
        waiting = arena.open[table["id"]]
        async with waiting.lock:
            queue = asyncio.ensure_future(hall.post("/queue/forsale", ada))
            await until(lambda: waiting.lock._waiters)
            arena.run(arena._wait_is_over(waiting))
        said = await queue
        assert said.status_code == 200 and said.json()["table"] == table["id"]

    evening(house, work)


# Watching


def test_a_client_that_watches_is_told_all_there_was_before_the_end_however_late_it_reads() -> None:
    async def work() -> None:
        feed = Feed()
        watcher = feed.messages(b"view")
        assert await anext(watcher) == b"view"
        feed._send({"n": 1})
        feed.end()
        assert [message async for message in watcher] == [b'{"n":1}']

    run(work())


def test_more_than_a_tail_may_happen_between_the_view_and_the_first_that_is_read() -> None:
    async def work() -> None:
        feed = Feed()
        watcher = feed.messages(b"view")
        for number in range(300):
            feed._send({"n": number})
        feed.end()
        assert [message async for message in watcher] == [b"view", *(b'{"n":%d}' % number for number in range(300))]

    run(work())


def test_a_client_that_goes_before_it_was_shown_anything_is_not_waited_for() -> None:
    async def work() -> None:
        feed = Feed()
        showing = asyncio.ensure_future(anext(paced(feed.messages(b"view"), 0.0, 10)))
        await asyncio.sleep(0)
        assert feed._watchers.all
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)
        await until(lambda: not feed._watchers.all)

    run(work())


def test_what_was_lost_with_its_match_is_shown_to_nobody(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(self: StoredLog, lines: Sequence[bytes]) -> None:
        raise OperationalError("insert", {}, Exception("disk full"))

    async def work(hall: Hall) -> None:
        arena, ada = hall.serving.arena, await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}", ada) as line:
            seat = Seat(line)
            await seat.hello("ada")
            asked = await seat.hear("ask")
            playing = arena.playing[table]
            with monkeypatch.context() as broken:
                broken.setattr(StoredLog, "write", full)
                await seat.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0])
                await until(lambda: table not in arena.playing)
            assert not await playing.settled()

    evening(house, work)


# Rooms


def test_a_restart_that_is_told_while_a_room_rests_is_not_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*args: Any) -> None:
        raise OperationalError("insert", {}, Exception("disk full"))

    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            ada = await house.player("ada", PUBLIC)
            await house.start()
            before = house.game()
            with monkeypatch.context() as broken:
                broken.setattr(house.store.writer, "keep", full)
                assert not (await ada.command("lost"))["success"]
                await until(lambda: house.room().game is None)
            assert await house.post("/restart", max_turn=300, admin_password=WORD) == DONE
            turn(LONG_S)
            await until(lambda: house.room().game is not None and house.game().id != before.id)
            assert house.game().config.options.max_turn == 300 and (await house.over(before.id)).state == "over"

    run(work())


def test_a_room_that_is_deleted_while_the_server_stops_is_there_again_with_its_game(tmp_path: Path) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            assert await house.post("/creategameroom", gameroom_id="r", config="duel", admin_password="own") == DONE
            ada = await house.player("ada", "/gameroom/r")
            club, game = house.room("r"), house.game("r")
            deleting = asyncio.ensure_future(house.rooms._close(club))
            await asyncio.sleep(0)
            await club.park()
            assert not await deleting and game.match.end is None and ada
            async with house.burnt_down() as again:
                assert again.game("r").id == game.id

    run(work())


def test_a_room_whose_game_cannot_be_ended_is_not_deleted_by_halves(tmp_path: Path) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            said = {"gameroom_id": "r", "admin_password": "own"}
            assert await house.post("/creategameroom", config="duel", **said) == DONE
            await house.player("ada", "/gameroom/r")
            game = house.game("r")
            with failing(house.store, "end_match") as asked:
                assert await house.post("/deletegameroom", **said) == refused("Not now, try again later")
                assert asked
            assert await house.post("/deletegameroom", **said) == DONE
            assert (await house.over(game.id)).state == "over" and await house.store.room("r") is None

    run(work())


def test_a_client_that_makes_a_room_does_not_wait_for_its_game_when_the_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            gate = Gate(monkeypatch, house.store, "begin_game")
            making = asyncio.ensure_future(house.rooms.create(WantedRoom(name="r", config="duel")))
            await gate.is_asked.wait()
            await house.rooms.stop()
            await until(making.done)

    run(work())


def test_a_room_that_is_just_made_when_the_server_stops_is_parked_too_and_none_is_made_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            gate = Gate(monkeypatch, house.store, "add_room")
            making = asyncio.ensure_future(house.rooms.create(WantedRoom(name="r", config="duel")))
            await gate.is_asked.wait()
            parking = asyncio.ensure_future(house.rooms.stop())
            await asyncio.sleep(0)
            gate.opens.set()
            await asyncio.gather(making, parking)
            assert house.room("r").playing.done()
            for path in ("/creategameroom", "/deletegameroom"):
                said = await house.post(path, gameroom_id="r", admin_password=WORD)
                assert said == refused("Not now, try again later")

    run(work())


# Halls


KNOWN = Token(1, Account(1, "somebody", None, False, 0), frozenset({"play"}), "guest", 0, False)


class Strangers(Guests):
    """Gives random tokens, which end with the server. The test sets whether a seat is kept."""

    is_kept = False

    def __init__(self) -> None:
        self.came: list[Peer] = []

    async def token(self, name: str, address: str) -> tuple[str, Token]:
        return secrets.token_urlsafe(), KNOWN

    async def hall(self, name: str, token: str) -> tuple[str, Token] | None:
        return None

    def watch(self, end: EndVisits) -> None:
        pass

    def greet(self, peer: Peer, dialect: Dialect, seats: int) -> None:
        self.came.append(peer)

    def plays(self, account: int, seats: int) -> bool:
        return self.is_kept

    def playing(self, seats: int) -> int:
        return 0


class SlowRegistry(Strangers):
    """Accepts every token, after a delay."""

    def __init__(self) -> None:
        super().__init__()
        self.knows, self.is_asked = asyncio.Event(), asyncio.Event()

    async def hall(self, name: str, token: str) -> tuple[str, Token] | None:
        self.is_asked.set()
        await self.knows.wait()
        return "hall", KNOWN


def test_a_client_that_disconnects_while_its_token_is_looked_up_is_not_counted_as_connected() -> None:
    async def work() -> None:
        registry = SlowRegistry()
        halls = Halls({"hall": 2}, registry)
        client = EventClient(Peer())
        halls._on_connected(client)
        restoring = asyncio.ensure_future(halls._restore(client, {"_username": "ada", "_token": "t"}))
        await registry.is_asked.wait()
        client.peer.drop("dead")
        halls._on_lost(client)
        registry.knows.set()
        await restoring
        assert not halls._here
        halls._tidy()
        assert not halls._users, "and the name is free"

    run(work())


def test_somebody_else_of_the_same_name_is_not_put_into_a_hall() -> None:
    async def work() -> None:
        registry = SlowRegistry()
        halls = Halls({"hall": 2}, registry)
        one, other = EventClient(Peer()), EventClient(Peer())
        for client in (one, other):
            halls._on_connected(client)
        restoring = asyncio.ensure_future(halls._restore(one, {"_username": "ada", "_token": "t"}))
        await registry.is_asked.wait()
        await halls._login(other, {"username": "ada"})
        registry.knows.set()
        await restoring
        assert halls._here.keys() == {other} and halls._users["ada"].hall is None

    run(work())


class Told(Peer):
    """Keeps what a client is told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[bytes] = []

    def send(self, messages: Iterable[bytes]) -> None:
        self.told += messages


def test_a_client_that_was_away_when_its_match_began_comes_to_it_when_it_is_ready() -> None:
    async def work() -> None:
        guests = Strangers()
        halls = Halls({"hall": 2, "other": 2}, guests)
        client = EventClient(peer := Told(), errors=lambda code, words: [code.encode()])
        halls._on_connected(client)
        await halls._login(client, {"username": "ada"})
        user = halls._users["ada"]
        halls._enter(user, client, "hall")
        guests.is_kept = True  # as it was seated before, over a connection that was lost
        halls._enter(user, client, "hall")
        halls._enter(user, client, "other")
        assert b"server__player_enter_room" in peer.told[-2] and peer.told[-1] == b"not_now"
        halls._ready(user, client)
        assert user.seat is not None
        user.seat.drop("dead")  # its return was refused: the match could not be resumed in that moment
        halls._enter(user, client, "hall")
        assert b"server__player_enter_room" in peer.told[-1]
        halls._ready(user, client)
        assert [json.loads(seat._early[0] or b"") for seat in guests.came] == 2 * [
            {"type": "login", "token": user.token}
        ]
        halls._ready(user, client)
        assert peer.told[-1] == b"not_now" and len(guests.came) == 2
        await halls.close()

    run(work())


def test_a_client_that_says_hello_after_the_last_seat_was_taken_is_told_that_the_match_has_begun(house: House) -> None:
    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        table = (await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
        path = f"/play/forsale/{table}"
        async with hall.connect(path) as one, hall.connect(path) as other:
            late, player = Seat(one), Seat(other)
            await late.hear("hello")
            await player.hello("player")
            await player.hear("ask")
            await late.say(type="hello", name="late")
            assert (await late.hear("error"))["code"] == "begun"

    evening(house, work)


# Guests that return to a table of tradeCraft with their token


def test_a_guest_that_returns_to_an_open_table_keeps_its_seat_and_name(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        guest, host = await hall.guest(), await hall.account("host")
        id = (await hall.table(host, "tradecraft", "open", "open", options={"max_turn": 4}))["table"]["id"]
        assert (await hall.post(f"/tables/{id}/join", guest)).status_code == 200
        chair = hall.serving.arena.open[id].chairs[0]
        name = chair.name
        first = await to_arena(hall, "TCP", token=guest)
        await until(lambda: chair.is_connected)
        await first.drop()
        await until(lambda: not chair.is_connected)
        again = await to_arena(hall, "TCP", token=guest)
        await until(lambda: chair.is_connected)
        assert hall.serving.arena.open[id].chairs[0] is chair and chair.name == name
        assert (await hall.post(f"/tables/{id}/join", host)).status_code == 200
        assert str(name) in str(await again.hears("start_proposal"))

    evening(House(tmp_path, log="off"), work)


@pytest.mark.parametrize("taken", [0, 2])
def test_a_guest_that_returns_while_its_seat_is_freed_gets_another_one_if_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: int
) -> None:
    async def work(hall: Hall) -> None:
        arena, guest = hall.serving.arena, await hall.guest()
        host, other = [await hall.account(name) for name in ("host", "other")]
        id = (await hall.table(host, "tradecraft", "open", "open", options={"max_turn": 4}))["table"]["id"]
        assert (await hall.post(f"/tables/{id}/join", guest)).status_code == 200
        table, gate = arena.open[id], Gate(monkeypatch, hall.store, "stand_up")
        chair = table.chairs[0]
        chair.must_connect, name = True, chair.name  # as at a quick table
        async with table.lock:
            freeing = asyncio.ensure_future(arena.sweep(table, awaited=True))
            await gate.is_asked.wait()
            joins = [asyncio.ensure_future(hall.post(f"/tables/{id}/join", token)) for token in [host, other][:taken]]
            await until(lambda: len(table.lock._waiters or ()) == taken)
            line = await to_arena(hall, "TCP", token=guest)
            await until(lambda: len(table.lock._waiters or ()) == taken + 1)
            gate.opens.set()
            await freeing
        assert [answer.status_code for answer in await asyncio.gather(*joins)] == [200] * taken
        if taken == 2:
            assert (await line.hears("error"))["code"] == "no_such_seat"
        else:
            await until(lambda: table.chairs[0].is_connected)
            assert table.chairs[0] is not chair and table.chairs[0].name == name

    evening(House(tmp_path, log="off"), work)


def test_a_token_leads_to_the_match_that_its_owner_plays_and_not_to_one_that_it_has_left(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        arena = hall.serving.arena
        ada, bob, cat = [await hall.account(name) for name in ("ada", "bob", "cat")]

        async def match(*players: str) -> Table:
            seats, options = ["open"] * len(players), {"max_turn": 4}
            id = (await hall.table(bob, "tradecraft", *seats, options=options))["table"]["id"]
            for token in players:
                assert (await hall.post(f"/tables/{id}/join", token)).status_code == 200
            await until(lambda: id in arena.playing and arena.playing[id].shell is not None)
            return arena.playing[id]

        left = await match(ada, bob, cat)
        left.seats.left(0, "quit")
        await until(lambda: 0 in left.match.gone)
        played = await match(ada, bob)
        line = await to_arena(hall, "TCP", token=ada)
        await until(lambda: played.chairs[0].is_connected)
        assert left.match.end is None and not left.chairs[0].is_connected
        await line.drop()

    evening(House(tmp_path, log="off"), work)


def test_a_guest_that_does_not_read_its_token_is_told_and_disconnected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow: list[Peer] = []
    all_sent = SocketPeer.all_sent

    async def without_slow(peer: SocketPeer) -> bool:
        return peer not in slow and await all_sent(peer)

    monkeypatch.setattr(SocketPeer, "all_sent", without_slow)

    async def work(hall: Hall) -> None:
        arena, host = hall.serving.arena, await hall.account("host")
        id = (await hall.table(host, "forsale", "open", "open", "random"))["table"]["id"]
        table = arena.open[id]
        async with hall.connect(f"/play/forsale/{id}") as a, hall.connect(f"/play/forsale/{id}") as b:
            one, two = Seat(a), Seat(b)
            await one.hello("one")
            await until(lambda: table.chairs[0].is_connected)
            player = table.chairs[0].player
            assert player is not None
            slow.append(player.peer)
            await two.hello("two")
            assert (await one.hear("error"))["code"] == "slow"
            await until(lambda: table.chairs[0].free and player.peer.gone is not None)
            assert table.chairs[1].is_connected and id in arena.open

    evening(House(tmp_path, log="off"), work)
