"""Guests that send as much as possible to a stored room: the bytes in the store and in frames are limited."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.players.test_calls import DONE
from tests.server.kept_house import KeptHouse, Line
from tests.server.visitors import PUBLIC, ROOT, Actor, refused
from tests.turned import run, until

TOO_MUCH = refused("At most 40960 bytes of commands in a round")
ROUND_BYTES = 40_960
LINE_BYTES = 300
JUNK = ["x" * 100] * 1000
GOOD = ["a 29 29 1000"] * 1000


async def stored(house: KeptHouse) -> int:
    """Bytes of all lines of the room's game, once they are kept."""
    assert await house.game().settled()
    return sum(map(len, await house.store.lines(house.game().id)))


async def pours(actor: Actor, orders: list[str], times: int) -> list[dict[str, Any]]:
    return [await actor.command(*orders) for _ in range(times)]


@pytest.mark.parametrize("orders", [JUNK, GOOD], ids=["junk", "good"])
def test_four_guests_cannot_fill_the_store(tmp_path: Path, orders: list[str]) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            actors = [await house.player(f"guest {n}", (ROOT, PUBLIC)[n % 2]) for n in range(4)]
            await house.start()
            for _ in range(2):
                before = await stored(house)
                replies = await asyncio.gather(*[pours(actor, orders, 12) for actor in actors])
                assert all(each[:2] == [DONE] * 2 and each[-1] == TOO_MUCH for each in replies)
                assert await stored(house) - before < 4 * (ROUND_BYTES + LINE_BYTES)
                await house.round()

    run(work())


def test_a_second_connection_has_no_share_of_its_own(tmp_path: Path) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            ada = await house.player("ada", PUBLIC)
            await house.start()
            before = await stored(house)
            assert await pours(ada, GOOD, 3) == [DONE, DONE, TOO_MUCH]
            again = await house.player("ada", ROOT)
            assert await pours(again, GOOD, 3) == [TOO_MUCH] * 3
            assert await stored(house) - before < ROUND_BYTES + LINE_BYTES
            async with house.burnt_down() as rebuilt:
                ada = await rebuilt.player("ada", PUBLIC)
                assert await ada.command(*GOOD) == TOO_MUCH, "what was kept before counts"

    run(work())


def test_a_guest_of_protocol_1_cannot_fill_the_store(tmp_path: Path) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            line = Line()
            await house.room().admission.seat(line.player, "vic", None)
            await house.start()
            await until(lambda: line.kinds()[-1] == "ask")
            before = await stored(house)
            for _ in range(20):
                line.answer(*GOOD)
            for n in range(200):
                line.receive(b"{junk" + b"x" * n)
            await until(lambda: line.kinds().count("fault") == 18 + 200)
            assert line.heard[-1]["code"] == "too_much" and line.heard[-1]["kind"] == "unasked"
            assert await stored(house) - before < ROUND_BYTES + 2 * LINE_BYTES
            await house.round()
            await until(lambda: line.heard[-1].get("ask", {}).get("turn") == 2)
            line.answer("u 99 0")
            await house.round()
            await until(lambda: any("u 99 0 failed" in json.dumps(each) for each in line.heard))

    run(work())


@pytest.mark.parametrize("where", [ROOT, PUBLIC])
def test_one_players_errors_hardly_change_everybodys_frames(tmp_path: Path, where: str) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            ada, viewer = await house.player("ada", where), await house.viewer(where)
            await house.start()
            quiet = len(json.dumps(await viewer.turn(1)))
            assert await ada.command(*JUNK) == DONE
            await house.round()
            frame = await viewer.turn(2)
            assert len(json.dumps(frame)) < quiet + 3000
            assert frame["error"]["1"][-1] == f"... and {1001 - len(frame['error']['1'])} more errors"

    run(work())
