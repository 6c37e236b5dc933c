"""Every program that the page shows to authors of bots runs and plays a match without a fault."""

import asyncio
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.page.snippets import FILES, GAMES, program
from tests.server.arenas import Hall, House, evening

EXAMPLES = Path(__file__).parents[2] / "examples"
NODE = Path(sys.executable).parent / "node"
RUNS = {"python": [sys.executable, "bot.py"], "tcp": [sys.executable, "bot.py"], "node": [str(NODE), "bot.mjs"]}
"""How programs that connect by themselves are started."""
BUILDS = {
    "cpp": (["g++", "-std=c++17", "-o", "bot", "bot.cpp"], "./bot"),
    "java": (["javac", "Bot.java"], "java Bot"),
    "go": (["go", "build", "-o", "bot", "bot.go"], "./bot"),
    "rust": (["rustc", "bot.rs"], "./bot"),
}
"""How programs that read and write lines are built, and what `parlour join` starts."""
OWN = {
    "forsale": "exec+forsale:sh forsale_numbers.sh",
    "dominion": f"exec+dominion:{sys.executable} dominion_starter.py",
}
"""By game, how the example that speaks its own protocol joins."""
ONE_EACH = [("cpp", "colorfight"), ("java", "tradecraft"), ("go", "dominion"), ("rust", "forsale")]
TABLES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "forsale": (["minimum", "minimum"], {}),
    "dominion": (["militia"], {"turn_cap": 8}),
    "maze": (["euclid"], {}),
    "colorfight": (["greedy"], {"width": 12, "height": 8, "max_turn": 5}),
    "tradecraft": (["planner"], {"max_turn": 2}),
}
"""By game, the other players and the options of a short match."""


async def table(hall: Hall, host: str, game: str) -> str:
    """A table to which the next client of the game is sent; its id."""
    bots, options = TABLES[game]
    made = await hall.table(host, game, "open", *bots, quick=True, wait_s=600, options=options)
    return str(made["table"]["id"])


async def done(folder: Path, token: str, *command: str) -> str:
    """What a command prints, which must succeed."""
    told = {**os.environ, "PARLOUR_TOKEN": token}
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, cwd=folder, env=told, stdout=pipe, stderr=pipe)
    said, errors = await process.communicate()
    assert process.returncode == 0, (command, said.decode(), errors.decode())
    return said.decode()


async def check(hall: Hall, match: str) -> None:
    """The account Ada has played the whole match without a fault."""
    info = await hall.over(match)
    assert info["state"] == "over" and info["seats"][0]["name"] == "Ada", info
    lines = (await hall.http.get(f"/api/matches/{match}/transcript")).text.splitlines()
    faults = [line for line in map(json.loads, lines) if line.get("by") == 0 and "fault" in line]
    assert not faults, faults


def test_programs_in_python_and_javascript_play_every_game(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host, token = await hall.account("host"), await hall.account("Ada")

        async def run(way: str, game: str) -> None:
            (folder := tmp_path / way / game).mkdir(parents=True)
            code = program(way, game, hall.serving.port, hall.serving.tcp_port)
            (folder / FILES[way]).write_text(code, encoding="utf-8")
            await done(folder, token, *RUNS[way])

        plays = [(way, game) for way in RUNS for game in GAMES]
        tables = [await table(hall, host, game) for game in [*(game for _, game in plays), *OWN]]
        joins = [
            done(EXAMPLES, token, sys.executable, "-m", "parlour", "join", hall.url, game, player)
            for game, player in OWN.items()
        ]
        await asyncio.gather(*(run(way, game) for way, game in plays), *joins)
        for match in tables:
            await check(hall, match)

    evening(House(tmp_path, tables_per_account=100), work)


def play_through_join(folder: Path, way: str, game: str) -> None:
    build, command = BUILDS[way]
    if shutil.which(build[0]) is None:
        pytest.skip(f"there is no {build[0]}")

    async def work(hall: Hall) -> None:
        host, token = await hall.account("host"), await hall.account("Ada")
        match = await table(hall, host, game)
        (folder / FILES[way]).write_text(program(way, game, hall.serving.port, None), encoding="utf-8")
        await done(folder, token, *build)
        join = [sys.executable, "-m", "parlour", "join", hall.url, game, f"exec:{command}"]
        await done(folder, token, *join)
        await check(hall, match)

    evening(House(folder), work)


@pytest.mark.parametrize(("way", "game"), ONE_EACH)
def test_a_program_in_another_language_plays(tmp_path: Path, way: str, game: str) -> None:
    play_through_join(tmp_path, way, game)


@pytest.mark.slow
@pytest.mark.parametrize(("way", "game"), [(way, game) for way in BUILDS for game in GAMES])
def test_programs_in_other_languages_play_every_game(tmp_path: Path, way: str, game: str) -> None:
    play_through_join(tmp_path, way, game)
