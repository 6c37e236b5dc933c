"""Rooms of ColorfightII with a store: a server that may be killed at any moment, and started again."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from parlour.games import game
from parlour.players.remote import RemotePlayer
from parlour.protocol.records import StoredMatch
from parlour.protocol.v1 import V1
from parlour.store.backup import back_up
from parlour.store.check import check
from parlour.transports.peer import Peer
from parlour.venues.colorfight.room_config import Config
from parlour.venues.colorfight.room_game import GAME
from tests.server.visitors import SLOW, WORD, House
from tests.turned import SOON_S, until


class KeptHouse(House):
    """At its end, its games are parked."""

    def __init__(self, file: Path, config: Config = SLOW, **more: Any) -> None:
        super().__init__(config, admin_password=WORD, **more)
        self.file = file
        self._left = False

    async def __aenter__(self) -> "KeptHouse":
        await self._open(self.file)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, e: object, trace: TracebackType | None) -> None:
        if not self._left:
            await self._leave()
        if kind is None:
            await until(lambda: asyncio.all_tasks() <= self._before)

    async def _leave(self) -> None:
        self._left = True
        async with asyncio.timeout(SOON_S):
            await self.rooms.stop()
            await self._close()

    @asynccontextmanager
    async def burnt_down(self, config: Config = SLOW, **more: Any) -> AsyncIterator["KeptHouse"]:
        """A new server on a copy of the store as it is now, as after a kill."""
        file = self.file.with_name(f"{self.file.stem}_.db")
        back_up(self.file, file)
        await self._leave()
        async with KeptHouse(file, config, **more) as again:
            yield again

    async def kept(self, id: str) -> StoredMatch:
        """A match as it is stored, which must hold."""
        stored = await self.store.match(id)
        assert stored is not None and await check(self.store, stored, game) == []
        return stored

    async def over(self, id: str) -> StoredMatch:
        """The same, once it is over."""
        async with asyncio.timeout(SOON_S):
            while (stored := await self.store.match(id)) is None or stored.state == "running":
                await asyncio.sleep(0.005)
        return await self.kept(id)


class Line(Peer):
    """The connection of a client of protocol 1: keeps its messages, and can send some."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[dict[str, Any]] = []
        self.closed = False
        self.player = RemotePlayer(self, V1(GAME))

    def send(self, messages: Iterable[bytes]) -> None:
        self.heard += [json.loads(message) for message in messages]

    async def close(self) -> None:
        self.closed = True

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.heard]

    def answer(self, *orders: str) -> None:
        """Answer the last ask with these orders."""
        asked = next(message for message in reversed(self.heard) if message["type"] == "ask")
        action = {"type": "Command", "orders": orders}
        self.receive(json.dumps({"type": "answer", "id": asked["id"], "action": action}).encode())
