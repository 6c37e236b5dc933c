"""A room whose server is killed: all acknowledged lists and all users are there after the restart."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from parlour.games import game
from parlour.store.check import check
from parlour.store.store import Store
from tests.ports import free_row
from tests.server.visitors import Actor
from tests.store.postgres import new_database

pytestmark = pytest.mark.timeout(300)  # a server is started three times, on a machine that may be busy

ROOT = Path(__file__).parents[2]
UP_WITHIN_S = 60.0
LISTS = 25
"""How many lists are accepted before the server is killed."""
ROOM = {"gameroom_id": "r", "config": "test-run", "admin_password": "own", "join_key": "friend"}


class Server:
    """A process that is killed, and started again on the same port and the same store."""

    def __init__(self, settings: Path, url: str) -> None:
        self.port = free_row()
        settings.write_text("log = 'off'\nlisteners = {}\n[venues.colorfight]\nrooms = 2\n")
        self._command = [sys.executable, "-m", "parlour", "serve", "--settings", str(settings), "--store", url]
        self._command += ["--port", str(self.port)]

    async def start(self) -> None:
        nowhere = subprocess.DEVNULL
        self._process = subprocess.Popen(self._command, cwd=ROOT, stdout=nowhere, stderr=nowhere)
        end = time.monotonic() + UP_WITHIN_S
        while not await self._answers():
            assert self._process.poll() is None and time.monotonic() < end, "the server did not start"
            await asyncio.sleep(0.05)

    async def _answers(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        return True

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    async def post(self, path: str, **said: Any) -> None:
        async with httpx.AsyncClient(trust_env=False, timeout=60) as client:
            reply = await client.post(f"http://127.0.0.1:{self.port}{path}", json=said)
        assert reply.json() == {"success": True}

    async def guess(self) -> dict[str, Any]:
        async with connect(f"ws://127.0.0.1:{self.port}/gameroom/r/action_channel", proxy=None) as line:
            return await Actor(line).register("ada", "guess", join_key="friend")


async def play(server: Server, first: int) -> list[str]:
    """Send lists until the server is killed; returns the accepted ones."""
    taken: list[str] = []
    async with connect(f"ws://127.0.0.1:{server.port}/gameroom/r/action_channel", proxy=None) as line:
        actor = Actor(line)
        reply = await actor.register("ada", join_key="friend")
        assert reply == {"success": True, "uid": 1}
        kills: asyncio.TimerHandle | None = None
        for number in range(first, first + 10_000):
            if len(taken) == LISTS and kills is None:
                kills = asyncio.get_running_loop().call_later(0.003, server.kill)
            try:
                if (await actor.command(f"list {number}"))["success"]:
                    taken.append(f'"list {number}"')
                else:
                    await asyncio.sleep(0.02)  # until the next round
            except ConnectionClosed:
                return taken
    raise AssertionError("the server was to be killed")


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_nothing_is_lost_when_the_server_is_killed(database: str, tmp_path: Path) -> None:
    url = new_database() if database == "postgresql" else f"sqlite:///{tmp_path / 'rooms.db'}"
    server = Server(tmp_path / "settings.toml", url)

    async def work() -> None:
        await server.start()
        await server.post("/creategameroom", **ROOM)
        taken = await play(server, 0)
        await server.start()
        taken += await play(server, 20_000)
        await server.start()
        assert await server.guess() == {"success": False, "err_msg": "Username exists"}
        await server.post("/deletegameroom", gameroom_id="r", admin_password="own")
        server.kill()
        await look(url, taken)

    try:
        asyncio.run(work())
    finally:
        server.kill()


async def look(url: str, taken: list[str]) -> None:
    """Check the store after a kill."""
    store = await Store.open(url)
    try:
        assert len(taken) >= 2 * LISTS and [room.name for room in await store.rooms()] == ["public"]
        matches = {match.state: match for match in await store.matches()}
        assert sorted(matches) == ["over", "running"], "the game of the room, and the public one's"
        for match in matches.values():
            assert await check(store, match, game) == []
        lines = b"".join(await store.lines(matches["over"].id)).decode()
        assert [words for words in taken if words not in lines] == []
    finally:
        await store.close()
