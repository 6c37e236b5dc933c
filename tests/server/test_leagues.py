"""Leagues, played on a real server by bots and by clients that connect."""

import asyncio
from pathlib import Path

from tests.server.arenas import Hall, House, evening
from tests.server.leagues import BOT, close_entries, opened, play_all, told, until, until_over


def test_a_league_of_bots_is_played_to_its_end(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        house = [{"kind": "bot", "spec": name} for name in ("random", "minimum", "thinker", "random")]
        league = await opened(hall, admin, within_ms=100, house=house)
        info = await until_over(hall, league)
        assert (info["entries"], info["matches"], info["settled"]) == (4, 4, 4)
        table = (await told(hall, f"/leagues/{league}/standings"))["standings"]
        assert sorted(row["name"] for row in table) == ["minimum", "random", "random 2", "thinker"]
        assert [row["matches"] for row in table] == [3] * 4 and sum(row["wins"] for row in table) == 4
        assert [row["rank"] for row in table] == sorted(row["rank"] for row in table)
        matches = (await told(hall, f"/leagues/{league}/matches"))["matches"]
        assert {match["state"] for match in matches} == {"over"}
        for match in matches:
            stored = await told(hall, f"/matches/{match['match']}")
            assert [(seat["score"], seat["rank"]) for seat in stored["seats"]] == [
                (seat["score"], seat["rank"]) for seat in match["seats"]
            ]
        kinds = [record["kind"] for record in (await told(hall, f"/leagues/{league}/records"))["records"]]
        assert kinds == ["created", "started", "over"]

    evening(House(tmp_path), work)


def test_clients_and_bots_play_each_other(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        league = await opened(hall, admin, house=[BOT])
        tokens = [await hall.account(name) for name in ("anna", "ben", "cleo")]
        for token in tokens:
            assert (await hall.post(f"/leagues/{league}/entry", token)).status_code == 201
        await close_entries(hall, league, admin)
        counts = await asyncio.gather(*(play_all(hall, league, token) for token in tokens))
        assert counts == [3, 3, 3]
        table = (await told(hall, f"/leagues/{league}/standings"))["standings"]
        assert {row["name"] for row in table} == {"anna", "ben", "cleo", "random"}
        assert all(row["absences"] == 0 for row in table)
        rated = await until(hall, "/ratings?game=forsale", lambda page: len(page["rows"]) == 4)
        assert {(row["name"], row["kind"], row["matches"]) for row in rated["rows"]} == {
            ("anna", "account", 3),
            ("ben", "account", 3),
            ("cleo", "account", 3),
            ("random", "bot", 3),
        }
        history = await told(hall, "/ratings/anna")
        assert len(history["games"][0]["history"]) == 3

    evening(House(tmp_path), work)
