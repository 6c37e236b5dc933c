"""`parlour host colorfight` as a person starts it, with real clients."""

import asyncio
import contextlib
import gzip
import json
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from parlour.games import game
from parlour.referee.replay import verify
from tests.cli.test_commands import ENVIRONMENT
from tests.here import ROOT, here, mistake_here

pytestmark = pytest.mark.timeout(300)

SOON_S = 60.0
"""How long may take what is done at once, on a machine that stalls."""
WORD = "swordfish"
DUEL = ("max_turn=6", "round_time=0.2", "first_round_time=full", "max_player=2", "finish_time=1")
"""Begins when two have come, is over soon, and then there is another."""


class Command:
    """The program, and what it prints."""

    def __init__(self, process: asyncio.subprocess.Process, port: int, said: list[str]) -> None:
        self.process = process
        self.port = port
        self.said = said
        """The output on standard error."""

    async def result(self) -> dict[str, Any]:
        """The result of the next game that ends."""
        assert self.process.stdout is not None
        async with asyncio.timeout(SOON_S):
            summary: dict[str, Any] = json.loads(await self.process.stdout.readline())
        return summary

    async def end(self, number: signal.Signals) -> tuple[int, str, str]:
        """Stop the command; returns its exit status and the rest of its output."""
        self.process.send_signal(number)
        return await self.left()

    async def left(self) -> tuple[int, str, str]:
        async with asyncio.timeout(SOON_S):
            printed, said = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, printed.decode(), said.decode()

    def channel(self, path: str) -> connect:
        return connect(f"ws://127.0.0.1:{self.port}{path}", max_size=None, proxy=None, open_timeout=SOON_S)


@contextlib.asynccontextmanager
async def hosted(*words: str, settings: tuple[str, ...] = DUEL) -> AsyncIterator[Command]:
    sets = [word for setting in settings for word in ("--set", setting)]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "parlour", "host", "colorfight", *words, *sets),
        stdout=pipe,
        stderr=pipe,
        cwd=ROOT,
        env={**ENVIRONMENT, "PARLOUR_ADMIN_PASSWORD": WORD},
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(SOON_S):
            said = [(await process.stderr.readline()).decode()]
            while "source text" not in said[-1]:
                said.append((await process.stderr.readline()).decode())
                assert said[-1], said
        found = re.search(r"127\.0\.0\.1:(\d+)", said[0])
        assert found is not None
        yield Command(process, int(found[1]), said)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def ask(client: ClientConnection, **message: Any) -> dict[str, Any]:
    await client.send(json.dumps(message))
    async with asyncio.timeout(SOON_S):
        reply: dict[str, Any] = json.loads(await client.recv())
    return reply


async def play(command: Command, where: str, name: str) -> list[int]:
    """A whole game, from registering to the first frame of the next; the turns that were seen."""
    seen: list[int] = []
    async with command.channel(f"{where}/game_channel") as shows, command.channel(f"{where}/action_channel") as takes:
        reply = await ask(takes, action="register", username=name, password=f"{WORD} of {name}")
        assert reply["success"], reply
        while True:
            async with asyncio.timeout(SOON_S):
                frame = json.loads(await shows.recv())
            if seen and frame["turn"] < seen[-1]:
                return seen
            if frame["turn"] and frame["turn"] not in seen:
                seen.append(frame["turn"])
                await ask(takes, action="command", cmd_list=[f"turn{frame['turn']}"])


