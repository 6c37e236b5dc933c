"""Games whose only bot is the random one are played like all others."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.client import Client
from parlour.core import Result
from parlour.plugins import game
from tests.here import here, printed
from tests.plugins.packages import installed, write
from tests.server.arenas import Hall, House, evening
from tests.turned import turn, until

QUICK_S = 600.0
TOYS = "from tests.toys.cups import GAME as cups\nfrom tests.toys.lotto import GAME as lotto\n"


@pytest.fixture(autouse=True)
def _toys(tmp_path: Path) -> Iterator[None]:
    """Cups and Lotto are installed."""
    (tmp_path / "toys").mkdir()
    with installed(write(tmp_path / "toys", "toys", {"cups": "cups", "lotto": "lotto"}, TOYS)):
        yield


@pytest.mark.parametrize(("name", "players"), [("cups", ("me", "random")), ("lotto", ("me", "random"))])
def test_seats_that_nobody_comes_for_are_taken_by_the_random_bot(
    tmp_path: Path, name: str, players: tuple[str, ...]
) -> None:
    async def work(hall: Hall) -> None:
        bot = game(name).hosting.bots["random"]
        playing = asyncio.ensure_future(Client(hall.url, name="me").play_async(name, bot))
        await until(lambda: any(table.seats.people() for table in hall.serving.arena.open.values()))
        turn(QUICK_S)
        finished = await playing
        assert finished.players == players and isinstance(finished.end, Result)
        await hall.over(finished.match)
        assert (await hall.proof(finished.match)).holds == "yes"

    evening(House(tmp_path, quick_s=QUICK_S, log="off"), work)


@pytest.mark.parametrize(("name", "answer"), [("cups", "call 9"), ("lotto", "guess 3")])
def test_they_are_played_from_the_command_line(name: str, answer: str) -> None:
    assert "random 2" in printed("match", name, "random", "random")
    assert "20 matches" in printed("match", name, "random", "random", "--games", "20")
    assert "human" in here("play", name, stdin=f"{answer}\n" * 4).stdout
