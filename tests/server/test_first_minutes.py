"""The first requests of a new user: the index, guests without a body, tables to watch, guests that never connect."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from parlour.client import CannotPlay, Client, Refused
from parlour.games import game
from parlour.players.player_specs import load
from parlour.protocol.v1 import AskMessage
from parlour.tables.table import Table
from tests.server.arenas import Hall, House, Seat, evening
from tests.turned import soon, turn, until


def test_the_api_has_an_index_whose_paths_answer(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for path in ("/api", "/api/"):
            index = (await hall.http.get(path)).json()
            assert index["server"].startswith("parlour ")
        for name, path in index.items():
            if name not in ("server", "play", "watch", "chat"):
                assert (await hall.http.get(path)).status_code == 200, name

    evening(House(tmp_path, log="off"), work)


def test_a_guest_needs_no_body(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        bodies: list[dict[str, Any]] = [{}, {"content": b""}, {"json": {}}, {"json": {"name": "ada"}}]
        for body in bodies:
            said = await hall.http.post("/api/guests", **body)
            assert said.status_code == 201 and said.json()["token"]
        headers = {"Authorization": f"Bearer {said.json()['token']}"}
        assert (await hall.http.post("/api/queue/forsale", headers=headers)).status_code == 200

    evening(House(tmp_path, log="off"), work)


@pytest.mark.parametrize("body", [b"x", b"[]", b"{", b'"name"'])
def test_a_body_of_a_guest_that_cannot_be_read_is_refused(body: bytes, tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        headers = {"Content-Type": "application/json"}
        assert (await hall.http.post("/api/guests", content=body, headers=headers)).status_code == 400
        assert (await hall.http.post("/api/guests", content=body)).status_code == 415

    evening(House(tmp_path, log="off"), work)


def test_a_body_that_is_needed_is_asked_for_in_words(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        said = await hall.http.post("/api/accounts")
        assert said.status_code == 400 and said.json()["detail"] == "the request needs a body of JSON"

    evening(House(tmp_path, log="off"), work)


# Watching a table before its match


def test_a_table_can_be_watched_before_its_match_begins(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        table = (await hall.table(await hall.admin(), "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/watch/{table}") as line:
            watcher = Seat(line)
            waiting = await watcher.hear("waiting")
            assert waiting["game"] == "forsale" and [seat["kind"] for seat in waiting["seats"]] == [
                "open",
                "bot",
                "bot",
            ]
            playing = asyncio.ensure_future(Client(hall.url).play_async("forsale", first_choice, table=table))
            assert (await watcher.hear("view"))["view"]["part"] == 1
            await watcher.hear("over")
            await soon(playing)

    evening(House(tmp_path, log="off"), work)


def test_the_events_of_a_table_are_streamed_from_before_its_match(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        table = (await hall.table(await hall.admin(), "forsale", "open", "random", "random"))["table"]["id"]
        kinds = []
        async with hall.http.stream("GET", f"/api/matches/{table}/events") as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    kinds.append(json.loads(line.removeprefix("data: "))["type"])
                    if kinds == ["waiting"]:
                        playing = asyncio.ensure_future(
                            Client(hall.url).play_async("forsale", first_choice, table=table)
                        )
        await soon(playing)
        assert kinds[:2] == ["waiting", "view"] and kinds[-1] == "over"

    evening(House(tmp_path, log="off"), work)


def test_a_client_that_watches_a_table_that_is_given_up_is_told(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        table = (await hall.table(admin, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/watch/{table}") as line:
            await Seat(line).hear("waiting")
            await hall.delete(f"/tables/{table}", admin)
            await Seat(line).hear("dropped")

    evening(House(tmp_path, log="off"), work)


def test_a_table_has_only_so_many_watchers(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        table = (await hall.table(await hall.admin(), "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/watch/{table}") as first, hall.connect(f"/watch/{table}") as second:
            await Seat(first).hear("waiting")
            assert (await Seat(second).hear("error"))["code"] == "too_many"

    evening(House(tmp_path, watchers_per_match=1, log="off"), work)


# Guests that do not come


def first_choice(view: Any, ask: Any, dice: Any) -> Any:
    return ask.choices[0]


async def queued(hall: Hall) -> str:
    """The token of a guest that takes a seat at the next table, and does not connect."""
    token = await hall.guest()
    assert (await hall.post("/queue/forsale", token)).status_code == 200
    return token


def test_a_quick_match_begins_without_a_guest_that_never_came(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        await queued(hall)
        async with hall.connect("/play/forsale") as line:
            seat = Seat(line)
            await seat.hello("ada")
            await hall.figure("parlour_tables", 1)
            turn(601.0)
            told = await seat.hear("seat")
            assert len(told["players"]) >= 3 and not [name for name in told["players"] if name.startswith("guest-")]

    evening(House(tmp_path, log="off"), work)


def test_a_full_quick_table_waits_a_little_for_a_guest_and_then_begins_without(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        await queued(hall)
        seats = []
        for name in ("ada", "bob"):
            line = await hall.connect("/play/forsale")
            seats.append(Seat(line))
            await seats[-1].hello(name)
        await until(lambda: all(table.seats.is_full() for table in hall.serving.arena.open.values()))
        turn(601.0)
        told = await seats[0].hear("seat")
        assert sorted(told["players"]) == ["ada", "bob", "minimum"]
        for seat in seats:
            await seat.line.close()

    evening(House(tmp_path, log="off"), work)


def test_a_full_quick_table_begins_as_soon_as_its_guest_connects(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.guest()
        table = (await hall.post("/queue/forsale", token)).json()["table"]
        lines = [await hall.connect("/play/forsale") for _ in range(2)]
        seats = [*map(Seat, lines)]
        for seat, name in zip(seats, ("ada", "bob"), strict=True):
            await seat.hello(name)
        async with hall.connect(f"/play/forsale/{table}", token) as line:
            late = Seat(line)
            await late.hello("late", token=token)
            assert len((await late.hear("seat"))["players"]) == 3
        for line in lines:
            await line.close()

    evening(House(tmp_path, log="off"), work)


async def queued_late(hall: Hall, seat: Seat) -> tuple[Table, str]:
    """A quick table whose wait is over: somebody is connected, and a guest that queued late is not. And its token."""
    await seat.hello("ada")
    await until(lambda: any(table.seats.people() for table in hall.serving.arena.open.values()))
    turn(300.0)
    token = await queued(hall)
    [table] = hall.serving.arena.open.values()
    assert table.seats.people() == 2
    turn(301.0)
    await until(lambda: table.is_due and not table.lock.locked())
    return table, token


def test_a_guest_that_queues_just_before_the_wait_is_over_has_time_to_connect(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as line:
            seat = Seat(line)
            table, token = await queued_late(hall, seat)
            assert table.seats.people() == 2, "the guest has kept its seat"
            async with hall.connect(f"/play/forsale/{table.id}") as other:
                late = Seat(other)
                await late.hello("bob", token=token)
                assert (await late.hear("seat"))["seat"] == 1
            assert (await seat.hear("seat"))["players"][2] == "minimum", "nobody waits for a third"

    evening(House(tmp_path, hello_s=3600.0, log="off"), work)


def test_guests_that_queue_one_after_the_other_hold_up_a_quick_table_for_hello_s_at_most(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as line:
            seat = Seat(line)
            table, _ = await queued_late(hall, seat)
            turn(500.0)
            assert (await hall.post(f"/tables/{table.id}/join", await hall.guest())).status_code == 200
            turn(501.0)
            assert (await seat.hear("seat"))["players"] == ["ada", "minimum", "minimum"]

    evening(House(tmp_path, hello_s=1000.0, log="off"), work)


def test_a_guest_that_queued_and_was_connected_is_not_waited_for(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as line:
            seat = Seat(line)
            await seat.hello("ada")
            await until(lambda: any(table.seats.people() for table in hall.serving.arena.open.values()))
            [table] = hall.serving.arena.open.values()
            async with hall.connect("/play/forsale", await queued(hall)) as other:
                await Seat(other).hello("bob")
                await until(lambda: table.chairs[1].is_connected)
            await until(lambda: not table.chairs[1].is_connected)
            turn(601.0)
            assert (await seat.hear("seat"))["players"] == ["ada", "minimum", "minimum"]

    evening(House(tmp_path, hello_s=3600.0, log="off"), work)


async def begun(hall: Hall, quick_s: float) -> tuple[str, str]:
    """The match of a guest that was connected when it began and is gone now, and the guest's token."""
    async with hall.connect("/play/forsale") as line:
        seat = Seat(line)
        await seat.hello("ada")
        await hall.figure("parlour_tables", 1)
        turn(quick_s + 1.0)
        told = await seat.hear("seat")
    await until(lambda: hall.serving.arena.playing[told["match"]].chairs[0].leaving)
    return told["match"], told["token"]


