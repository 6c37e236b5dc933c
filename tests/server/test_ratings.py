"""Ratings: which matches change them, that each does so once, and what becomes of them."""

import asyncio
from pathlib import Path

from sqlalchemy import update

from parlour.client import Client
from parlour.games import game
from parlour.store.league_schema import rated_matches
from tests.server.arenas import Hall, House, evening
from tests.server.leagues import told, until
from tests.store.stored import executed

BOT = game("forsale").hosting.bots["random"]


async def quick(hall: Hall, *tokens: str | None) -> str:
    """A quick match of these players; its id."""
    played = await asyncio.gather(*(Client(hall.url, token).play_async("forsale", BOT) for token in tokens))
    [match] = {each.match for each in played}
    await hall.over(match)
    return match


async def everything_rated(hall: Hall) -> None:
    async with asyncio.timeout(60):
        while await hall.store.ratings.is_due():
            await asyncio.sleep(0.05)


def test_quick_matches_of_accounts_are_rated_and_those_of_guests_are_not(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        tokens = [await hall.account(name) for name in ("anna", "ben", "cleo")]
        first = await quick(hall, *tokens)
        page = await until(hall, "/ratings?game=forsale", lambda page: len(page["rows"]) == 3)
        assert {row["name"] for row in page["rows"]} == {"anna", "ben", "cleo"}
        assert all(row["is_provisional"] and row["rank"] is None and row["matches"] == 1 for row in page["rows"])
        ranks = {seat["name"]: seat["rank"] for seat in (await told(hall, f"/matches/{first}"))["seats"]}
        shown = [ranks[row["name"]] for row in page["rows"]]
        assert shown == sorted(shown), "the winner is first"
        await quick(hall, tokens[0], tokens[1], None)
        table = await hall.table(tokens[0], "forsale", "random", "random", "random")
        await hall.over(table["table"]["id"])
        await everything_rated(hall)
        assert (await told(hall, "/ratings?game=forsale"))["rows"] == page["rows"]
        [own] = (await hall.get("/me/export", tokens[0])).json()["ratings"]
        assert own["matches"] == 1 and own["history"][0]["match"] == first
        for missing in ("/ratings?game=chess", "/ratings/nobody", "/ratings/random", "/ratings/anna?game=chess"):
            assert (await hall.get(missing)).status_code == 404, missing

    evening(House(tmp_path, quick_s=600.0), work)


def test_a_match_is_rated_once_also_after_a_restart(tmp_path: Path) -> None:
    house = House(tmp_path)

    async def first(hall: Hall) -> list[object]:
        await quick(hall, *[await hall.account(name) for name in ("anna", "ben", "cleo")])
        await everything_rated(hall)
        page = await until(hall, "/ratings?game=forsale", lambda page: len(page["rows"]) == 3)
        rows: list[object] = page["rows"]
        return rows

    async def again(hall: Hall) -> None:
        assert await hall.store.ratings.rate_due(lambda before, ranks: before, (0.0, 0.0)) == 0
        assert (await told(hall, "/ratings?game=forsale"))["rows"] == rows

    async def unrated(hall: Hall) -> None:
        """Undo the rating, as if the server had been killed before it."""
        await executed(hall.store, update(rated_matches).values(state="due"))
        page = await until(hall, "/ratings?game=forsale", lambda page: page["rows"][0]["matches"] == 2)
        assert all(row["matches"] == 2 for row in page["rows"])

    rows = evening(house, first)
    evening(house, again)
    evening(house, unrated)


def test_deleted_accounts_have_no_ratings_and_banned_ones_are_not_listed(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        tokens = [await hall.account(name) for name in ("anna", "ben", "cleo")]
        await quick(hall, *tokens)
        await until(hall, "/ratings?game=forsale", lambda page: len(page["rows"]) == 3)
        ben = await hall.id(tokens[1])
        assert (await hall.delete(f"/accounts/{await hall.id(tokens[0])}", admin)).status_code == 204
        assert (await hall.put(f"/accounts/{ben}/ban", admin)).status_code == 200
        assert [row["name"] for row in (await told(hall, "/ratings?game=forsale"))["rows"]] == ["cleo"]
        assert (await hall.get("/ratings/anna")).status_code == 404 == (await hall.get("/ratings/ben")).status_code
        assert (await hall.delete(f"/accounts/{ben}/ban", admin)).status_code == 200
        assert {row["name"] for row in (await told(hall, "/ratings?game=forsale"))["rows"]} == {"cleo", "ben"}

    evening(House(tmp_path), work)
