"""Entering leagues: teams and their codes, and everything that is refused."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import httpx

from parlour.protocol.records import now_ms
from tests.server.arenas import Hall, House, evening
from tests.server.leagues import BOT, close_entries, judged, opened, patched, play_all, told, until, until_over


def code(said: httpx.Response) -> tuple[int, str]:
    return said.status_code, said.json().get("code", "")


async def enter(hall: Hall, league: str, token: str, **wanted: Any) -> httpx.Response:
    return await hall.post(f"/leagues/{league}/entry", token, **wanted)


def test_a_team_plays_with_any_of_its_accounts(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        anna, ben, cleo = [await hall.account(name) for name in ("anna", "ben", "cleo")]
        league = await opened(hall, admin, team_size=2, house=[BOT, BOT], terms={"grace_s": 30})
        made = (await enter(hall, league, anna, team="The Owls")).json()
        assert (made["entry"]["name"], made["owner"], len(made["code"])) == ("The Owls", True, 16)
        assert code(await enter(hall, league, ben, code="a wrong one")) == (403, "wrong_code")
        renewed = (await hall.post(f"/leagues/{league}/entry/code", anna)).json()["code"]
        assert code(await enter(hall, league, ben, code=made["code"])) == (403, "wrong_code")
        joined = (await enter(hall, league, ben, code=renewed)).json()
        assert (joined["owner"], joined["code"], joined["entry"]["accounts"]) == (False, None, ["anna", "ben"])
        assert code(await hall.post(f"/leagues/{league}/entry/code", ben)) == (403, "not_yours")
        assert code(await enter(hall, league, cleo, code=renewed)) == (409, "team_full")
        assert code(await enter(hall, league, ben, team="Another")) == (409, "entered")
        assert code(await enter(hall, league, cleo, team="the 0wls")) == (409, "name_taken")
        assert code(await enter(hall, league, cleo, team="anna")) == (409, "name_taken")
        assert code(await enter(hall, league, cleo, team="random")) == (409, "name_taken")
        assert code(await enter(hall, league, cleo, team="x", code=renewed)) == (400, "bad_request")
        stored = await hall.store.leagues.entries(league)
        assert renewed not in str(stored), "only the hash of a code is stored"
        await close_entries(hall, league, admin)
        assert await play_all(hall, league, ben) == 1
        [match] = (await told(hall, f"/leagues/{league}/matches"))["matches"]
        assert "The Owls" in {seat["name"] for seat in match["seats"]}
        assert not any(seat["absent"] for seat in match["seats"])
        assert (await told(hall, "/ratings?game=forsale"))["rows"] == [], "leagues of teams are not rated"
        said = await hall.get(f"/leagues/{league}/export.csv", admin)
        lines = [line.split(",")[1:4] for line in said.text.splitlines()]
        assert said.headers["content-type"].startswith("text/csv") and lines[0] == ["account", "entry", "kind"]
        assert ["anna", "The Owls", "client"] in lines and ["ben", "The Owls", "client"] in lines

    evening(House(tmp_path), work)


def test_what_is_refused(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin, anna, guest = await hall.admin(), await hall.account("anna"), await hall.guest()
        league = await opened(hall, admin)
        assert code(await enter(hall, league, guest)) == (403, "guest")
        assert code(await enter(hall, league, anna, team="Owls")) == (409, "no_teams")
        assert code(await enter(hall, league, anna, command="rm")) == (400, "no_such_player")
        assert (await enter(hall, league, anna)).status_code == 201
        assert code(await enter(hall, league, anna)) == (409, "entered")
        assert code(await enter(hall, "0", anna)) == (404, "no_such_league")
        assert (await hall.delete(f"/leagues/{league}/entry", anna)).status_code == 204
        assert code(await hall.delete(f"/leagues/{league}/entry", anna)) == (404, "not_entered")
        both = await asyncio.gather(enter(hall, league, anna), enter(hall, league, anna))
        assert sorted(said.status_code for said in both) == [201, 409]
        await close_entries(hall, league, admin)
        await until(hall, f"/leagues/{league}", lambda info: info["state"] == "cancelled")
        assert "too few entries: 1 entry" in (await told(hall, f"/leagues/{league}"))["why"]
        assert code(await enter(hall, league, await hall.account("late"))) == (409, "too_late")
        for path in ("cancel", "matches/1/cancel", "matches/1/rerun"):
            said = await judged(hall, f"/leagues/{league}/{path}", admin)
            assert said.status_code in (404, 409), path
        assert code(await judged(hall, f"/leagues/{league}/cancel", admin)) == (409, "cancelled")
        assert code(await judged(hall, f"/leagues/{league}/cancel", admin, why="")) == (400, "bad_request")
        assert code(await patched(hall, league, admin, unfreeze=True)) == (409, "too_late")

    evening(House(tmp_path), work)


def test_leagues_that_cannot_be(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        good: dict[str, Any] = {"name": "Spring", "game": "forsale", "deadline_ms": now_ms() + 10**6}
        tried: list[tuple[dict[str, Any], tuple[int, str]]] = [
            ({"game": "chess"}, (404, "no_such_game")),
            ({"deadline_ms": now_ms() - 1}, (400, "bad_deadline")),
            ({"seats": 7}, (400, "bad_seats")),
            ({"seats": 2}, (400, "bad_seats")),
            ({"name": "   "}, (400, "bad_name")),
            ({"name": ""}, (400, "bad_request")),
            ({"format": "ladder"}, (400, "bad_request")),
            ({"terms": {"options": {"no": 1}}}, (400, "bad_options")),
            ({"terms": {"grace_s": 0}}, (400, "bad_request")),
            ({"house": [{"kind": "bot", "spec": "genius"}]}, (400, "no_such_player")),
            ({"format": "gauntlet"}, (400, "bad_house")),
            ({"format": "swiss", "rounds": 100, "deals": 1000}, (400, "too_many_matches")),
            ({"rules": 1}, (400, "bad_request")),
        ]
        for change, answer in tried:
            assert code(await hall.post("/leagues", admin, **{**good, **change})) == answer, change
        assert (await told(hall, "/leagues"))["leagues"] == []

    evening(House(tmp_path), work)


def test_codes_cannot_be_guessed(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin, anna, ben = await hall.admin(), await hall.account("anna"), await hall.account("ben")
        league = await opened(hall, admin, team_size=3)
        made = (await enter(hall, league, anna, team="Owls")).json()
        tried = [code(await enter(hall, league, ben, code=f"guess {n}")) for n in range(12)]
        assert tried[0] == (403, "wrong_code") and tried[-1] == (429, "too_many_tries")
        assert code(await enter(hall, league, ben, code=made["code"])) == (429, "too_many_tries")

    evening(House(tmp_path, tries_a_minute=10), work)


def test_banned_and_deleted_accounts_are_not_waited_for(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        anna, ben, cleo = [await hall.account(name) for name in ("anna", "ben", "cleo")]
        league = await opened(hall, admin, house=[BOT, BOT], seats=3, terms={"grace_s": 3600})
        for token in (anna, ben, cleo):
            assert (await enter(hall, league, token)).status_code == 201
        assert (await hall.put(f"/accounts/{await hall.id(anna)}/ban", admin)).status_code == 200
        gone = await hall.http.request(
            "DELETE",
            "/api/me",
            headers={"Authorization": f"Bearer {ben}"},
            json={"password": "long enough"},
        )
        assert gone.status_code == 204
        await close_entries(hall, league, admin)
        assert await play_all(hall, league, cleo) == 3
        await until_over(hall, league)
        table = (await told(hall, f"/leagues/{league}/standings"))["standings"]
        rows = {row["name"]: row for row in table}
        assert rows.keys() == {"anna", "cleo", "random", "random 2"}, (
            "before the deadline a deleted account is left out"
        )
        assert rows["anna"]["absences"] == 3 and rows["anna"]["points"] == 0

    evening(House(tmp_path), work)


def test_commands_play_for_accounts_unless_they_are_banned(tmp_path: Path) -> None:
    command = f"exec:{sys.executable} examples/any_language.py"

    async def work(hall: Hall) -> None:
        admin, anna, ben = await hall.admin(), await hall.account("anna"), await hall.account("ben")
        league = await opened(hall, admin, house=[BOT, BOT], seats=3, terms={"grace_s": 3600})
        for token in (anna, ben):
            said = await enter(hall, league, token, command="counter")
            assert said.status_code == 201 and said.json()["entry"]["kind"] == "command"
        assert (await hall.put(f"/accounts/{await hall.id(ben)}/ban", admin)).status_code == 200
        await close_entries(hall, league, admin)
        await until_over(hall, league)
        table = (await told(hall, f"/leagues/{league}/standings"))["standings"]
        absences = {row["name"]: (row["matches"], row["absences"]) for row in table}
        assert absences["anna"] == (3, 0) and absences["ben"] == (3, 3)
        [rating] = (await told(hall, "/ratings/counter?kind=command"))["games"]
        assert len(rating["history"]) == 1, "a match without a player that was absent is not rated"

    evening(House(tmp_path, commands={"forsale": {"counter": command}}), work)


def test_an_entry_is_removed_from_its_own_league_only(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin, anna = await hall.admin(), await hall.account("anna")
        own, other = await opened(hall, admin), await opened(hall, admin)
        await enter(hall, own, anna)
        [entry] = await told(hall, f"/leagues/{own}/entries")
        before = await told(hall, f"/leagues/{own}/entry", anna)
        for league, status in ((other, 404), (own, 204)):
            assert await told(hall, f"/leagues/{own}/entry", anna) == before
            path, headers = f"/api/leagues/{league}/entries/{entry['id']}", {"Authorization": f"Bearer {admin}"}
            said = await hall.http.request("DELETE", path, json={"why": "copied"}, headers=headers)
            assert said.status_code == status
        assert await told(hall, f"/leagues/{own}/entries") == []

    evening(House(tmp_path), work)


def test_a_removed_entry_and_a_cancelled_league_stay_on_record(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin, anna = await hall.admin(), await hall.account("anna")
        league = await opened(hall, admin, game="dominion", house=[BOT, BOT], seats=2)
        await enter(hall, league, anna)
        await close_entries(hall, league, admin)
        await until(hall, f"/leagues/{league}/table", lambda found: found["table"] is not None, anna)
        [own] = [each for each in await told(hall, f"/leagues/{league}/entries") if each["name"] == "anna"]
        headers = {"Authorization": f"Bearer {admin}"}
        for answer in (204, 404):
            said = await hall.http.request(
                "DELETE", f"/api/leagues/{league}/entries/{own['id']}", json={"why": "copied"}, headers=headers
            )
            assert said.status_code == answer
        running = [each["match"] for each in (await told(hall, f"/leagues/{league}/matches"))["matches"]]
        assert (await judged(hall, f"/leagues/{league}/cancel", admin, why="the room is flooded")).status_code == 200
        for match in filter(None, running):
            assert (await hall.over(match))["state"] in ("over", "dropped")
        info = await told(hall, f"/leagues/{league}")
        assert (info["state"], info["why"], info["settled"]) == ("cancelled", "the room is flooded", info["matches"])
        found = (await told(hall, f"/leagues/{league}/records"))["records"]
        assert [(each["kind"], each["by"], each["why"]) for each in found][-2:] == [
            ("removed", "admin", "copied"),
            ("cancelled", "admin", "the room is flooded"),
        ]
        assert (await told(hall, f"/leagues/{league}/table", anna))["state"] == "cancelled"

    evening(House(tmp_path), work)