def test_a_game_of_two_clients_and_then_ctrl_c(tmp_path: Path) -> None:
    """One client at the root and one in the room; the records of both games are whole, and tell no passwords."""

    async def evening() -> None:
        async with hosted("--record", str(tmp_path / "all")) as command:
            ended = asyncio.ensure_future(command.result())
            viewer = asyncio.ensure_future(play(command, "/gameroom/public", "ada"))
            turns = await play_at_root(command, "bob")
            result = await ended
            assert sorted(result["players"]) == ["ada", "bob"] and result["void"] is None
            for seen in (turns, await viewer):
                assert seen == sorted({*seen}) and seen[-1] == 6, "none twice, and the last for certain"
            status, printed, said = await command.end(signal.SIGINT)
            told = "".join(command.said) + said
            assert "/game_channel, /action_channel" in told and "/gameroom/public" in told, "where clients find it"
            assert "Traceback" not in said and "ERROR" not in said and WORD not in said + printed
            assert status == 130, said
            assert json.loads(printed)["players"] == [], "of the game that was waiting for players"

    async def play_at_root(command: Command, name: str) -> list[int]:
        """Nothing is shown there before the first turn of the next game, so its last is where it ends."""
        async with command.channel("/game_channel") as shows, command.channel("/action_channel") as takes:
            assert (await ask(takes, action="register", username=name, password="x"))["success"]
            seen: list[int] = []
            while not seen or seen[-1] < 6:
                async with asyncio.timeout(SOON_S):
                    seen.append(json.loads(await shows.recv())["turn"])
                await ask(takes, action="command", cmd_list=["x"])
            return seen

    asyncio.run(evening())
    records = sorted((tmp_path / "all").glob("*.jsonl"))
    assert len(records) == 2 and len([*(tmp_path / "all").iterdir()]) == 2, "and no seed lies beside them any more"
    for record in records:
        assert verify(record.read_bytes(), game).holds == "yes"
        assert WORD.encode() not in record.read_bytes()


def test_once_is_one_game_in_one_file_that_can_be_exported(tmp_path: Path) -> None:
    words = ("greedy", "--once", "--seed", "c0ffee", "--record", str(tmp_path / "game.jsonl"))

    async def evening() -> tuple[dict[str, Any], int]:
        async with hosted(*words, settings=(*DUEL, "width=10")) as command:
            async with httpx.AsyncClient(verify=False, trust_env=False, timeout=SOON_S) as web:
                made = await web.post(f"http://127.0.0.1:{command.port}/creategameroom", json={"gameroom_id": "r"})
                assert made.json()["err_msg"] == "Max room number reached", "one game is one file"
            async with command.channel("/action_channel") as takes:
                assert (await ask(takes, action="register", username="ada", password="x"))["uid"] == 2
                result = await command.result()
                status, _, said = await command.left()
                assert "Traceback" not in said and "ERROR" not in said
                assert "/gameroom/public" not in "".join(command.said) + said, "today's clients know one map"
                return result, status

    result, status = asyncio.run(evening())
    assert status == 0 and result["players"] == ["greedy", "ada"] and len(result["scores"]) == 2
    assert verify((tmp_path / "game.jsonl").read_bytes(), game).holds == "yes"
    assert here("export", "game.jsonl", "game.json.gz", cwd=tmp_path).returncode == 0
    replay = json.loads(gzip.decompress((tmp_path / "game.json.gz").read_bytes()))
    assert [element["turn"] for element in replay] == [*range(7)]


def test_an_admin_restarts_the_game_and_sigterm_ends_it_like_ctrl_c(tmp_path: Path) -> None:
    """Both records are whole, and the same command overwrites neither."""
    words = ("--seed", "c0ffee", "--record", str(tmp_path / "all"))

    async def restart(command: Command) -> None:
        async with httpx.AsyncClient(verify=False, trust_env=False, timeout=SOON_S) as web:
            url = f"http://127.0.0.1:{command.port}/restart"
            wrong = await web.post(url, json={"max_turn": 200, "admin_password": "guess"})
            assert wrong.json() == {"success": False, "err_msg": "Wrong password"}
            right = await web.post(url, json={"max_turn": 200, "admin_password": WORD})
            assert right.json() == {"success": True}

    async def evening() -> None:
        async with hosted(*words, settings=("first_round_time=0",)) as command:
            await restart(command)
            assert (await command.result())["players"] == []
            async with command.channel("/gameroom/public/game_channel") as shows, asyncio.timeout(SOON_S):
                while json.loads(await shows.recv())["info"]["max_turn"] != 200:
                    pass
            async with command.channel("/gameroom/public/action_channel") as takes:
                assert (await ask(takes, action="register", username="ada", password="x"))["success"]
                status, _, said = await command.end(signal.SIGTERM)
            assert status == 128 + signal.SIGTERM and "Traceback" not in said

    asyncio.run(evening())
    records = {record: record.read_bytes() for record in (tmp_path / "all").iterdir()}
    assert len(records) == 2 and all(verify(data, game).holds == "yes" for data in records.values())
    done = here("host", "colorfight", *words)
    assert done.returncode == 1 and "exists already, and nothing is overwritten" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert {record: record.read_bytes() for record in (tmp_path / "all").iterdir()} == records


