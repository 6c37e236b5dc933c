"""`parlour mcp`: a desktop agent starts it, and plays without a server or on an arena."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import Client, StdioServerParameters

from tests.cli.served import Served
from tests.cli.test_commands import ENVIRONMENT, ROOT
from tests.here import mistake_here as refused
from tests.server.agents import Agent
from tests.server.test_mcp_games import SETTINGS

COMMAND = [sys.executable, "-m", "parlour", "mcp"]


@asynccontextmanager
async def desktop_agent(*words: str, mode: str = "auto") -> AsyncIterator[Agent]:
    """An agent that starts the command."""
    [program, *rest] = COMMAND
    server = StdioServerParameters(command=program, args=[*rest, *words], env={**ENVIRONMENT}, cwd=ROOT)
    async with Client(server, mode=mode) as client:
        yield Agent(client)


def test_an_agent_plays_against_bots_without_a_server() -> None:
    async def work() -> None:
        async with desktop_agent("--name", "Ada", mode="legacy") as ada:
            await ada.sit(game="For Sale")
            assert ada.seat.startswith("forsale/") and "parlour_" not in ada.seat
            facts = await ada.turn()
            assert facts["left_s"] > 600 and facts["players"][facts["your_seat"]].startswith("Ada")
            assert (await ada.play())["ranks"]
            assert await ada.fails("sit", game="chess") == "no_such_game"

    asyncio.run(work())


def test_an_agent_plays_on_an_arena_that_is_restarted(tmp_path: Path) -> None:
    arena = Served(tmp_path, SETTINGS)
    token = arena.token("host", "play", "host")

    async def work() -> None:
        async with desktop_agent(arena.url, "--token", token) as ada:
            await ada.sit(game="forsale")
            first = await ada.turn()
            arena.kill()
            assert await ada.fails("wait") == "unreachable"
            await asyncio.to_thread(arena.start)
            again = await ada.turn()
            assert (again["seat"], again["ask"]) == (first["seat"], first["ask"])
            over = await ada.play()
            assert "host" in over["players"]
            [rules, *_] = (await ada.client.list_resources()).resources
            assert (await ada.client.read_resource(str(rules.uri))).contents

    arena.start()
    try:
        asyncio.run(work())
        assert refused("mcp", arena.url, "--token", "junk") == f"{arena.url}: a valid token is needed"
    finally:
        arena.kill()
    assert refused("mcp", arena.url).startswith(f"{arena.url}: ")


def test_mistakes() -> None:
    assert refused("mcp", "--token", "x") == "--token: a token is for an arena; give its URL, too"
    assert refused("mcp", "ftp://x").startswith("ftp://x: an arena's address is written as")
    assert refused("mcp", "--name", "a\tb").startswith("--name: ")


def test_the_command_ends_with_its_input_and_at_a_signal() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, env={**ENVIRONMENT}, cwd=ROOT) as process:
        assert process.stderr is not None and process.stdin is not None
        assert process.stderr.readline().startswith(b"Watch or join at http://127.0.0.1:")
        process.stdin.write(b"{}\n\xff\n" + b"x" * 400_000 + b"\n{}\n" * 50)
        process.stdin.flush()
        os.kill(process.pid, signal.SIGTERM)
        status = process.wait(60)
        assert (status, process.stderr.read()) == (128 + signal.SIGTERM, b"")
    done = subprocess.run(COMMAND, input=b"", capture_output=True, env={**ENVIRONMENT}, cwd=ROOT)
    assert done.returncode == 0 and b"Traceback" not in done.stderr


def test_an_agent_that_reads_no_more_has_ended() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, env={**ENVIRONMENT}, cwd=ROOT) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert process.wait(60) == 0 and b"Traceback" not in process.stderr.read()


def test_input_may_be_a_file_or_nothing(tmp_path: Path) -> None:
    ping = tmp_path / "ping.jsonl"
    ping.write_text('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    for path, answer in (ping, {"jsonrpc": "2.0", "id": 1, "result": {}}), (Path(os.devnull), None):
        with path.open() as stdin:
            done = subprocess.run(COMMAND, stdin=stdin, capture_output=True, env={**ENVIRONMENT}, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        assert [json.loads(line) for line in done.stdout.splitlines()] == ([] if answer is None else [answer])
