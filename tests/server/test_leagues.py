"""Leagues, played on a real server by bots and by clients that connect."""

import asyncio
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from tests.server.agents import agent
from tests.server.arenas import Hall, House, evening
from tests.server.leagues import BOT, close_entries, judged, opened, patched, play_all, told, until, until_over


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


def test_whoever_does_not_come_is_absent_and_if_nobody_comes_the_match_is_missed(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        league = await opened(hall, admin, house=[BOT, BOT], terms={"grace_s": 0.2}, seats=3)
        for name in ("anna", "ben", "cleo"):
            assert (await hall.post(f"/leagues/{league}/entry", await hall.account(name))).status_code == 201
        await close_entries(hall, league, admin)
        await until_over(hall, league)
        matches = (await told(hall, f"/leagues/{league}/matches"))["matches"]
        clients = {"anna", "ben", "cleo"}
        for match in matches:
            assert {seat["name"] for seat in match["seats"] if seat["absent"]} == clients & {
                seat["name"] for seat in match["seats"]
            }
            nobody = {seat["name"] for seat in match["seats"]} == clients
            ranks = {seat["absent"]: seat["rank"] for seat in match["seats"]}
            assert nobody or ranks[False] < ranks[True]
            assert match["state"] == ("missed" if nobody else "over")
        table = (await told(hall, f"/leagues/{league}/standings"))["standings"]
        assert [row["absences"] for row in table if row["name"] in clients] == [6] * 3
        assert {row["name"] for row in table[:2]} == {"random", "random 2"}, "absent players are ranked last"
        rated = (await told(hall, "/ratings?game=forsale"))["rows"]
        assert rated == [], "no match without absent players has more than one player"

    evening(House(tmp_path), work)


def test_a_withdrawn_entry_is_not_waited_for(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin, anna = await hall.admin(), await hall.account("anna")
        league = await opened(hall, admin, game="dominion", house=[{"kind": "bot", "spec": "random"}], seats=2)
        await hall.post(f"/leagues/{league}/entry", anna)
        await close_entries(hall, league, admin)
        found = await until(hall, f"/leagues/{league}/table", lambda found: found["table"] is not None, anna)
        said = await judged(hall, f"/leagues/{league}/matches/1/rerun", admin)
        assert (said.status_code, said.json()["code"]) == (409, "running")
        assert (await judged(hall, f"/leagues/{league}/matches/1/cancel", admin)).json()["state"] == "cancelled"
        assert (await hall.delete(f"/leagues/{league}/entry", anna)).status_code == 204
        info = await until_over(hall, league)
        assert info["entries"] == 1
        kinds = [record["kind"] for record in (await told(hall, f"/leagues/{league}/records"))["records"]]
        assert kinds.count("match cancelled") == 1 and "over" in kinds
        assert (await hall.over(found["table"]))["state"] == "dropped", "its table is closed"

    evening(House(tmp_path), work)


def test_a_match_is_a_walkover_if_only_one_entry_is_left(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin, tokens = await hall.admin(), [await hall.account(name) for name in ("anna", "ben", "cleo")]
        league = await opened(hall, admin, game="dominion", seats=2)
        for token in tokens:
            await hall.post(f"/leagues/{league}/entry", token)
        await close_entries(hall, league, admin)
        info = await until(hall, f"/leagues/{league}", lambda info: info["matches"] == 3)
        assert info["state"] == "running", "one match waits for two of them, and so all three are kept waiting"
        for token in tokens[:2]:
            assert (await hall.delete(f"/leagues/{league}/entry", token)).status_code == 204
        waiting = [
            match["n"] for match in (await told(hall, f"/leagues/{league}/matches"))["matches"] if match["match"]
        ]
        for n in waiting:
            assert (await judged(hall, f"/leagues/{league}/matches/{n}/cancel", admin)).status_code == 200
        await until_over(hall, league)
        table = (await told(hall, f"/leagues/{league}/standings"))["standings"]
        assert (table[0]["name"], table[0]["rank"]) == ("cleo", 1)
        assert [row["rank"] for row in table[1:]] == [None, None]
        states = sorted(match["state"] for match in (await told(hall, f"/leagues/{league}/matches"))["matches"])
        assert states == ["cancelled", "walkover", "walkover"]

    evening(House(tmp_path), work)


def test_a_frozen_and_anonymous_league_keeps_its_secrets(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin, anna, ben = await hall.admin(), await hall.account("anna"), await hall.account("ben")
        league = await opened(hall, admin, freeze_ms=1, anonymous=True, house=[BOT], rounds=2, format="swiss")
        for token in (anna, ben):
            own = (await hall.post(f"/leagues/{league}/entry", token)).json()
            assert own["plays_as"] == own["entry"]["alias"] != own["entry"]["name"]
        await close_entries(hall, league, admin)
        clients = [asyncio.create_task(play_all(hall, league, token)) for token in (anna, ben)]
        await until(hall, f"/leagues/{league}", lambda info: info["settled"] >= 1)
        for path in ("", "/standings", "/matches", "/entries", "/records"):
            said = await hall.get(f"/leagues/{league}{path}")
            assert "anna" not in said.text and "ben" not in said.text, path
        shown = (await told(hall, f"/leagues/{league}/matches"))["matches"][0]
        assert shown["is_hidden"] and shown["match"] is None
        assert [(seat["score"], seat["rank"]) for seat in shown["seats"]] == [(None, None)] * 3
        assert all(row["matches"] == 0 for row in (await told(hall, f"/leagues/{league}/standings"))["standings"])
        whole = (await told(hall, f"/leagues/{league}/matches?full=true", admin))["matches"][0]
        assert {seat["name"] for seat in whole["seats"]} == {"anna", "ben", "random"} and whole["seats"][0]["rank"]
        info = await hall.get(f"/matches/{whole['match']}")
        assert "anna" not in info.text and all(seat["rank"] is None for seat in info.json()["seats"])
        for part in ("transcript", "timeline", "frames", "verdict"):
            assert (await hall.get(f"/matches/{whole['match']}/{part}")).status_code == 409, part
        async with agent(hall.url) as stranger:
            with pytest.raises(MCPError, match="hidden until its league is over"):
                await stranger.client.read_resource(f"parlour://matches/{whole['match']}/transcript")
        assert (await told(hall, "/ratings?game=forsale"))["rows"] == []
        assert (await told(hall, "/standings?game=forsale"))["standings"] == []
        again = await hall.post(f"/matches/{whole['match']}/rematch", anna)
        assert (again.status_code, again.json()["code"]) == (409, "no_rematch"), "it would show who is who"
        assert (await told(hall, f"/leagues/{league}/entry", anna))["entry"]["name"] == "anna"
        assert (await patched(hall, league, admin, deadline_ms=2**47)).status_code == 409
        await asyncio.gather(*clients)
        open_now = (await told(hall, f"/leagues/{league}/standings"))["standings"]
        assert {row["name"] for row in open_now} == {"anna", "ben", "random"}
        assert all(row["alias"] and row["matches"] == 2 for row in open_now)
        assert (await hall.get(f"/matches/{whole['match']}/transcript")).status_code == 200
        await until(hall, "/ratings?game=forsale", lambda page: len(page["rows"]) == 3)

    evening(House(tmp_path), work)