def test_a_client_of_protocol_1_plays_in_the_public_room() -> None:
    async def evening() -> None:
        async with hosted("--once") as command, command.channel("/action_channel") as takes:
            assert (await ask(takes, action="register", username="ada", password="x"))["success"]
            words = ("join", f"http://127.0.0.1:{command.port}", "colorfight", "greedy", "--name", "bob")
            joined = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "parlour", *words), stdout=asyncio.subprocess.PIPE, cwd=ROOT, env=ENVIRONMENT
            )
            result = await command.result()
            assert result["players"] == ["ada", "bob"] and result["void"] is None and len(result["faults"]) == 2
            told, _ = await joined.communicate()
            assert joined.returncode == 0 and b"bob" in told
            status, _, said = await command.left()
            assert status == 0 and "Traceback" not in said

    asyncio.run(evening())


def test_a_bot_that_cannot_be_started_ends_the_command() -> None:
    done = here("host", "colorfight", "exec:/no/such/program")
    assert done.returncode == 1 and done.stdout == ""
    assert "cannot start '/no/such/program'" in done.stderr.splitlines()[-1] and "Traceback" not in done.stderr


def test_built_in_bots_play_from_the_first_round(tmp_path: Path) -> None:
    words = [word for setting in ("max_turn=2", "round_time=0.1", "first_round_time=0") for word in ("--set", setting)]
    record = tmp_path / "game.jsonl"
    done = here("host", "colorfight", "greedy", "random", "--once", "--record", str(record), *words)
    assert done.returncode == 0 and json.loads(done.stdout)["players"] == ["greedy", "random"]
    first_round = record.read_text().partition('"Close"')[0]
    assert first_round.count('"Join"') == 2


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("max_turn=0", "--set max_turn=0: max_turn has an invalid value; allowed: 1 to 10000 (default: 500)"),
        ("round_time=0", "--set: round_time is at least 0.01 s in a room, whose rounds are closed by its clock"),
        ("width=1", "--set width=1: width has an invalid value; allowed: 2 to 200 (default: 30)"),
        ("finish_time=61", "--set: finish_time has an invalid value; allowed: 0 to 60 (default: 20.0)"),
        (
            "first_round_time=soon",
            "--set: first_round_time has an invalid value; allowed: 0 to 60, full, never (default: 10.0)",
        ),
        ("max_player=3", "--set: max_player has an invalid value; allowed: 2, 4, 8 (default: null)"),
    ],
)
def test_settings_that_cannot_be(setting: str, words: str) -> None:
    assert mistake_here("host", "colorfight", "--set", setting) == words


def test_a_port_that_is_taken_is_one_line_and_leaves_no_record(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = mistake_here("host", "colorfight", "--port", str(port), "--record", str(tmp_path / "all"))
    assert f"port {port} on 127.0.0.1 is in use" in said
    assert [*(tmp_path / "all").iterdir()] == []


@pytest.mark.parametrize("flag", ["--seats", "--limit", "--observe", "--spectate"])
def test_options_of_tables_are_not_for_rooms(flag: str) -> None:
    assert mistake_here("host", "colorfight", flag, "3").startswith(f"{flag}: this is for tables")
