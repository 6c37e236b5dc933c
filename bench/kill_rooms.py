"""A room of ColorfightII in the kill soak: users of its channels, and a player of protocol 1 who comes back each time.

A list of orders is acknowledged by the channel itself, so each user knows for certain what must be kept.
"""

import asyncio
import contextlib
import itertools
import json
from collections.abc import Awaitable, Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from parlour.client import Client, Refused
from parlour.games import game
from parlour.store.store import Store

ROOM = "soak"
WORD = "the soak's own"
AGAIN_S = 0.1
"""The pause before a client tries again that got no answer, or was refused for the moment."""
GONE = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError)


class User:
    """Registers, sends lists of orders that are its own, and remembers those that were taken."""

    def __init__(self, name: str, answered: Callable[[], None]) -> None:
        self.name = name
        self.taken: list[str] = []
        self.uids: set[int] = set()
        self._answered = answered
        self._numbers = itertools.count()

    async def play(self, url: str, ended: Callable[[], bool]) -> None:
        """Until there is no room any more, over as many connections as it takes."""
        while not ended():
            with contextlib.suppress(*GONE):
                async with connect(f"{url}/gameroom/{ROOM}/action_channel", proxy=None, open_timeout=5) as line:
                    await self._talk(line, ended)
            await asyncio.sleep(AGAIN_S)

    async def _talk(self, line: ClientConnection, ended: Callable[[], bool]) -> None:
        while not ended():
            reply = await _ask(line, action="register", username=self.name, password=f"{self.name}'s own")
            while reply["success"] and not ended():
                words = f"{self.name} {next(self._numbers)}"
                reply = await _ask(line, action="command", cmd_list=[words])
                if reply["success"]:
                    self.taken.append(words)
                    self._answered()
                await asyncio.sleep(AGAIN_S)  # ten lists a round are the most
            await asyncio.sleep(AGAIN_S)


async def _ask(line: ClientConnection, **said: Any) -> dict[str, Any]:
    await line.send(json.dumps(said))
    async with asyncio.timeout(30):
        reply: dict[str, Any] = json.loads(await line.recv())
    return reply


class RoomSoak:
    """A room, made over HTTP and deleted at the end, which ends its last game."""

    def __init__(self, url: str, call: Callable[..., Awaitable[Any]], answered: Callable[[], None]) -> None:
        self._url = url
        self._call = call
        """Posts to the server until it answers."""
        self._users = [User(name, answered) for name in ("ada", "bob")]
        self._closed = False
        self.troubles: list[str] = []

    async def run(self) -> None:
        await self._call("/creategameroom", gameroom_id=ROOM, config="test-run", admin_password=WORD)
        socket = self._url.replace("http", "ws", 1)
        users = [user.play(socket, lambda: self._closed) for user in self._users]
        await asyncio.gather(*users, self._play_ours())

    async def close(self) -> None:
        """Done twice, if the first answer was lost."""
        self._closed = True
        await self._call("/deletegameroom", gameroom_id=ROOM, admin_password=WORD)

    async def _play_ours(self) -> None:
        """Play one game after the other over protocol 1, each as a new guest."""
        while not self._closed:
            try:
                await Client(self._url, name="v1").play_async(
                    "colorfight", game("colorfight").hosting.bots["greedy"], table=ROOM
                )
            except Refused as e:
                if e.code not in ("not_admitted", "no_such_table", "dead"):  # not now, or not any more
                    self.troubles.append(f"room: a player was refused: {e.code}: {e}")
            await asyncio.sleep(AGAIN_S)

    async def look(self, store: Store) -> tuple[int, list[str]]:
        """How many lists were acknowledged, and what is missing."""
        kept = set[str]()
        for match in await store.matches(game="colorfight", limit=1000):
            for line in await store.lines(match.id):
                kept |= {words for words in line.decode().split('"') if words.startswith(("ada ", "bob "))}
        taken = [words for user in self._users for words in user.taken]
        return len(taken), [
            *self.troubles,
            *[f"the list {words!r} was taken and is not kept" for words in taken if words not in kept],
        ]
