"""Rooms of ColorfightII on a server of their own, and clients that connect to it. The clock is turned by hand."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from parlour.games import game
from parlour.games.colorfight.values import Options
from parlour.players.player_specs import Spec
from parlour.players.terms import Terms
from parlour.referee.log import ImmediateLog, MemoryLog
from parlour.referee.match import Match
from parlour.referee.replay import verify
from parlour.server.api.app import new_app
from parlour.server.net.attempts import Attempts
from parlour.server.net.ports import listening
from parlour.server.net.web_server import serving
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.server.startup import MANY
from parlour.store.match_log import StoredLog
from parlour.store.store import Store
from parlour.tables.arena import Arena
from parlour.tables.house import HousePlan, NextMatch
from parlour.transports.limits import CONNECTIONS
from parlour.venues.colorfight.arena_rooms import kept_rooms
from parlour.venues.colorfight.channels import channels
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_config import Config
from parlour.venues.colorfight.room_game import GAME, RoomGame
from parlour.venues.colorfight.room_keys import Guesses
from parlour.venues.colorfight.rooms import Rooms
from parlour.venues.colorfight.settings import RoomSettings
from tests.players.test_calls import command, register
from tests.turned import SOON_S, turn, until

ROOT = ""
"""Where the channels of the source text are."""
PUBLIC = "/gameroom/public"
BOTH = (ROOT, PUBLIC)
both = pytest.mark.parametrize("where", BOTH, ids=("root", "room"))
LONG_S = 60.0
"""The length of a round and of pauses: nothing happens during a test until it turns the clock."""

NOT_JOINED = "You need to join the game first"
WORD = "open sesame"
"""The password of the administrator of the server."""

SLOW = Config(options=Options(round_time=LONG_S, max_turn=3), first_round_time="never", finish_time=LONG_S)
"""The game waits for a start, has three rounds, and is followed by another one."""


def room(**fields: Any) -> Config:
    """The same config with these fields changed."""
    rules = {name: value for name, value in fields.items() if name in Options.__struct_fields__}
    others = {name: value for name, value in fields.items() if name not in rules}
    return replace(SLOW, options=replace(SLOW.options, **rules), **others)


class Actor:
    """A connection to an action channel."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def ask(self, message: str | bytes) -> dict[str, Any]:
        """Send a message and return the reply."""
        await self.connection.send(message)
        return await self.reply()

    async def reply(self) -> dict[str, Any]:
        async with asyncio.timeout(SOON_S):
            said: dict[str, Any] = json.loads(await self.connection.recv())
        return said

    async def register(self, name: str, password: str = "secret", **more: Any) -> dict[str, Any]:
        return await self.ask(register(name, password, **more))

    async def command(self, *orders: Any) -> dict[str, Any]:
        return await self.ask(command(*orders))


class Viewer:
    """A connection to a game channel."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def frame(self) -> dict[str, Any]:
        """The next frame."""
        async with asyncio.timeout(SOON_S):
            said: dict[str, Any] = json.loads(await self.connection.recv())
        return said

    async def until(self, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The next frame that has this property."""
        while not holds(frame := await self.frame()):
            pass
        return frame

    async def turn(self, turn: int) -> dict[str, Any]:
        return await self.until(lambda frame: frame["turn"] == turn)

    async def shows_nothing(self) -> bool:
        """Whether no frame arrives for a moment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await self.connection.recv()
            return False
        return True


class Log(logging.Handler):
    """All log entries of warnings and errors."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(self.format(record))


