"""`parlour league` and `parlour join --league`, against an arena that is killed while the league is played."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parlour.client import Client
from parlour.client.leagues import LeagueApi
from parlour.games import game
from parlour.protocol.league_forms import LeagueInfo, LeagueStandings
from parlour.server.leagues.table import counted
from parlour.server.leagues.views import LeagueView
from parlour.store.store import Store
from tests.cli.served import Served
from tests.here import here, printed
from tests.here import mistake_here as refused
from tests.store.postgres import new_database

pytestmark = pytest.mark.timeout(600)
SOON_S = 240.0


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.kill()


def new(arena: Served, admin: str, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        printed("league", "new", arena.url, "forsale", "Spring cup", *words, "--token", admin, "--json")
    )
    return found


def until(arena: Served, league: str, state: str) -> LeagueInfo:
    end = time.monotonic() + SOON_S
    while (info := LeagueApi(arena.url).league(league)).state != state:
        assert time.monotonic() < end
        time.sleep(0.1)
    return info


def test_a_league_from_the_command_line(arena: Served, tmp_path: Path) -> None:
    admin, anna, ben = arena.token("teacher", "admin"), arena.token("anna", "play"), arena.token("ben", "play")
    arena.start()
    id = new(arena, admin, "--deadline", "7d", "--house", "random", "--house", "command:numbers")["id"]
    assert id in printed("league", "list", arena.url, "--state", "open")
    assert "parlour join" in printed("league", "enter", arena.url, id, "--token", anna)
    assert refused("league", "enter", arena.url, id, "--token", anna).startswith(f"{id}: you have entered this league")
    assert refused("league", "enter", arena.url, id) != ""
    wrong = refused("league", "change", arena.url, id, "--deadline", "soon", "--token", admin)
    assert wrong.startswith("--deadline soon: write a duration such as 90s")
    assert refused("league", "show", arena.url, "nothing") == "nothing: there is no such league"
    assert refused("league", "cancel", arena.url, id, "--why", "no", "--token", anna).endswith("lacks the scope admin")
    assert refused("join", arena.url, "forsale", "random", "--league", id).startswith("--league: it needs the token")
    assert refused("join", arena.url, "dominion", "random", "--league", id, "--token", anna).startswith(id)
    assert refused("join", arena.url, "forsale", "random", "--league", id, "--token", ben).startswith(id)
    printed("league", "change", arena.url, id, "--deadline", "1s", "--token", admin)
    joined = here("join", arena.url, "forsale", "random", "--league", id, "--token", anna)
    assert joined.returncode == 0 and "rank" in joined.stdout and "has ended" in joined.stderr, joined
    shown = printed("league", "show", arena.url, id)
    assert all(name in shown for name in ("anna", "random", "numbers", "over"))
    assert "over" in printed("league", "matches", arena.url, id) and id in printed("league", "list", arena.url)
    printed("league", "export", arena.url, id, "--out", str(tmp_path / "grades.csv"), "--token", admin)
    grades = (tmp_path / "grades.csv").read_text().splitlines()
    assert len(grades) == 4 and sum(",anna,anna,client,in," in line for line in grades) == 1
    assert "created by teacher" in printed("league", "records", arena.url, id)
    assert "provisional" in printed("league", "ratings", arena.url, "forsale")
    standings = json.loads(printed("league", "show", arena.url, id, "--json"))
    assert [row["matches"] for row in standings["standings"]] == [1, 1, 1]


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_a_league_survives_kills(database: str, tmp_path: Path) -> None:
    arena = Served(tmp_path, store=new_database() if database == "postgresql" else None)
    tokens = [arena.token(name, "play") for name in ("anna", "ben")]
    admin = arena.token("teacher", "admin")
    arena.start()
    try:
        id = new(arena, admin, "--deadline", "2s", *["--house", "random"] * 2, "--deals", "2", "--grace", "300")["id"]
        for token in tokens:
            printed("league", "enter", arena.url, id, "--token", token)
        bot, played = game("forsale").hosting.bots["random"], Counter[str]()
        clients = [
            threading.Thread(
                target=Client(arena.url, token).play_league,
                args=(id, bot, lambda finished: played.update([finished.match])),
                daemon=True,
            )
            for token in tokens
        ]
        for client in clients:
            client.start()
        for settled in (1, 4):
            end = time.monotonic() + SOON_S
            while LeagueApi(arena.url).league(id).settled < settled:
                assert time.monotonic() < end
                time.sleep(0.02)
            arena.kill()
            arena.start()
        until(arena, id, "over")
        for client in clients:
            client.join(SOON_S)
        before = LeagueApi(arena.url).standings(id)
        arena.kill()
        arena.look(lambda store: _nothing_is_lost(store, id, before))
        arena.start()
        assert LeagueApi(arena.url).standings(id).standings == before.standings
    finally:
        arena.kill()


async def _nothing_is_lost(store: Store, id: str, before: LeagueStandings) -> None:
    """Every match of the schedule was played once, and the standings follow from the stored matches."""
    [league, slots, entries] = [
        await store.leagues.one(id),
        await store.leagues.slots(id),
        await store.leagues.entries(id),
    ]
    assert len(slots) == 8 and all((slot.state, slot.attempt, slot.absent) == ("over", 1, ()) for slot in slots)
    stored = {match.id: match async for match in store.each_match() if match.league == id}
    assert stored.keys() == {slot.match for slot in slots}, "no match was played twice"
    for slot in slots:
        results = [(seat.rank, seat.score, seat.faults) for seat in stored[slot.match or ""].seats]
        assert [(each.rank, each.score, each.faults) for each in slot.results or ()] == results
    assert league is not None and LeagueView(league).standings(entries, counted(slots)) == before.standings
    ratings = await store.ratings.leaderboard("forsale", 1, 0, 10)
    assert {rating.name: rating.matches for rating in ratings} == {"anna": 6, "ben": 6, "random": 8}
