"""Bots that play while nobody else does."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from parlour import plugins
from parlour.games import game
from parlour.server.ops import house_tables
from parlour.store import tidy
from tests.server.arenas import Hall, House, evening
from tests.turned import settle, turn, until

FORSALE = game("forsale")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only For Sale is played, without pauses."""
    monkeypatch.setattr(plugins, "games", lambda: [FORSALE])
    monkeypatch.setattr(house_tables, "PACE_S", 0.0)


async def matches(hall: Hall, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await hall.get(f"/matches?{query}")).json()["matches"]
    return found


async def next_over(hall: Hall, *known: str) -> str:
    """Wait for the end of another match."""
    while True:
        for match in await matches(hall, "state=over"):
            if match["id"] not in known:
                id: str = match["id"]
                return id
        await settle()


def games_of(hall: Hall) -> list[str]:
    return sorted(playing.match.game.name for playing in hall.serving.arena.playing.values())


def test_bots_play_every_game_that_has_tables_and_go_on_after_a_restart(tmp_path: Path) -> None:
    house = House(tmp_path, house_tables_s=600.0)
    named = sorted(game.name for game in plugins.games() if game.hosting.seating != "open")

    async def first(hall: Hall) -> set[str]:
        await until(lambda: games_of(hall) == named)
        for match in await matches(hall):
            best = game(match["game"]).hosting.best_bot()
            assert match["terms"]["pace_s"] == 1.2 and best in [seat["name"] for seat in match["seats"]]
            assert {seat["kind"] for seat in match["seats"]} == {"bot"}
        return {*hall.serving.arena.playing}

    before = evening(house, first)

    async def second(hall: Hall) -> None:
        await settle()
        assert {*hall.serving.arena.playing} == before and len(await matches(hall)) == len(named)
        assert await matches(hall, "players=people") == []

    evening(house, second)


@pytest.mark.usefixtures("quick")
def test_the_next_match_begins_after_the_pause_and_old_ones_are_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidy, "KEPT", 1)

    async def work(hall: Hall) -> None:
        account = await hall.account("ada")
        first = await next_over(hall)
        own = (await hall.table(account, "forsale", "random", "random", "random"))["table"]["id"]
        await hall.over(own)
        await settle()
        assert len(await matches(hall)) == 2, "a second one before its time"
        turn(600)
        second = await next_over(hall, first, own)
        await until(lambda: not hall.serving.arena.playing)
        turn(600)
        third = await next_over(hall, first, own, second)
        assert {match["id"] for match in await matches(hall)} == {own, second, third}
        assert (await hall.get(f"/matches/{first}/transcript")).status_code == 404

    evening(House(tmp_path, house_tables_s=600.0), work)


@pytest.mark.usefixtures("quick")
def test_a_match_of_people_keeps_bots_from_beginning_one(tmp_path: Path) -> None:
    house = House(tmp_path)

    async def first(hall: Hall) -> str:
        token = await hall.account("ada")
        table: str = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        await hall.post(f"/tables/{table}/join", token)
        await until(lambda: hall.serving.arena.playing)
        await settle()
        assert len(await matches(hall)) == 1, "without the setting nothing begins by itself"
        return table

    table = evening(house, first)

    async def second(hall: Hall) -> None:
        await settle()
        assert list(hall.serving.arena.playing) == [table]
        assert [match["id"] for match in await matches(hall)] == [table]

    evening(House(tmp_path, house_tables_s=600.0), second)


@pytest.mark.parametrize("name", [each.name for each in plugins.games() if each.hosting.seating != "open"])
def test_different_bots_play_and_the_best_is_one_of_them(name: str) -> None:
    it = game(name)
    for seed in range(20):
        seated = [plan.spec for plan in house_tables.lineup(it, Random(seed))]
        assert len(seated) in it.table_seats() and it.hosting.best_bot() in seated
        assert len({*seated}) == min(len(seated), len(it.hosting.bots))
