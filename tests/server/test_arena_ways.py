"""Clients of the games' own protocols in an arena: sign-ups, halls, lines, and seats that are resumed."""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from parlour.client import Client
from parlour.games import game
from parlour.server.settings import Settings
from parlour.store.store import Store
from parlour.tables.seating import house_bot
from tests.players.clients import connect as connect_tcp
from tests.players.clients import run
from tests.players.maze_room import Source, response
from tests.ports import free_row
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.guests import Guest
from tests.server.liners import to_arena
from tests.turned import settle, turn, until

QUICK_S = 20.0
RETURN_S = 120.0


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off", quick_s=QUICK_S, return_s=RETURN_S, hello_s=3600.0)


def nights(house: House, *works: Callable[[Hall], Awaitable[None]]) -> None:
    """Run these one after the other, each with a new server."""

    async def each() -> None:
        for work in works:
            async with house.open() as hall:
                await work(hall)

    run(each())


async def taken(hall: Hall, seats: int) -> None:
    """Wait until so many seats of open tables are taken."""
    await until(lambda: sum(table.seats.people() for table in hall.serving.arena.open.values()) == seats)


def records(lines: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.splitlines()]


async def departures(hall: Hall, match: str) -> list[tuple[int, str]]:
    """The seats that have left a match that is over, and why."""
    await hall.over(match)
    lines = records((await hall.get(f"/matches/{match}/transcript")).content)
    acts = [line["do"] for line in lines if line["kind"] == "input" and line["do"]]
    return [(act["seat"], act["why"]) for act in acts if act["type"] == "Leave"]


async def only_match(hall: Hall) -> str:
    await until(lambda: hall.serving.arena.playing)
    [match] = hall.serving.arena.playing
    return match


# Looking for a match


@pytest.mark.parametrize("name", ["forsale", "dominion", "maze", "tradecraft"])
def test_bots_take_the_seats_that_nobody_came_for(house: House, name: str) -> None:
    async def work(hall: Hall) -> None:
        playing = asyncio.ensure_future(Client(hall.url, name="me").play_async(name, game(name).hosting.bots["random"]))
        await taken(hall, 1)
        turn(QUICK_S)
        finished = await playing
        few = max(2, game(name).table_seats()[0])
        assert finished.players == ("me", *[house_bot(game(name)).spec] * (few - 1))
        await hall.over(finished.match)
        assert (await hall.proof(finished.match)).holds == "yes"

    evening(house, work)


def test_a_table_waits_for_a_client_that_is_just_saying_its_name(house: House) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as first, hall.connect("/play/forsale") as second:
            await Seat(first).hello("first")
            slow = Seat(second)
            await slow.hear("hello")
            await taken(hall, 1)
            turn(QUICK_S)
            await asyncio.sleep(0.05)
            await slow.say(type="hello", name="second")
            await taken(hall, 2)
            turn(2.0)
            assert (await slow.hear("seat"))["players"] == ["first", "second", "minimum"]

    evening(house, work)


def test_a_quick_table_that_nobody_stays_at_is_dropped(house: House) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as line:
            await Seat(line).hello("fickle")
            await taken(hall, 1)
            [table] = hall.serving.arena.open
        await until(lambda: hall.serving.arena.open[table].chairs[0].player.peer.gone)  # type: ignore[union-attr]
        turn(QUICK_S)
        assert (await hall.over(table))["state"] == "dropped"

    evening(house, work)


