"""Rounds of a fifth of a second: no player misses one, whatever other clients do."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from parlour.core import Took
from parlour.games.colorfight.values import Command
from parlour.server.net.web_server import run
from tests.server.attackers import KINDS
from tests.server.beat import ATTEMPTS, QUICK, ROUND_S, Machine, Miss, attacked, missed
from tests.server.visitors import BOTH, PUBLIC, ROOT, House
from tests.turned import SOON_S, until

pytestmark = [pytest.mark.timeout(300), pytest.mark.alone]

Evening = Callable[[], Coroutine[Any, Any, list[Miss]]]

MOST_GROWTH = 32 * 1024 * 1024
"""How much memory may grow, in bytes. A buffered flood reaches this in a second or two."""


def nobody_misses_a_round(evening: Evening, rounds: int) -> None:
    """Rounds during which the machine stalled do not count; if there were many, the test is repeated."""
    for _ in range(ATTEMPTS):
        with Machine().watched() as machine:
            misses = run(evening())
        ours = [miss.words for miss in misses if not machine.stalled(miss.begin, miss.end)]
        assert not ours, f"the machine was there, and yet: {ours[:5]}, and {len(ours)} in all"
        if len(misses) <= rounds // 2:
            return
    pytest.fail("the machine is too busy to tell")


def test_sixteen_clients_at_once() -> None:
    async def evening() -> list[Miss]:
        async with House(QUICK) as house:
            return await missed(house, [*BOTH] * 8, rounds=25)

    nobody_misses_a_round(evening, 16 * 25)


@pytest.mark.parametrize("kind", KINDS)
def test_players_beside_an_attacker(kind: str) -> None:
    """The players miss no round, and the attacker's messages are not buffered."""

    async def evening() -> list[Miss]:
        async with House(QUICK, admin_password="secret") as house:
            await house.player("victim")
            async with attacked(house, kind):
                before = resident()
                misses = await missed(house, [ROOT, PUBLIC, ROOT, PUBLIC], rounds=10)
                assert resident() - before < MOST_GROWTH
                return misses

    nobody_misses_a_round(evening, 4 * 10)


def resident() -> int:
    """Bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_a_game_goes_on_after_the_machine_stood_still_beyond_a_deadline() -> None:
    """The same holds for lists that arrived before the deadline and are read after it."""

    async def evening() -> None:
        async with House(QUICK) as house:
            await house.player("ada")
            await house.start()
            game, turn = house.game(), 1
            member = game.member(1)
            assert member is not None
            for _ in range(5):
                lists = [asyncio.ensure_future(member.send(Command())) for _ in range(3)]
                await asyncio.sleep(0)
                time.sleep(3 * ROUND_S)
                async with asyncio.timeout(SOON_S):
                    assert all(isinstance(answer, Took) for answer in await asyncio.gather(*lists))
                turn += 2
                await until(lambda turn=turn: game.state.turn >= turn)  # type: ignore[misc]  # its own

    run(evening())
