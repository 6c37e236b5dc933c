"""What changes in a league after its results: reruns after its end, clocks that go back, figures that are kept."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from parlour.protocol.records import now_ms
from parlour.server.leagues import counter
from parlour.server.leagues.counter import LeagueCounter
from parlour.store.league_schema import league_slots, leagues
from parlour.store.league_values import StoredLeague
from tests.server.arenas import Hall, House, evening
from tests.server.leagues import BOT, close_entries, judged, opened, patched, told, until, until_over
from tests.store.stored import executed


async def played(hall: Hall, admin: str, **more: Any) -> str:
    """A league of three bots and one match, which is over."""
    league = await opened(hall, admin, house=[BOT, BOT, BOT], **more)
    await close_entries(hall, league, admin)
    await until_over(hall, league)
    return league


async def counts(hall: Hall, league: str) -> set[int]:
    return {row["matches"] for row in (await told(hall, f"/leagues/{league}/standings"))["standings"]}


def test_a_match_of_a_league_that_is_over_can_be_played_again_and_cancelled(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        league = await played(hall, admin)
        assert await counts(hall, league) == {1}
        again = (await judged(hall, f"/leagues/{league}/matches/1/rerun", admin, why="a broken bot")).json()
        assert again["attempt"] == 2
        await until_over(hall, league)
        [match] = (await told(hall, f"/leagues/{league}/matches"))["matches"]
        assert match["state"] == "over" and match["attempt"] == 2 and await counts(hall, league) == {1}
        cancelled = await judged(hall, f"/leagues/{league}/matches/1/cancel", admin, why="no agreement")
        assert cancelled.json()["state"] == "cancelled" and await counts(hall, league) == {0}
        assert (await told(hall, f"/leagues/{league}"))["state"] == "over"
        found = (await told(hall, f"/leagues/{league}/records"))["records"]
        kinds = ["created", "changed", "started", "over", "match rerun", "over", "match cancelled"]
        assert [each["kind"] for each in found] == kinds

    evening(House(tmp_path), work)


def test_times_are_recorded_in_words(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        league = await opened(hall, admin)
        said = await patched(hall, league, admin, deadline_ms=4_102_444_800_000, freeze_ms=4_102_531_200_000)
        assert said.status_code == 200
        *_, last = (await told(hall, f"/leagues/{league}/records"))["records"]
        assert last["why"].endswith(
            " to 2100-01-01 00:00:00 UTC; freeze from never to 2100-01-02 00:00:00 UTC"
        ) and last["why"].startswith("deadline from 20")
        for late in (2**53 - 1, 253_402_300_800_000, -1, 1e300, "2100", True):
            said = await patched(hall, league, admin, deadline_ms=late)
            assert said.status_code == 400, late
        said = await patched(hall, league, admin, deadline_ms=253_402_300_799_999)
        assert said.status_code == 200

    evening(House(tmp_path), work)


def test_what_was_frozen_stays_hidden_if_the_clock_goes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wall, ahead_s = time.time, 3600

    async def work(hall: Hall) -> None:
        nonlocal ahead_s
        admin, anna = await hall.admin(), await hall.account("anna")
        league = await opened(hall, admin, house=[BOT, BOT, BOT], freeze_ms=now_ms(), seats=3)
        assert (await hall.post(f"/leagues/{league}/entry", anna)).status_code == 201
        await close_entries(hall, league, admin)
        path = f"/leagues/{league}/matches?full=true"
        shown = await until(hall, path, lambda page: any(each["state"] == "over" for each in page["matches"]), admin)
        [match] = [each["match"] for each in shown["matches"] if each["state"] == "over"]
        ahead_s = 0
        info = await told(hall, f"/leagues/{league}")
        assert (info["state"], info["is_frozen"], info["settled"]) == ("running", False, 1), "it waits for anna"
        assert (await hall.get(f"/matches/{match}/transcript")).status_code == 409
        assert {seat["rank"] for seat in (await told(hall, f"/matches/{match}"))["seats"]} == {None}
        assert await counts(hall, league) == {0}
        page = (await told(hall, f"/leagues/{league}/matches"))["matches"]
        assert [each["match"] for each in page if each["is_hidden"]] == [None]
        assert (await hall.post(f"/leagues/{league}/entry", await hall.account("ben"))).status_code == 409
        for n in range(1, 5):
            await judged(hall, f"/leagues/{league}/matches/{n}/cancel", admin)
        assert (await until_over(hall, league))["ended_ms"] < info["started_ms"], "by the clock, before it started"

    monkeypatch.setattr(time, "time", lambda: wall() + ahead_s)
    evening(House(tmp_path), work)


def test_a_class_enters_from_one_address(tmp_path: Path) -> None:
    async def come(hall: Hall) -> list[str]:
        return [await hall.admin(), *[await hall.account(f"student {n}") for n in range(6)]]

    async def work(hall: Hall) -> None:
        alone, teams = await opened(hall, admin), await opened(hall, admin, team_size=6)
        for token in tokens:
            assert (await hall.post(f"/leagues/{alone}/entry", token)).status_code == 201
        code = (await hall.post(f"/leagues/{teams}/entry", tokens[0], team="The Owls")).json()["code"]
        for token in tokens[1:]:
            assert (await hall.post(f"/leagues/{teams}/entry", token, code=code)).status_code == 201

    admin, *tokens = evening(House(tmp_path), come)
    evening(House(tmp_path, tries_a_minute=3), work)


def test_figures_are_counted_again_only_if_a_result_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        id = await played(hall, admin)
        figures = LeagueCounter(hall.store)

        async def league() -> StoredLeague:
            found = await hall.store.leagues.one(id)
            assert found is not None
            return found

        now = await league()
        first, *others = await asyncio.gather(*(figures.figures(now, None) for _ in range(5)))
        assert all(each is first for each in others) and len(first) == 3
        frozen = await figures.figures(await league(), 1)
        assert not frozen and frozen is await figures.figures(await league(), 1)
        await hall.store.schedule.cancel_slot(id, 1, "a test", (await told(hall, "/me", admin))["id"])
        assert not await figures.figures(await league(), None)
        # Large leagues: the same figures for a moment.
        monkeypatch.setattr(counter, "MUCH_S", -1.0)
        monkeypatch.setattr(counter, "SHARE", 10**9)
        figures = LeagueCounter(hall.store)
        before = await figures.figures(await league(), None)
        await executed(hall.store, update(league_slots).values(settled_ms=league_slots.c.settled_ms + 1))
        assert await figures.figures(await league(), None) is before
        await executed(hall.store, update(leagues).values(state="running"))
        assert await figures.figures(await league(), None) is not before, "the states of a league have figures each"

    evening(House(tmp_path), work)