def test_a_client_that_looks_for_a_match_does_not_wait_longer_at_a_hosts_table(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        table = (await hall.table(token, "forsale", *["open"] * 6, quick=True, wait_s=86400))["table"]["id"]
        async with hall.connect("/play/forsale") as line:
            seat = Seat(line)
            await seat.hello("me")
            await taken(hall, 1)
            turn(QUICK_S)
            told = await seat.hear("seat")
            assert told["match"] == table and told["players"] == ["me", *["minimum"] * 5]

    evening(house, work)


def test_a_match_is_come_back_to_by_its_own_game(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            await Seat(line).hello("me", token=token)
            await Seat(line).hear("ask")
            async with hall.connect(f"/play/dominion/{table}", token) as other:
                assert (await Seat(other).hear("error"))["code"] == "no_such_table"

    evening(house, work)


def test_a_client_that_only_looks_for_a_match_leaves_nothing_in_the_store(house: House) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as line:
            await Seat(line).hear("hello")
            assert len(hall.serving.arena.open) == 1
            assert await hall.store.count_matches() == 0
        await until(lambda: not any(chair.held_for for t in hall.serving.arena.open.values() for chair in t.chairs))
        turn(QUICK_S)
        await until(lambda: not hall.serving.arena.open)
        assert await hall.store.count_matches() == 0

    evening(house, work)


# Maze: rounds that one signs up for


class Passes(Source):
    """A client that passes at every turn, in every match."""

    def answer(self, message: Any) -> None:
        if message["body"]["type"] == "RequestAction":
            self.line.say(response(message["id"]))


def test_maze_players_sign_up_for_one_match_after_the_other(house: House) -> None:
    async def work(hall: Hall) -> None:
        room: Any = SimpleNamespace(source_port=hall.serving.listeners["maze"])
        players = [Passes(), Passes()]

        def registered(times: int) -> bool:
            return all(player.kinds().count("Registration") == times for player in players)

        for player in players:
            player.begin(room)
        for number in (1, 2):
            await taken(hall, 2)
            turn(QUICK_S)
            await until(partial(registered, number))
        await until(lambda: len(hall.serving.arena.open) == 1 and not hall.serving.arena.playing)
        matches = (await hall.get("/matches?game=maze&state=over")).json()["matches"]
        assert len(matches) == 2
        assert [(await hall.proof(match["id"])).holds for match in matches] == ["yes", "yes"]

    evening(house, work)


def test_six_who_sign_up_need_not_wait(house: House) -> None:
    async def work(hall: Hall) -> None:
        room: Any = SimpleNamespace(source_port=hall.serving.listeners["maze"])
        players = [Passes() for _ in range(6)]
        for player in players:
            player.begin(room)
        await until(lambda: all("Registration" in player.kinds() for player in players))

    evening(house, work)


# Seats, and who is gone from them


def test_a_client_that_cannot_come_back_has_left_at_once(house: House) -> None:
    """Dominion's own protocol has no message for resuming a seat."""

    async def work(hall: Hall) -> None:
        lines = [await connect_tcp(hall.serving.listeners["dominion"]) for _ in range(2)]
        for number, (reader, writer) in enumerate(lines):
            asked = json.loads(await reader.readline())
            writer.write(json.dumps({**asked, "name": f"p{number}"}).encode() + b"\n")
        match = await only_match(hall)
        lines[0][1].transport.abort()
        assert await departures(hall, match) == [(0, "dead")]

    evening(house, work)


def test_a_seat_is_kept_for_a_client_that_may_come_back_but_not_for_ever(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        table = (await hall.table(token, "dominion", "open", "money", limit_s=3600))["table"]["id"]
        async with hall.connect(f"/play/dominion/{table}") as line:
            await Seat(line).hello("me")
            await Seat(line).hear("ask")
        await until(lambda: hall.serving.arena.playing[table].chairs[0].leaving)
        turn(RETURN_S - 60)
        await asyncio.sleep(0.1)
        assert table in hall.serving.arena.playing
        turn(60)
        assert await departures(hall, table) == [(0, "dead")]

    evening(house, work)


def test_after_a_restart_nobody_waits_for_a_client_that_cannot_come_back(house: House) -> None:
    match = ""

    async def before(hall: Hall) -> None:
        nonlocal match
        lines = [await connect_tcp(hall.serving.listeners["dominion"]) for _ in range(2)]
        for number, (reader, writer) in enumerate(lines):
            asked = json.loads(await reader.readline())
            writer.write(json.dumps({**asked, "name": f"p{number}"}).encode() + b"\n")
        match = await only_match(hall)
        await until(lambda: hall.serving.arena.playing[match].shell)

    async def after(hall: Hall) -> None:
        assert {seat for seat, _ in await departures(hall, match)} <= {0, 1}
        assert (await hall.proof(match)).holds == "yes"

    nights(house, before, after)


def test_a_guest_who_has_its_token_keeps_its_seat_when_the_server_is_started_again(house: House) -> None:
    told: list[str] = []

    async def before(hall: Hall) -> None:
        host, guest = await hall.account("host"), await hall.guest()
        table = (await hall.table(host, "forsale", "open", "open", "open", "random"))["table"]["id"]
        assert (await hall.post(f"/tables/{table}/join", guest)).json()["seat"] == 0
        async with hall.connect(f"/play/forsale/{table}") as line:
            await Seat(line).hello("whoever")  # and has not heard of any token
            await taken(hall, 2)
        told.extend([table, guest])

    async def after(hall: Hall) -> None:
        table, guest = told
        assert [chair.taken for chair in hall.serving.arena.open[table].chairs] == [True, False, False, True]
        assert (await hall.post(f"/tables/{table}/join", guest)).json()["seat"] == 0

    nights(house, before, after)


def test_after_a_restart_a_quick_table_with_players_is_not_waited_for_as_long_as_its_host_wanted(house: House) -> None:
    tables: list[str] = []

    async def before(hall: Hall) -> None:
        host, ada = await hall.account("host"), await hall.account("ada")
        for _ in range(2):
            created = await hall.table(host, "forsale", "open", "open", "open", quick=True, wait_s=3600)
            tables.append(created["table"]["id"])
        assert (await hall.post("/queue/forsale", ada)).json()["table"] == tables[0]

    async def after(hall: Hall) -> None:
        arena = hall.serving.arena
        assert [id in arena.open for id in tables] == [True, True]
        turn(QUICK_S)
        await until(lambda: tables[0] in arena.playing)
        assert tables[1] in arena.open, "nobody waits there"

    nights(house, before, after)


# tradeCraft: lines that come back with their token


@pytest.mark.parametrize("way", ["TCP", "WebSocket"])
def test_lines_come_back_with_their_token_even_to_another_server(house: House, way: str) -> None:
    tokens: list[str] = []

    async def before(hall: Hall) -> None:
        ada, bob = await to_arena(hall, way, username="ada"), await to_arena(hall, way, username="bob")
        for guest in (ada, bob):
            tokens.append((await guest.hears("login_success"))["token"])
            await guest.hears("start_proposal")
        await ada.drop()
        again = await to_arena(hall, way, token=tokens[0])
        assert (await again.hears("login_success"))["username"] == "ada"
        await again.hears("start_proposal")

    async def after(hall: Hall) -> None:
        match = await only_match(hall)
        ada, bob = [await to_arena(hall, way, token=token) for token in tokens]
        for guest in (ada, bob):
            await guest.hears("start_proposal")
        thief = await to_arena(hall, way, token="parlour_guess")
        assert (await thief.hears("error"))["code"] == "bad_token"
        await ada.drop()
        await bob.drop()
        await until(lambda: all(chair.leaving for chair in hall.serving.arena.playing[match].chairs))
        turn(RETURN_S)
        await hall.over(match)
        late = await to_arena(hall, way, token=tokens[0])
        assert (await late.hears("error"))["code"] == "no_such_seat"

    nights(house, before, after)


def test_a_game_without_lines_of_its_own_has_no_such_way(house: House) -> None:
    async def work(hall: Hall) -> None:
        for name in ("colorfight", "chess"):
            async with hall.connect(f"/ws/{name}") as line:
                assert (await Seat(line).hear("error"))["code"] == "no_such_game"

    evening(house, work)


# tradeCraft: halls for Socket.IO clients

PAIRS = "2-player-pool-matching"


async def socketeer(hall: Hall, name: str = "") -> Guest:
    guest = Guest()
    await guest.connect(hall.serving.port)
    if name:
        await guest.login(name)
    return guest


async def back(hall: Hall, before: Guest) -> Guest:
    guest = await socketeer(hall)
    await guest.says("restored_proof", _username=before.name, _token=before.token)
    assert (await guest.hears("login_success"))["username"] == before.name
    assert await guest.hears("game_restored") == {"gamename": PAIRS, "gametype": "Game"}
    guest.name, guest.token = before.name, before.token
    return guest


def test_a_hall_of_the_arena_outlives_its_server(house: House) -> None:
    guests: list[Guest] = []

    async def before(hall: Hall) -> None:
        guests.extend([await socketeer(hall, name) for name in ("ada", "bob")])
        for guest in guests:
            await guest.ready(PAIRS)
        for guest in guests:
            await guest.hears("start_proposal")
        await guests[0].plays("submit_proposal", proposal={"partner": "bob"}, message="first")
        await guests[1].hears("proposal")

    async def after(hall: Hall) -> None:
        match = await only_match(hall)
        thief = await socketeer(hall)
        await thief.says("restored_proof", _username="bob", _token=guests[0].token)
        await thief.hears("restored_proof_invalid")
        ada, bob = [await back(hall, guest) for guest in guests]
        assert (await bob.hears("proposal"))["message"] == "first"
        await bob.plays("approval_or_reject", decision="reject")
        for guest in (ada, bob):
            await guest.hears("proposal_rejected")
        for guest in (ada, bob, thief, *guests):
            await guest.leave()
        await until(lambda: all(chair.leaving for chair in hall.serving.arena.playing[match].chairs))
        turn(RETURN_S)
        await departures(hall, match)
        assert (await hall.proof(match)).holds == "yes"

    nights(house, before, after)


def test_a_name_that_has_an_account_is_not_given_to_a_client_that_logs_in_at_a_hall(house: House) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("ada")
        guest = await socketeer(hall)
        await guest.says("login", username="ada")
        assert (await guest.hears("error"))["code"] == "name_taken"
        await guest.login("bob")
        await guest.says("get_entry_info", _token=guest.token)
        halls = (await guest.hears("entry_info"))["halls"]
        assert [name for name, *_ in halls] == [f"{seats}-player-pool-matching" for seats in range(2, 7)]
        await guest.leave()

    evening(house, work)


def test_a_crowd_at_the_halls_is_held_to_the_limit(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        guest = await socketeer(hall, "ada")
        other = await socketeer(hall)
        await other.says("login", username="bob")
        assert (await other.hears("error"))["code"] == "too_many_tries"
        await other.leave()
        await guest.leave()

    evening(House(tmp_path, log="off", guests_a_minute=1), work)


# Trouble of our own


def test_a_store_that_fails_is_told_to_a_client_that_comes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        async def fails(*_: Any, **__: Any) -> None:
            raise OperationalError("select", {}, Exception("gone"))

        with monkeypatch.context() as broken:
            broken.setattr(hall.store, "match", fails)
            async with hall.connect("/play/forsale/nowhere") as line:
                assert (await Seat(line).hear("error"))["code"] == "store_failed"
        async with hall.connect("/play/forsale/nowhere") as line:
            assert (await Seat(line).hear("error"))["code"] == "no_such_table"

    evening(house, work)


def test_a_match_that_cannot_be_gone_on_with_is_told_to_be_void(house: House) -> None:
    async def before(hall: Hall) -> None:
        token = await hall.account("host")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("me", token=token)
            await seat.hear("ask")
            told.append(table)

    async def after(hall: Hall) -> None:
        async with hall.connect(f"/play/forsale/{told[0]}") as line:
            assert (await Seat(line).hear("error"))["code"] == "void"

    async def spoil() -> None:
        store = await Store.open(house.url)
        await store.writer.keep(told[0], len(await store.lines(told[0])), [b"nonsense"])
        await store.close()

    told: list[str] = []
    nights(house, before)
    run(spoil())
    nights(house, after)


# Where all this is


def test_ports_follow_each_other_unless_they_are_set() -> None:
    usual = Settings(port=9000)
    assert usual.lines_port() == 9001
    ports = {where: port for where, port, _, _ in usual.dialects()}
    assert ports == {"forsale": 9002, "dominion": 9003, "maze": 9004, "maze/course": 9005, "tradecraft": 9006}
    assert {port for _, port, _, _ in Settings(port=0).dialects()} == {0}
    bare = Settings(port=9000, listeners={})
    assert (bare.lines_port(), bare.dialects()) == (None, [])


def test_a_usual_port_that_is_taken_is_done_without_but_not_one_that_was_asked_for(tmp_path: Path) -> None:
    port = free_row(10)

    async def work(hall: Hall) -> None:
        assert hall.serving.taken == (port + 3,) and "dominion" not in hall.serving.listeners
        assert hall.serving.listeners["forsale"] == port + 2

    with socket.create_server(("127.0.0.1", port + 3)):
        evening(House(tmp_path, log="off", port=port), work)
        for asked in ({"listeners": {"dominion": port + 3}}, {"tcp_port": port + 3}):
            with pytest.raises(OSError, match="in use"):
                evening(House(tmp_path, log="off", port=port, **asked), work)


# ColorfightII: rooms by protocol 1


@pytest.fixture
def roomy(tmp_path: Path) -> House:
    return House(tmp_path, log="off", rooms=15)


def test_protocol_1_leads_to_the_public_room_and_back_to_it(roomy: House) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/colorfight") as line:
            seat = Seat(line)
            await seat.hello("ada")
            told = await seat.hear("seat")
            await seat.hear("ask")
        async with hall.connect(f"/play/colorfight/{told['match']}") as line:
            again = Seat(line)
            await again.hello("whoever", token=told["token"])
            assert (await again.hear("seat"))["players"] == ["ada"]
        async with hall.connect("/play/colorfight/public") as line:
            other = Seat(line)
            await other.hello("ada")
            assert (await other.hear("error"))["code"] == "not_admitted"
        assert [each["name"] for each in (await hall.get(f"/matches/{told['match']}")).json()["seats"]] == ["ada"]

    evening(roomy, work)


def test_a_room_with_a_key_is_entered_with_it(roomy: House) -> None:
    async def work(hall: Hall) -> None:
        said = {"gameroom_id": "club", "config": "duel", "join_key": "sesame"}
        assert (await hall.http.post("/creategameroom", json=said)).json()["success"]
        for about, kind in (({}, "error"), ({"join_key": "sesame"}, "seat")):
            async with hall.connect("/play/colorfight/club") as line:
                seat = Seat(line)
                await seat.hello("ada", about=about)
                await seat.hear(kind)

    evening(roomy, work)


def test_a_client_that_comes_back_to_a_room_while_it_is_deleted_hears_of_the_end(roomy: House) -> None:
    async def work(hall: Hall) -> None:
        club = {"gameroom_id": "club", "config": "duel", "admin_password": "our own"}
        assert (await hall.http.post("/creategameroom", json=club)).json()["success"]
        async with hall.connect("/play/colorfight/club") as line:
            seat = Seat(line)
            await seat.hello("ada")
            told = await seat.hear("seat")
        async with hall.connect(f"/play/colorfight/{told['match']}") as line:
            again = Seat(line)
            await again.hear("hello")
            assert (await hall.http.post("/deletegameroom", json=club)).json()["success"]
            await again.say(type="hello", name="ada", token=told["token"])
            assert (await again.hear("over"))["ranks"] == [1]

    evening(roomy, work)


def test_bots_of_the_public_room_do_not_play_alone(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        assert hall.rooms is not None
        game = hall.rooms.public.game
        assert game is not None
        await until(lambda: game.match.names == ["greedy"])
        turn(3600.0)
        await settle()
        assert game.state.waiting
        async with hall.connect("/play/colorfight") as line:
            seat = Seat(line)
            await seat.hello("ada")
            await seat.hear("seat")
            await settle()
            turn(60.0)
            await until(lambda: not game.state.waiting)

    evening(House(tmp_path, log="off", rooms=1, room_bots=("greedy",)), work)


# Commands of the host's


def test_a_command_that_cannot_be_started_has_left(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        seats = [{"kind": "command", "spec": "broken"}, {"kind": "bot", "spec": "random"}, {"kind": "open"}]
        created = (await hall.post("/tables", token, game="forsale", seats=seats)).json()
        finished = await Client(hall.url).play_async(
            "forsale", game("forsale").hosting.bots["random"], table=created["table"]["id"]
        )
        assert await departures(hall, finished.match) == [(0, "dead")]

    nowhere = str(tmp_path / "nowhere")
    evening(House(tmp_path, log="off", commands={"forsale": {"broken": f"exec:{nowhere}"}}), work)


def test_answers_in_a_room_are_timed_as_at_any_table(roomy: House) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/colorfight") as line:
            seat = Seat(line)
            await seat.hello("ada")
            asked = await seat.hear("ask")
            await seat.say(type="answer", id=asked["id"], action={"type": "Command", "orders": []})
            assert await hall.figure("parlour_answer_seconds_count", game="colorfight") >= 1

    evening(roomy, work)
