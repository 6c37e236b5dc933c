"""An arena over real sockets: tables become matches, seats are their owners', and nothing is lost."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.client import Client, Refused
from parlour.core import Result
from parlour.games import game
from tests.players.clients import run
from tests.server.arenas import Hall, House, Seat
from tests.turned import turn, until

QUICK_S = 300.0
WAIT_S = 900.0


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def evening(house: House, work: Callable[[Hall], Awaitable[Any]]) -> Any:
    async def opened() -> Any:
        async with house.open() as hall:
            return await work(hall)

    return run(opened())


def bot(name: str, of: str = "forsale") -> Any:
    return game(of).hosting.bots[name]


# Tables and matches


@pytest.mark.parametrize("name", ["forsale", "dominion", "maze", "tradecraft"])
def test_a_client_that_looks_for_a_match_finds_one(tmp_path: Path, name: str) -> None:
    few = max(2, (game(name).hosting.served or game(name).rules.seats)[0])

    async def work(hall: Hall) -> None:
        players = [Client(hall.url, name=f"p{n}").play_async(name, bot("random", name)) for n in range(few)]
        playing = asyncio.gather(*players)
        if 0 in game(name).rules.seats:  # where more may sign up, they are waited for
            await until(lambda: sum(table.seats.people() for table in hall.serving.arena.open.values()) == few)
            turn(QUICK_S)
        finished = await playing
        assert {each.match for each in finished} == {finished[0].match}
        assert sorted(each.seat for each in finished) == list(range(few))
        info = await hall.over(finished[0].match)
        end = finished[0].end
        assert isinstance(end, Result) and [seat["score"] for seat in info["seats"]] == list(end.scores)
        assert (await hall.proof(finished[0].match)).holds == "yes"

    evening(House(tmp_path, quick_s=QUICK_S), work)


def test_a_table_with_bots_and_an_open_seat(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        table = (await hall.table(token, "forsale", "open", "minimum", "random"))["table"]
        assert table["state"] == "open" and table["commit"].startswith(table["id"])
        finished = await Client(hall.url, name="me").play_async("forsale", bot("random"), table=table["id"])
        assert finished.players == ("me", "minimum", "random")

    evening(house, work)


def test_a_table_of_bots_begins_at_once(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        table = (await hall.table(token, "forsale", "minimum", "minimum", "random"))["table"]
        assert (await hall.over(table["id"]))["state"] == "over"

    evening(house, work)


def test_invited_seats_need_the_key(house: House) -> None:
    async def work(hall: Hall) -> None:
        host, guest = await hall.account("host"), await hall.account("guest")
        created = await hall.table(host, "forsale", "invited", "random", "random")
        path = f"/tables/{created['table']['id']}/join"
        for wrong in ({}, {"key": "guess"}):
            said = await hall.post(path, guest, **wrong)
            assert (said.status_code, said.json()["code"]) == (403, "key_needed")
        assert (await hall.post(path, guest, key=created["key"])).json()["seat"] == 0

    evening(house, work)


def test_a_table_that_nobody_comes_to_is_dropped(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        table = (await hall.table(token, "forsale", "open", "open", "random", wait_s=WAIT_S))["table"]
        turn(WAIT_S)
        assert (await hall.over(table["id"]))["state"] == "dropped"

    evening(house, work)


def test_a_client_that_has_come_in_time_plays_if_they_are_enough(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        seats = ("open", "open", "random", "random")
        table = (await hall.table(token, "forsale", *seats, wait_s=WAIT_S))["table"]["id"]
        playing = asyncio.ensure_future(Client(hall.url, name="me").play_async("forsale", bot("random"), table=table))
        await until(hall.serving.arena.open[table].seats.people)
        turn(WAIT_S)
        finished = await playing
        assert finished.players == ("me", "random", "random")

    evening(house, work)


def test_a_table_with_an_invited_player_does_not_begin_with_a_free_seat(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        created = await hall.table(token, "forsale", "invited", "open", "random", "random", wait_s=WAIT_S)
        id = created["table"]["id"]
        assert (await hall.post(f"/tables/{id}/join", token, key=created["key"])).json()["seat"] == 0
        turn(WAIT_S)
        assert (await hall.over(id))["state"] == "dropped"

    evening(house, work)


def test_a_guest_who_does_not_wait_makes_room(house: House) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as line:
            await Seat(line).hello("fickle")
            await until(lambda: any(table.seats.people() for table in hall.serving.arena.open.values()))
        players = [Client(hall.url, name=f"p{n}").play_async("forsale", bot("random")) for n in range(3)]
        [first, *_] = await asyncio.gather(*players)
        assert sorted(first.players) == ["p0", "p1", "p2"]

    evening(house, work)


# Whose seat it is


def test_nobody_plays_for_another(house: House) -> None:
    async def work(hall: Hall) -> None:
        owner, other = await hall.account("owner"), await hall.account("other")
        table = (await hall.table(owner, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=owner)
            await seat.hear("ask")
            for token, code in ((other, "not_yours"), ("nonsense", "bad_token"), (None, "bad_token")):
                async with hall.connect(f"/play/forsale/{table}") as thief:
                    them = Seat(thief)
                    await them.hello("x", **({} if token is None else {"token": token}))
                    assert (await them.hear("error"))["code"] == code
            await seat.say(type="answer", id=seat.heard[-1]["id"], action=seat.heard[-1]["ask"]["choices"][0])
            await seat.hear("ask")

    evening(house, work)


def test_a_lost_connection_is_made_anew(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("owner")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=token)
            await seat.first_choice()
            asked = await seat.hear("ask")
        async with hall.connect(f"/play/forsale/{table}") as line:
            again = Seat(line)
            await again.hello("x", token=token)
            assert (await again.hear("ask"))["id"] == asked["id"], "the same ask under its old number"
            assert [message["type"] for message in again.heard] == ["hello", "seat", "ask"]
        finished = await Client(hall.url, token).play_async("forsale", bot("minimum"), table=table)
        assert finished.seat == 0

    evening(house, work)


def test_a_guest_comes_back_with_the_token_it_was_given(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("guest")
            given = (await seat.hear("seat"))["token"]
        finished = await Client(hall.url, given).play_async("forsale", bot("minimum"), table=table)
        assert finished.players[0] == "guest"

    evening(house, work)


def test_the_second_connection_to_a_seat_ends_the_first(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("owner")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as first, hall.connect(f"/play/forsale/{table}") as second:
            one, two = Seat(first), Seat(second)
            await one.hello("x", token=token)
            await one.hear("ask")
            await two.hello("x", token=token)
            await two.hear("ask")
            assert (await one.hear("error"))["code"] == "replaced"
            with pytest.raises(ConnectionClosed):
                await one.hear("nothing")

    evening(house, work)


def test_two_programs_with_one_token_do_not_take_the_seat_from_each_other_for_ever(house: House) -> None:
    async def work(hall: Hall) -> None:
        token, other = await hall.account("owner"), await hall.account("other")
        table = (await hall.table(token, "forsale", "open", "open", "random"))["table"]["id"]
        first = asyncio.ensure_future(Client(hall.url, token).play_async("forsale", bot("random"), table=table))
        await until(hall.serving.arena.open[table].seats.people)
        second = asyncio.ensure_future(Client(hall.url, token).play_async("forsale", bot("random"), table=table))
        with pytest.raises(Refused) as refused:
            await first
        assert refused.value.code == "replaced"
        await Client(hall.url, other).play_async("forsale", bot("random"), table=table)
        assert (await second).match == table

    evening(house, work)


def test_a_client_that_comes_back_after_the_end_hears_how_it_came_out(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        table = (await hall.table(token, "forsale", "minimum", "random", "random"))["table"]["id"]
        info = await hall.over(table)
        finished = None
        async with hall.connect(f"/play/forsale/{table}") as line:
            finished = await Seat(line).hear("over")
        assert finished["ranks"] == [seat["rank"] for seat in info["seats"]]

    evening(house, work)


@pytest.mark.parametrize(("path", "code"), [("/play/forsale/nowhere", "no_such_table")])
def test_there_is_no_such_table(house: House, path: str, code: str) -> None:
    async def work(hall: Hall) -> None:
        with pytest.raises(Refused) as refused:
            await Client(hall.url).play_async("forsale", bot("random"), table="nowhere")
        assert refused.value.code == code

    evening(house, work)


# Nothing is lost


def test_a_match_goes_on_with_another_server(house: House) -> None:
    """The bots are started again, the seat's owner comes back, and it is the same match."""

    async def first(hall: Hall) -> tuple[str, str, int]:
        token = await hall.account("owner")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=token)
            for _ in range(3):
                await seat.first_choice()
            return token, table, (await seat.hear("ask"))["id"]

    async def second(hall: Hall) -> None:
        assert list(hall.serving.arena.playing) == [table]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=token)
            assert (await seat.hear("ask"))["id"] == number
        finished = await Client(hall.url, token).play_async("forsale", bot("minimum"), table=table)
        assert finished.match == table
        await hall.over(table)
        assert (await hall.proof(table)).holds == "yes"

    token, table, number = evening(house, first)
    evening(house, second)


