"""The players of a finished match play again."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from parlour.client import Client
from parlour.games import game
from parlour.referee.transcript import match_name, new_seed
from tests.server.arenas import Hall, House, Seat, evening
from tests.turned import turn, until

RANDOM = game("forsale").hosting.bots["random"]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


async def played(hall: Hall, *tokens: str, **terms: Any) -> str:
    """A finished match of these players, and of bots at the other seats."""
    bots = ["random"] * (3 - len(tokens))
    table = await hall.table(await hall.account("host"), "forsale", *["open"] * len(tokens), *bots, **terms)
    id: str = table["table"]["id"]
    await asyncio.gather(*(Client(hall.url, token).play_async("forsale", RANDOM, table=id) for token in tokens))
    await hall.over(id)
    return id


async def again(hall: Hall, match: str, token: str | None, **body: Any) -> httpx.Response:
    return await hall.post(f"/matches/{match}/rematch", token, **body)


async def code(hall: Hall, match: str, token: str | None) -> tuple[int, str]:
    said = await again(hall, match, token)
    return said.status_code, said.json().get("code", "")


def test_two_players_play_again_without_a_key(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.guest()
        match = await played(hall, ada, bob, bank_s=7)
        before = (await hall.get(f"/matches/{match}")).json()
        assert before["rematch"] is None
        first = (await again(hall, match, ada)).json()
        table = (await hall.get(f"/matches/{first['table']}")).json()
        assert (table["state"], table["terms"]) == ("open", before["terms"])
        assert first["commit"] == table["commit"]
        assert [seat["kind"] for seat in table["seats"]] == ["invited", "invited", "bot"]
        assert (await hall.get(f"/matches/{match}")).json()["rematch"] == first["table"]
        listed = (await hall.get("/matches?state=over")).json()["matches"]
        assert {info["id"]: info["rematch"] for info in listed}[match] == first["table"]
        second = (await again(hall, match, bob)).json()
        assert second["table"] == first["table"]
        now = (await hall.get(f"/matches/{first['table']}")).json()
        assert now["state"] == "running"
        assert [seat["name"] for seat in now["seats"]] == [seat["name"] for seat in before["seats"]]

    evening(house, work)


def test_two_that_ask_at_the_same_moment_get_one_table(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        match = await played(hall, ada, bob)
        said = await asyncio.gather(*(again(hall, match, token) for token in (ada, bob, ada, bob)))
        assert {one.status_code for one in said} == {200}
        assert len({one.json()["table"] for one in said}) == 1
        assert [one.json()["seat"] for one in said[:2]] == [one.json()["seat"] for one in said[2:]]

    evening(house, work)


def test_a_client_that_asks_again_gets_the_same_seat_also_after_the_end(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        match = await played(hall, ada)
        first = (await again(hall, match, ada)).json()
        await until(lambda: first["table"] in hall.serving.arena.playing)
        assert (await again(hall, match, ada)).json() == first
        await Client(hall.url, ada).play_async("forsale", RANDOM, table=first["table"])
        await hall.over(first["table"])
        assert (await again(hall, match, ada)).json() == first
        assert (await again(hall, first["table"], ada)).json()["table"] != first["table"]

    evening(house, work)


def test_strangers_and_hasty_players_are_refused(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob, eve = await hall.account("ada"), await hall.account("bob"), await hall.account("eve")
        match = await played(hall, ada, bob)
        assert await code(hall, match, eve) == (403, "not_yours")
        assert await code(hall, match, None) == (401, "bad_token")
        assert await code(hall, "nowhere", ada) == (404, "no_such_match")
        table = (await again(hall, match, ada)).json()["table"]
        assert await code(hall, table, ada) == (409, "not_over")
        said = await hall.post(f"/tables/{table}/join", eve)
        assert (said.status_code, said.json()["code"]) == (403, "not_yours")
        async with hall.connect(f"/play/forsale/{table}", eve) as line:
            await Seat(line).hello("eve")
            assert (await Seat(line).hear("error"))["code"] == "not_yours"
        async with hall.connect(f"/play/forsale/{table}", bob) as line:  # its own seat needs no call
            await Seat(line).hello("bob")
            assert (await Seat(line).hear("seat"))["seat"] == 1 - (await again(hall, match, ada)).json()["seat"]

    evening(house, work)


def test_a_dropped_rematch_is_opened_anew(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        match = await played(hall, ada, bob, wait_s=100)
        first = (await again(hall, match, ada)).json()["table"]
        turn(200)
        assert (await hall.over(first))["state"] == "dropped"
        assert (await hall.get(f"/matches/{match}")).json()["rematch"] is None
        second = (await again(hall, match, bob)).json()["table"]
        assert second != first and (await again(hall, match, ada)).json()["table"] == second
        assert await code(hall, first, ada) == (409, "no_rematch")

    evening(house, work)


def test_a_rematch_of_a_quick_match_waits_for_its_players_and_not_for_bots(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        games = [Client(hall.url, token).play_async("forsale", RANDOM) for token in (ada, bob)]
        playing = asyncio.gather(*games)
        await until(lambda: any(table.seats.people() == 2 for table in hall.serving.arena.open.values()))
        turn(700)
        match = (await playing)[0].match
        await hall.over(match)
        table = (await again(hall, match, ada)).json()["table"]
        terms = (await hall.get(f"/matches/{table}")).json()["terms"]
        assert (terms["quick"], terms["wait_s"]) == (False, 600)
        assert (await hall.post("/queue/forsale", await hall.account("eve"))).json()["table"] != table

    evening(house, work)


def test_the_rematch_of_a_guest_waits_no_longer_than_its_other_tables(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, guest = await hall.account("ada"), await hall.guest()
        match = await played(hall, ada, guest, wait_s=86400)
        table = (await again(hall, match, guest)).json()["table"]
        assert (await hall.get(f"/matches/{table}")).json()["terms"]["wait_s"] == 3600
        await hall.serving.arena.drop(table)
        table = (await again(hall, match, ada)).json()["table"]
        assert (await hall.get(f"/matches/{table}")).json()["terms"]["wait_s"] == 86400

    evening(house, work)


def test_the_seats_stay_reserved_after_a_restart(house: House) -> None:
    async def first(hall: Hall) -> tuple[str, str, str, str]:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        match = await played(hall, ada, bob)
        return match, (await again(hall, match, ada)).json()["table"], bob, await hall.account("eve")

    match, table, bob, eve = evening(house, first)

    async def second(hall: Hall) -> None:
        assert (await hall.post(f"/tables/{table}/join", eve)).json()["code"] == "not_yours"
        assert (await again(hall, match, bob)).json()["table"] == table
        await until(lambda: table in hall.serving.arena.playing)

    evening(house, second)


def test_there_is_no_rematch_with_a_client_that_is_banned(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin, ada, bob = await hall.admin(), await hall.account("ada"), await hall.account("bob")
        match = await played(hall, ada, bob)
        await hall.put(f"/accounts/{await hall.id(bob)}/ban", admin)
        assert await code(hall, match, bob) == (403, "banned")
        assert await code(hall, match, ada) == (409, "no_rematch")
        await hall.delete(f"/accounts/{(await hall.store.account('bob')).id}/ban", admin)  # type: ignore[union-attr]
        table = (await again(hall, match, ada)).json()["table"]
        await hall.put(f"/accounts/{await hall.id(bob)}/ban", admin)
        assert await code(hall, match, bob) == (403, "banned")
        await hall.delete(f"/accounts/{(await hall.store.account('bob')).id}/ban", admin)  # type: ignore[union-attr]
        assert (await again(hall, match, bob)).json()["table"] == table

    evening(house, work)


@pytest.mark.parametrize("lost", ["bot", "game", "options"])
def test_there_is_no_rematch_without_its_bots_and_rules(house: House, lost: str) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        match = await played(hall, ada)
        stored = await hall.store.match(match)
        assert stored is not None
        seed, seats = new_seed(), stored.seats
        if lost == "bot":
            seats = (*seats[:-1], replace(seats[-1], spec="retired"))
        old: dict[str, Any] = {}
        if lost == "game":
            old["game"] = "gone"
        if lost == "options":
            old["terms"] = '{"options":{"retired":1}}'
        await hall.store.add_match(replace(stored, id=match_name(seed), state="open", seats=seats, **old), seed)
        await hall.store.change_match(match_name(seed), state="over")
        assert await code(hall, match_name(seed), ada) == (409, "no_rematch")

    evening(house, work)


def test_a_rematch_counts_as_a_table_of_its_first_caller(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        match = await played(hall, ada, bob)
        await hall.table(ada, "forsale", "open", "open", "open")
        assert await code(hall, match, ada) == (409, "too_many_tables")
        assert (await again(hall, match, bob)).status_code == 200
        assert (await again(hall, match, ada)).status_code == 200

    evening(House(tmp_path, tables_per_account=1), work)