async def comes_back(hall: Hall, match: str, token: str) -> None:
    async with hall.connect(f"/play/forsale/{match}") as line:
        seat = Seat(line)
        await seat.hello("ada", token=token)
        assert (await seat.hear("seat"))["seat"] == 0 and not hall.serving.arena.playing[match].match.gone


def test_a_guest_that_goes_during_a_quick_match_can_come_back_for_return_s(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        match, token = await begun(hall, 30.0)
        turn(31.0)
        await comes_back(hall, match, token)
        await until(lambda: hall.serving.arena.playing[match].chairs[0].leaving)
        turn(3601.0)
        assert (await hall.over(match))["state"] == "over"

    evening(House(tmp_path, quick_s=30.0, return_s=3600.0, log="off"), work)


def test_a_guest_of_a_quick_match_can_come_back_for_return_s_after_a_restart(tmp_path: Path) -> None:
    async def work(hall: Hall) -> tuple[str, str]:
        return await begun(hall, 30.0)

    async def restarted(hall: Hall) -> None:
        await until(lambda: hall.serving.arena.playing[match].chairs[0].leaving)
        turn(31.0)
        await comes_back(hall, match, token)

    house = House(tmp_path, quick_s=30.0, return_s=3600.0, log="off")
    match, token = evening(house, work)
    evening(house, restarted)


# The client


def is_anybody_connected(hall: Hall) -> bool:
    """Whether a client is connected to a seat of an open table."""
    return any(chair.is_connected for table in hall.serving.arena.open.values() for chair in table.chairs)


def test_a_client_waits_until_it_may_try_again(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as line:
            await Seat(line).hello("the one guest of this minute")
            await until(lambda: is_anybody_connected(hall))
        await until(lambda: not is_anybody_connected(hall))
        playing = asyncio.ensure_future(Client(hall.url).play_async("forsale", first_choice))
        await hall.figure("parlour_refused_total", 1, code="too_many_tries")
        turn(61.0)
        await until(lambda: is_anybody_connected(hall))
        turn(601.0)
        assert (await soon(playing)).players

    evening(House(tmp_path, guests_a_minute=1, log="off"), work)


def test_a_client_is_the_same_guest_in_its_next_match(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin, arena = await hall.admin(), Client(hall.url, name="ada")
        accounts = []
        for _ in range(2):
            table = (await hall.table(admin, "forsale", "open", "random", "random"))["table"]["id"]
            await arena.play_async("forsale", first_choice, table=table)
            stored = await hall.store.match(table)
            assert stored is not None
            accounts.append(stored.seats[0].account)
        assert accounts[0] == accounts[1]

    evening(House(tmp_path, log="off"), work)


def test_a_client_that_plays_twice_at_once_is_two_guests(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin, arena = await hall.admin(), Client(hall.url)
        for _ in range(2):
            tables = [(await hall.table(admin, "forsale", "open", "random", "random"))["table"]["id"] for _ in range(2)]
            await asyncio.gather(*(arena.play_async("forsale", first_choice, table=table) for table in tables))
            stored = [await hall.store.match(table) for table in tables]
            assert len({match.seats[0].account for match in stored if match is not None}) == 2

    evening(House(tmp_path, log="off"), work)


def test_a_client_that_is_refused_stays_the_same_guest(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        arena, token = Client(hall.url), await hall.guest()
        arena._guests.append(token)
        with pytest.raises(Refused) as refused:
            await arena.play_async("forsale", first_choice, table="0123456789abcdef")
        assert refused.value.code == "no_such_table" and arena._guests == [token]
        with pytest.raises(CannotPlay):
            await arena.play_async("maze", load(game("maze"), "exec+maze:cat"))
        assert arena._guests == [token]

    evening(House(tmp_path, log="off"), work)


def test_a_client_with_a_wrong_key_is_one_guest_however_often_it_tries(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        arena = Client(hall.url)
        table = (await hall.table(await hall.admin(), "forsale", "invited", "random", "random"))["table"]["id"]
        kept = []
        for _ in range(2):
            with pytest.raises(Refused) as refused:
                await arena.play_async("forsale", first_choice, table=table, key="wrong")
            assert refused.value.code == "key_needed"
            kept.append([*arena._guests])
        assert len(kept[0]) == 1 and kept[0] == kept[1]

    evening(House(tmp_path, log="off"), work)


def test_a_client_that_is_told_its_token_and_then_fails_stays_the_same_guest(tmp_path: Path) -> None:
    def fails(message: Any) -> None:
        if isinstance(message, AskMessage):
            raise ZeroDivisionError

    async def work(hall: Hall) -> None:
        arena = Client(hall.url, watch=fails)
        table = (await hall.table(await hall.admin(), "forsale", "open", "random", "random"))["table"]["id"]
        with pytest.raises(ZeroDivisionError):
            await arena.play_async("forsale", first_choice, table=table)
        stored = await hall.store.match(table)
        assert stored is not None
        [token] = arena._guests
        assert await hall.id(token) == stored.seats[0].account

    evening(House(tmp_path, log="off"), work)


def test_a_client_whose_guest_is_forgotten_comes_as_another(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin, arena = await hall.admin(), Client(hall.url)
        arena._guests.append("parlour_of-another-arena")
        table = (await hall.table(admin, "forsale", "open", "random", "random"))["table"]["id"]
        assert (await arena.play_async("forsale", first_choice, table=table)).match == table
        assert len(arena._guests) == 1 and "parlour_of-another-arena" not in arena._guests
        with pytest.raises(Refused) as refused:
            await Client(hall.url, "parlour_of-another-arena").play_async("forsale", first_choice)
        assert refused.value.code == "bad_token"

    evening(House(tmp_path, log="off"), work)