def test_an_open_table_waits_across_servers(house: House) -> None:
    async def first(hall: Hall) -> str:
        token = await hall.account("host")
        created = await hall.table(token, "forsale", "open", "random", "random")
        table: str = created["table"]["id"]
        return table

    async def second(hall: Hall) -> None:
        finished = await Client(hall.url, name="late").play_async("forsale", bot("random"), table=table)
        assert finished.players[0] == "late"

    table = evening(house, first)
    evening(house, second)


def test_nothing_of_a_match_is_public_before_its_end_but_what_everybody_may_see(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("owner")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line, hall.connect(f"/watch/{table}") as _:
            seat = Seat(line)
            await seat.hello("x", token=token)
            await seat.hear("ask")
            said = await hall.get(f"/matches/{table}/transcript")
            assert (said.status_code, said.json()["code"]) == (409, "not_over")
            seed = (await hall.store.seed(table)).hex()
            async with hall.connect(f"/watch/{table}") as watching:
                view = json.loads(await watching.recv())
            assert view["type"] == "view" and seed not in json.dumps(view)

    evening(house, work)


def test_people_have_time_to_think_in_a_quick_match(house: House) -> None:
    """A table of programs alone keeps its short limit."""

    async def work(hall: Hall) -> None:
        person, program = await hall.guest(), await hall.guest()
        quick = (await hall.post("/queue/maze", program)).json()["table"]
        assert (await hall.get(f"/matches/{quick}")).json()["terms"]["limit_s"] is None
        assert (await hall.post("/queue/maze", person, about={"kind": "person"})).json()["table"] == quick
        terms = (await hall.get(f"/matches/{quick}")).json()["terms"]
        assert (terms["limit_s"], terms["pace_s"]) == (60, 0.6)

    evening(house, work)
