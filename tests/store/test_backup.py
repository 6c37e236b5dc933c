"""A copy is made while matches are played, and all of them go on from it."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

from parlour.client import Client
from parlour.games import game
from parlour.store.backup import back_up
from parlour.store.check import check
from tests import turned
from tests.server.arenas import Hall, House, Seat

TABLES = 4


async def begun(hall: Hall, token: str, number: int) -> str:
    """A match in which the owner of the token has made so many moves."""
    table: str = (await hall.table(token, "forsale", "open", "random", "random", limit_s=600))["table"]["id"]
    async with hall.connect(f"/play/forsale/{table}") as line:
        seat = Seat(line)
        await seat.hello("x", token=token)
        for _ in range(number):
            await seat.first_choice()
        await seat.hear("ask")
    return table


async def go_on(hall: Hall, token: str, tables: list[str]) -> Any:
    bot = game("forsale").hosting.bots["minimum"]
    return await asyncio.gather(*(Client(hall.url, token).play_async("forsale", bot, table=table) for table in tables))


def test_matches_go_on_from_a_copy_that_was_made_while_they_were_played(tmp_path: Path) -> None:
    original, restored = tmp_path / "original", tmp_path / "restored"
    original.mkdir()
    restored.mkdir()

    async def evening() -> None:
        async with House(original).open() as hall:
            token = await hall.account("owner")
            tables = [await begun(hall, token, number) for number in range(TABLES)]
            playing = asyncio.create_task(go_on(hall, token, tables))
            await asyncio.to_thread(back_up, original / "arena.db", tmp_path / "copy.db")
            await playing
        shutil.copy(tmp_path / "copy.db", restored / "arena.db")
        async with House(restored).open() as hall:
            unfinished = [match.id for match in await hall.store.unfinished()]
            for table in tables:
                assert await hall.store.lines(table), "it had begun by then"
            await go_on(hall, token, unfinished)
            for table in tables:
                assert (await hall.over(table))["state"] == "over"
                assert (await hall.proof(table)).holds == "yes"
            async for match in hall.store.each_match():
                assert await check(hall.store, match, game) == []

    turned.run(evening())