class House:
    """A server with rooms. At its end, nothing may have been logged, and no client may be connected."""

    rooms: Rooms
    port: int
    store: Store
    arena: Arena
    connections: int = CONNECTIONS
    """The limit on connections."""

    def __init__(
        self,
        config: Config = SLOW,
        *,
        admin_password: str | None = None,
        tries: Attempts | None = None,
        bots: Sequence[Spec] = (),
    ) -> None:
        self._config = config
        self._section = RoomSettings(admin_password=admin_password)
        self._tries = tries
        self._bots = bots
        self.records: list[list[bytes]] = []
        """The lines of all matches, in the order in which they began."""
        self.new_log: Callable[[list[bytes]], ImmediateLog] = MemoryLog
        self.ended: list[Match[Any]] = []
        self.failures: asyncio.Queue[Exception | None] = asyncio.Queue()
        """What stopped a room."""
        self.log = Log()
        self._clients: list[ClientConnection] = []

    async def __aenter__(self) -> "House":
        self._folder = TemporaryDirectory()
        plan = HousePlan(
            terms=Terms(game=GAME),
            fewest=1,
            most=1,
            new_match=self._new_match,
            ended=lambda played: self.ended.append(played.match),
            failed=self.failures.put_nowait,
        )
        await self._open(Path(self._folder.name) / "host.db", plan)
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addHandler(self.log)
        return self

    async def _open(self, file: Path, plan: HousePlan | None = None) -> None:
        self._before = asyncio.all_tasks()
        self.store = await Store.open(f"sqlite:///{file}")
        self.arena = Arena(self.store, partial(StoredLog, self.store))
        await self.arena.start()
        guesses = Guesses(self._tries)
        self.rooms = await kept_rooms(self.arena, self.store, self._config, self._section, guesses, self._bots, plan)
        settings = Settings(connections=self.connections, connections_per_address=MANY, requests_a_second=MANY)
        app = new_app([channels(self.rooms)])
        self._serving = serving(listening("127.0.0.1", 0), app, settings, Metrics(), lambda path: None)
        self.port = await self._serving.__aenter__()

    async def _close(self) -> None:
        await self._serving.__aexit__(None, None, None)
        for client in self._clients:
            await client.close()
        await self.arena.close()
        await self.store.close()

    async def __aexit__(self, kind: type[BaseException] | None, e: object, trace: TracebackType | None) -> None:
        try:
            async with asyncio.timeout(SOON_S):
                await self.rooms.stop()
                await self._close()
            if kind is None:
                await until(lambda: asyncio.all_tasks() <= self._before)
                assert self.log.said == [] and self.failures.empty()
        finally:
            self._folder.cleanup()
            for name in ("uvicorn.error", "asyncio"):
                logging.getLogger(name).removeHandler(self.log)

    def _new_match(self) -> NextMatch:
        lines: list[bytes] = []
        self.records.append(lines)

        return NextMatch(b"seed %d" % len(self.records), self.new_log(lines))

    # Clients

    async def connect(self, path: str, **more: Any) -> ClientConnection:
        options = {"max_size": None, "compression": None, "ping_interval": None, "proxy": None, **more}
        client = await connect(f"ws://127.0.0.1:{self.port}{path}", open_timeout=SOON_S, **options)
        self._clients.append(client)
        return client

    async def actor(self, where: str = ROOT) -> Actor:
        return Actor(await self.connect(f"{where}/action_channel"))

    async def viewer(self, where: str = ROOT) -> Viewer:
        return Viewer(await self.connect(f"{where}/game_channel"))

    async def player(self, name: str, where: str = ROOT, **more: Any) -> Actor:
        """The action channel of a user that has registered."""
        actor = await self.actor(where)
        reply = await actor.register(name, **more)
        assert reply["success"], reply
        return actor

    async def call(self, method: str, path: str, **more: Any) -> httpx.Response:
        async with httpx.AsyncClient(verify=False, trust_env=False, timeout=SOON_S) as client:
            return await client.request(method, f"http://127.0.0.1:{self.port}{path}", **more)

    async def post(self, path: str, **said: Any) -> dict[str, Any]:
        """The answer to an HTTP call, also if it is an error."""
        response = await self.call("POST", path, json=said)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    async def list(self) -> dict[str, dict[str, Any]]:
        """All rooms that can be found, by name."""
        rooms: list[dict[str, Any]] = (await self.call("GET", "/get_gameroom_list")).json()
        return {room["name"]: room for room in rooms}

    # Rooms

    def room(self, name: str = "public") -> Room:
        room = self.rooms.get(name)
        assert room is not None
        return room

    def game(self, name: str = "public") -> RoomGame:
        game = self.room(name).game
        assert game is not None
        return game

    async def start(self, name: str = "public") -> None:
        """Play the first round."""
        self.room(name).start()
        await until(lambda: self.game(name).state.turn == 1)
        assert await self.game(name).settled(), "the round is stored, whatever happens now"

    async def round(self, name: str = "public") -> None:
        """Turn the clock by the length of a round."""
        game, before = self.game(name), self.game(name).state.turn
        turn(LONG_S)
        await until(lambda: game.state.turn > before)
        assert await game.settled()

    async def next_game(self, name: str = "public") -> RoomGame:
        """Turn the clock by the pause after the game."""
        before = self.game(name)
        await until(lambda: before.match.end is not None)
        while self.game(name) is before:  # that time begins only when nobody has anything to do with the old one
            turn(LONG_S)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await until(lambda: self.game(name) is not before)
        return self.game(name)

    def holds(self, number: int) -> bool:
        """Whether the transcript of a match is complete and verifies."""
        return verify(b"".join(line + b"\n" for line in self.records[number]), game).holds == "yes"


def served(config: Config = SLOW, **more: Any) -> House:
    """A server with a password for starting, restarting and deleting rooms."""
    return House(config, admin_password=WORD, **more)


async def closed(client: ClientConnection) -> int | None:
    """The code in the close frame."""
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(SOON_S):
            while True:
                await client.recv()
    return client.close_code


def refused(words: str) -> dict[str, Any]:
    return {"success": False, "err_msg": words}


NOT_ALLOWED = refused("You are not allowed to do this")
NO_ROOM = refused("No such room")
