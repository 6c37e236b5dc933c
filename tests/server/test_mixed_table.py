"""`parlour host tradecraft` as a command: one table at which clients of every kind sit together."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from parlour.games import game
from parlour.referee.replay import verify
from tests.players.children import HELLO
from tests.players.clients import run
from tests.server.guests import Guest
from tests.server.liners import Liner, TcpLiner
from tests.turned import until

ROOT = Path(__file__).parents[2]
LONG_S = 90.0
"""How long it may take to start a program, on a machine that stalls."""
HALL = "5-player-pool-matching"

CHILD = """
names, me = [], ""
for message in heard():
    kind = message["type"]
    if kind == "game_start":
        names = message["player_list"]
    elif kind == "private_start_info":
        me = message["username"]
    elif kind == "start_proposal" and message["proposer"] == me:
        say({"type": "propose", "partner": names[0], "message": "from a child"})
    elif kind == "proposal":
        say({"type": "decide", "decision": "accept"})
    elif kind in ("proposal_accepted", "proposal_rejected"):
        say({"type": "done_crafting"})
"""


class Command:
    """The process of the command, its ports and its output."""

    def __init__(self, process: asyncio.subprocess.Process, said: list[str]) -> None:
        self.process = process
        self.said = said
        ports = [int(port) for line in said for port in re.findall(r"127\.0\.0\.1:(\d+)", line)]
        self.port, self.web = ports[0], ports[1]

    async def result(self) -> dict[str, Any]:
        """The result of the next match that ends."""
        assert self.process.stdout is not None
        async with asyncio.timeout(LONG_S):
            summary: dict[str, Any] = json.loads(await self.process.stdout.readline())
        return summary

    async def end(self) -> tuple[int | None, str]:
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        async with asyncio.timeout(LONG_S):
            printed, said = await self.process.communicate()
        return self.process.returncode, printed.decode() + said.decode()


@asynccontextmanager
async def hosted(*words: str) -> AsyncIterator[Command]:
    pipe = asyncio.subprocess.PIPE
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
    start = [sys.executable, "-m", "parlour", "host", "tradecraft", "--port", "0", "--web-port", "0", *words]
    process = await asyncio.create_subprocess_exec(*start, stdout=pipe, stderr=pipe, cwd=ROOT, env=environment)
    assert process.stderr is not None
    said: list[str] = []
    try:
        async with asyncio.timeout(LONG_S):
            while not said or "Socket.IO" not in said[-1]:
                said.append((await process.stderr.readline()).decode())
                assert said[-1], said
        yield Command(process, said)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def play_lines(guest: Liner) -> None:
    """Play a game over lines to its end."""
    me, names = "", list[str]()
    while True:
        match await guest.next():
            case {"type": "login_success", "username": username}:
                me = username
            case {"type": "game_start", "player_list": players}:
                names = players
            case {"type": "start_proposal", "proposer": proposer} if proposer == me:
                await guest.says("propose", partner=names[names.index(me) - 1])
            case {"type": "proposal"}:
                await guest.says("decide", decision="accept")
            case {"type": "proposal_accepted" | "proposal_rejected"}:
                await guest.says("done_crafting")
            case {"type": "game_over"}:
                return


async def play_events(guest: Guest) -> None:
    """The same with the events of Socket.IO."""
    names = (await guest.hears("game_start"))["player_list"]
    while True:
        await until(lambda: len(guest.heard) > guest._read)
        event, body = guest.heard[guest._read]
        guest._read += 1
        match event.removeprefix("server__"):
            case "start_proposal" if body["proposer"] == guest.name:
                proposal = {"self": guest.name, "partner": names[-1], "offer": {}, "request": {}}
                await guest.plays("submit_proposal", proposal=proposal, message="hello")
            case "proposal":
                await guest.plays("approval_or_reject", decision="approve", message="yes")
            case "proposal_accepted" | "proposal_rejected":
                await guest.plays("craft_done")
            case "game_over":
                return


async def everybody(command: Command) -> tuple[Guest, Liner, TcpLiner]:
    """A Socket.IO client, one of lines over WebSocket, and one over TCP."""
    page = Guest()
    await page.connect(command.web, transports=["polling", "websocket"])
    await page.login("page")
    await page.ready(HALL)
    socket = Liner(await connect(f"ws://127.0.0.1:{command.web}/ws", proxy=None, ping_interval=None))
    await socket.says("login", username="socket")
    plain = await TcpLiner.sits(command.port, "plain")
    return page, socket, plain


def test_clients_of_every_kind_play_at_one_table_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    hands = [{"coal": 1}, {"stick": 2}, {"dirt": 3}, {"flint": 4}, {"feather": 5}]
    (tmp_path / "problem.json").write_text(json.dumps({"hands": hands, "targets": [{"beacon": 1}] * 5, "max_turn": 5}))
    (tmp_path / "child.py").write_text(HELLO + CHILD)
    child = f"exec+tradecraft:{sys.executable} {tmp_path / 'child.py'}"
    words = ["--seats", "5", "--state", str(tmp_path / "problem.json"), "--record", str(tmp_path / "all")]

    async def evening() -> None:
        async with hosted(child, "random", *words) as command:
            assert HALL in command.said[-1] and "/ws" in command.said[-2]
            page, socket, plain = await everybody(command)
            await asyncio.gather(play_events(page), play_lines(socket), play_lines(plain))
            result = await command.result()
            assert (
                sorted(result["players"]) == ["child", "page", "plain", "random", "socket"] and result["void"] is None
            )
            tokens = [page.token, socket.heard[0]["token"], plain.heard[0]["token"]]
            second = await everybody_again(command, page)
            status, said = await command.end()
            assert status == 130, said
            assert "Traceback" not in said and "ERROR" not in said, said
            tokens += [guest.heard[0]["token"] for guest in second]
            everything = (
                said + "".join(command.said) + "".join(path.read_text() for path in (tmp_path / "all").iterdir())
            )
            assert not any(token in everything for token in tokens)
            await page.leave()

    async def everybody_again(command: Command, page: Guest) -> tuple[Liner, TcpLiner]:
        """Begin another match, which does not end by itself."""
        await page.ready(HALL)
        socket = Liner(await connect(f"ws://127.0.0.1:{command.web}/ws", proxy=None, ping_interval=None))
        await socket.says("login", username="socket")
        plain = await TcpLiner.sits(command.port, "plain")
        await page.hears("game_start")
        for guest in (socket, plain):
            await guest.hears("game_start")
        return socket, plain

    run(evening())
    records = sorted((tmp_path / "all").glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    assert [verify(record.read_bytes(), game).holds for record in records] == ["yes", "so far"]
