"""Every program and command on the pages for authors of bots plays at a real arena."""

import asyncio
import json
import os
import re
import signal
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.docs.guests import PARLOUR, ended, has_perl, here, node, started, words
from tests.docs.pages import ROOT, blocks, commands, titled
from tests.players.clients import run
from tests.ports import free_row
from tests.server.arenas import Hall, House, Seat, evening
from tests.turned import soon, until

pytestmark = pytest.mark.timeout(300)  # many programs are started at once

SOON_S = 0.5
"""A client that looks for a match need not wait for others if a test is only about one."""
LATER_S = 600.0
"""Where all are to meet, no bot takes the seat of a program that is slow to start."""
PAGES = {
    "socket_bot.py": "ways/websocket.md",
    "socket_bot.js": "ways/websocket.md",
    "socket_bot.pl": "ways/tcp.md",
    "tcp_bot.py": "ways/tcp.md",
    "forsale_bot.py": "ways/own.md",
    "connected.py": "ways/own.md",
}
RETURNING = ("socket_bot.py", "socket_bot.js", "socket_bot.pl")
"""Those that come back when the connection is lost."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that a reader of the page has saved."""
    for title, name in PAGES.items():
        (tmp_path / title).write_text(titled(name, title))
    return tmp_path


def command_of(title: str, hall: Hall, folder: Path) -> list[str] | None:
    """The one that the page has for a program; None, if it cannot be run here."""
    [command] = [line for line in commands(PAGES[title], "") if f" {title} " in f" {line} "]
    typed = words(here(hall, command), folder)
    if typed[0] == "perl":
        return typed if has_perl() else None
    if typed[0] == "node":
        return None if (found := node()) is None else [*found, *typed[1:]]
    return typed


async def table_for(hall: Hall, game: str, seats: int, **terms: Any) -> str:
    """A table to which all are sent who look for a match."""
    created = await hall.table(await hall.account("host"), game, *["open"] * seats, quick=True, **terms)
    table: str = created["table"]["id"]
    return table


async def last_seat(hall: Hall, table: str, token: str, answers: bool) -> None:
    """Take the last seat of a table; then play to the end, or leave at the first question."""
    async with hall.connect(f"/play/forsale/{table}", token) as line:
        seat = Seat(line)
        await seat.hello("last")
        await seat.hear("ask")
        while answers and (said := seat.heard[-1])["type"] != "over":
            if said["type"] == "ask":
                await seat.say(type="answer", id=said["id"], action=said["ask"]["choices"][0])
            seat.heard.append(json.loads(await line.recv()))


async def seats_taken(hall: Hall, table: str, seats: int) -> None:
    await until(lambda: hall.serving.arena.open[table].seats.people() == seats)


def test_all_whole_bots_of_the_pages_meet_in_one_match(folder: Path) -> None:
    async def work(hall: Hall) -> None:
        (folder / "ada.py").write_text(here(hall, blocks("ways/python.md", "python")[0]))
        bots = [command_of(title, hall, folder) for title in PAGES if title != "connected.py"]
        able = [bot for bot in [*bots, words("python3 ada.py", folder)] if bot is not None]
        table = await table_for(hall, "forsale", len(able))
        printed = await asyncio.gather(*map(ended, able))
        assert all(printed)
        info = await hall.over(table)
        assert {seat["name"] for seat in info["seats"]} >= {"ada", "bob"}
        transcript = (await hall.get(f"/matches/{table}/transcript")).text.splitlines()
        assert not any(json.loads(line).get("fault") for line in transcript)
        assert (await hall.proof(table)).holds == "yes"

    evening(House(folder, log="off", quick_s=LATER_S), work)


def test_they_come_back_when_the_server_has_been_stopped_and_started(folder: Path) -> None:
    port = free_row(2)
    house = House(folder, log="off", port=port, tcp_port=port + 1, listeners={}, quick_s=LATER_S)

    async def work() -> None:
        async with house.open() as hall:
            bots = [bot for title in RETURNING if (bot := command_of(title, hall, folder)) is not None]
            table = await table_for(hall, "forsale", len(bots) + 1, limit_s=600)
            token = await hall.account("last")
            playing = asyncio.gather(*map(ended, bots))
            await seats_taken(hall, table, len(bots))
            await last_seat(hall, table, token, answers=False)
        async with house.open() as hall:
            await last_seat(hall, table, token, answers=True)
            assert all("ranks" in printed for printed in await playing)
            assert (await hall.proof(table)).holds == "yes"

    run(work())


# From Python


def test_several_matches_at_once(folder: Path) -> None:
    async def work(hall: Hall) -> None:
        (folder / "several.py").write_text(here(hall, blocks("ways/python.md", "python")[1]))
        printed = (await ended(words("python3 several.py", folder))).splitlines()
        matches = [line.split()[0] for line in printed]
        assert len(matches) == 4
        assert {(await hall.proof(match)).holds for match in matches} == {"yes"}

    evening(House(folder, log="off", quick_s=SOON_S), work)


ONE_BY_ONE = """
import json, sys
from tests.here import printed
print(json.dumps([printed(*words) for words in json.loads(sys.argv[1])]))
"""
"""Runs several commands in one process, which takes less time than to start each."""


def test_bots_and_commands_join(folder: Path) -> None:
    async def work(hall: Hall) -> None:
        joins = [words(here(hall, command), folder) for command in commands("ways/python.md", "parlour join")]
        assert len(joins) == 3 and all(join[: len(PARLOUR)] == PARLOUR for join in joins)
        typed = json.dumps([join[len(PARLOUR) :] for join in joins])
        for printed in json.loads(await ended([sys.executable, "-c", ONE_BY_ONE, typed])):
            assert "rank" in printed

    evening(House(folder, log="off", quick_s=SOON_S), work)


# Started by the host


def test_the_commands_of_the_page_are_given_their_seats(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    [text] = blocks("ways/commands.md", "toml")

    async def work(hall: Hall) -> None:
        [command] = commands("ways/commands.md", "parlour table new")
        printed = await ended(words(here(hall, command), folder), PARLOUR_TOKEN=await hall.account("host"))
        table = printed.split()[1]
        await last_seat(hall, table, await hall.account("last"), answers=True)
        assert [seat["name"] for seat in (await hall.over(table))["seats"]] == ["counter", "numbers", "last"]
        assert (await hall.proof(table)).holds == "yes"

    evening(House(folder, log="off", **tomllib.loads(text)), work)


# The games' own protocols


def test_clients_of_the_games_own_protocols_play(folder: Path) -> None:
    """The clients disconnect after the match, except the one that stays for the next."""

    async def work(hall: Hall) -> None:
        found = {line: words(here(hall, line), folder) for line in commands("ways/own.md", "python3")}
        staying, leaving = split(found, "maze_source"), split(found, "forsale", "dominion", "course", "tradecraft")
        assert len(staying) == 1 and len(leaving) == 5
        async with started(staying[0]):
            await asyncio.gather(*map(ended, leaving))
            matches = await all_over(hall, "forsale", "dominion", "maze", "tradecraft")
        names = [seat["name"] for match in matches for seat in match["seats"]]
        assert any(re.fullmatch("[0-9a-f]{32}", name) for name in names)
        assert {"ada", "Python starter"} <= {*names}
        assert {(await hall.proof(match["id"])).holds for match in matches} == {"yes"}

    evening(House(folder, log="off", quick_s=SOON_S), work)


STAYS = """
import os, runpy, signal, sys, time
from pathlib import Path
Path(sys.argv[2]).write_text(str(os.getpid()))
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
signal.signal(signal.SIGTERM, signal.SIG_IGN if "deaf" in sys.argv else signal.SIG_DFL)
runpy.run_path(sys.argv[1], run_name="__main__")
while True:
    time.sleep(60)
"""
"""Plays as the starter does, but does not end when its input has ended, nor, if it is deaf, when it is told to."""


@pytest.mark.parametrize("how", ["stays", "deaf"])
def test_the_program_that_connects_a_bot_ends_it_when_the_server_closes(folder: Path, how: str) -> None:
    (folder / "stays.py").write_text(STAYS)

    async def work(hall: Hall) -> None:
        [command] = [line for line in commands("ways/own.md", "python3") if "dominion" in line]
        connect, starter = command.split(" python3 ")
        bot = f"python3 stays.py {ROOT / starter} {folder / 'pid'} {how}"
        try:
            await ended(words(here(hall, f"{connect} {bot}"), folder))
        finally:
            with pytest.raises(ProcessLookupError):
                os.kill(int((folder / "pid").read_text()), signal.SIGKILL)
        [match] = (await hall.get("/matches?state=over")).json()["matches"]
        assert "Python starter" in [seat["name"] for seat in match["seats"]]

    evening(House(folder, log="off", quick_s=SOON_S), work)


def test_the_program_that_connects_a_bot_ends_with_the_bot(folder: Path) -> None:
    """The server is told, because the connection is closed."""
    (folder / "quits.py").write_text("import sys; sys.stdin.readline(); print('{}', flush=True)")

    async def work() -> None:
        closed = asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"hello\n")
            assert await reader.read() == b"{}\n"
            closed.set()
            writer.close()

        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            await ended(words(f"python3 connected.py {port} python3 quits.py", folder))
            await soon(closed.wait())

    run(work())


def split(found: dict[str, list[str]], *parts: str) -> list[list[str]]:
    return [words for line, words in found.items() if any(part in line for part in parts)]


async def all_over(hall: Hall, *games: str) -> list[Any]:
    """The matches, once there is one of each game that is over."""
    async with asyncio.timeout(60):
        while True:
            matches: list[Any] = (await hall.get("/matches?state=over")).json()["matches"]
            if {match["game"] for match in matches} >= {*games}:
                return matches
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("command", [line for line in commands("ways/own.md", "python3") if "colorfight" in line])
def test_clients_of_rooms_play(folder: Path, command: str) -> None:
    async def work(hall: Hall) -> None:
        async with started(words(here(hall, command), folder)) as child:
            await until(lambda: any(playing.match.names for playing in hall.serving.arena.playing.values()))
            said = {"gameroom_id": "public", "admin_password": "secret"}
            assert (await hall.http.post("/start", json=said)).json()["success"]
            assert child.stdout is not None
            async with asyncio.timeout(60):
                assert b"turn 1 " in await child.stdout.readline()
            async with hall.connect("/play/colorfight") as line:
                newcomer = Seat(line)
                await newcomer.hello("bob")
                assert (await newcomer.hear("seat"))["players"] == ["ada", "bob"]

    evening(House(folder, log="off", rooms=1, admin_password="secret"), work)
