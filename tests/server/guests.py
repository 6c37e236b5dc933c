"""A tradeCraft server with all its protocols, and a client for each of them."""

import asyncio
import logging
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import httpx
import socketio
from aiohttp import ClientSession, CookieJar
from websockets.asyncio.client import ClientConnection, connect

from parlour.games import game
from parlour.games.tradecraft.values import Problem
from parlour.players.terms import Terms
from parlour.referee.transcript import Limits
from parlour.venues.tradecraft.hall import hall_name
from parlour.venues.tradecraft.open_halls import OpenHalls
from tests.games.tradecraft.tables import problem
from tests.players.house import House
from tests.server.liners import Liner, TcpLiner
from tests.turned import SOON_S, until

TRADECRAFT = game("tradecraft")
HALL = hall_name(2)
TWO = problem("2 coal 1 dirt", "3 stick", targets=["4 torch"], max_turn=4)
"""The first player wants torches, and has no sticks."""
THREE = problem("2 coal 1 dirt", "3 stick", "1 gold_ingot", targets=["4 torch"], max_turn=2)


class Log(logging.Handler):
    """All log entries of warnings and errors."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.endswith(".client"):  # which is that of our guests
            self.said.append(self.format(record))

    def __enter__(self) -> "Log":
        for name in ("", "uvicorn"):  # which keeps its own to itself
            logging.getLogger(name).addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        for name in ("", "uvicorn"):
            logging.getLogger(name).removeHandler(self)


class Inn(House):
    """A tradeCraft host. At its end, nothing may have been logged, and no task may be left."""

    def __init__(
        self,
        start: Problem = TWO,
        bots: Sequence[str] = (),
        *,
        limit_s: float = 180.0,
        return_s: float = 300.0,
        halls: Sequence[str] = (),
    ) -> None:
        """`halls` are other names of the hall; a hall may have several."""
        terms = Terms(game=TRADECRAFT, start=start, limits=Limits(round(1000 * limit_s)), handshake_s=30.0)
        super().__init__(terms, len(start.hands), bots, return_s=return_s)
        self._names = halls or (hall_name(self.seats),)
        self.log = Log()
        self._sockets: list[ClientConnection] = []
        self._guests: list[Guest] = []

    async def __aenter__(self) -> "Inn":
        self._opened = self.open()
        await self._opened.__aenter__()
        venue = self.serving.venues["tradecraft"]
        assert isinstance(venue, OpenHalls)
        self.halls = venue._halls
        [hall] = self.halls._halls.values()
        self.halls._halls = dict.fromkeys(self._names, hall)
        self.log.__enter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, e: object, trace: TracebackType | None) -> None:
        try:
            async with asyncio.timeout(SOON_S):
                await self._opened.__aexit__(None, None, None)
                for socket in self._sockets:
                    await socket.close()
                for guest in self._guests:
                    await guest.leave()
            if kind is None:
                await until(lambda: not _ours())
                assert self.log.said == []
        finally:
            self.log.__exit__()

    # Those who come

    async def guest(self, **more: Any) -> "Guest":
        """A Socket.IO client that has only connected."""
        guest = Guest()
        self._guests.append(guest)
        await guest.connect(self.web, **more)
        return guest

    async def user(self, name: str, **more: Any) -> "Guest":
        """A Socket.IO client that has logged in."""
        guest = await self.guest(**more)
        await guest.login(name)
        return guest

    async def player(self, name: str, hall: str | None = None, **more: Any) -> "Guest":
        """A Socket.IO client that is in a hall and ready."""
        guest = await self.user(name, **more)
        await guest.ready(hall or self._names[0])
        return guest

    async def back(self, guest: "Guest", **more: Any) -> "Guest":
        """Connect the same user again."""
        again = await self.guest(**more)
        await again.says("restored_proof", _username=guest.name, _token=guest.token)
        welcome = await again.hears("login_success")
        assert (welcome["status_code"], welcome["username"], welcome["token"]) == (1, guest.name, guest.token)
        again.name, again.token = guest.name, guest.token
        return again

    async def socket(self, path: str = "/ws", **more: Any) -> ClientConnection:
        options = {"max_size": None, "compression": None, "ping_interval": None, "close_timeout": 0.1, **more}
        socket = await connect(f"ws://127.0.0.1:{self.web}{path}", open_timeout=SOON_S, proxy=None, **options)
        self._sockets.append(socket)
        return socket

    async def liner(self, name: str, **more: Any) -> "Liner":
        """A client with lines over WebSocket, which sends this name or token."""
        liner = Liner(await self.socket())
        await liner.says("login", username=name, **more)
        return liner

    async def raw(self, transport: str = "websocket") -> ClientConnection:
        """A WebSocket of Socket.IO, on which a test may send anything."""
        socket = await self.socket(f"/socket.io/?EIO=4&transport={transport}")
        await socket.recv()
        return socket

    async def call(self, method: str, query: str = "", **more: Any) -> httpx.Response:
        """A request of long polling."""
        url = f"http://127.0.0.1:{self.web}/socket.io/?EIO=4&transport=polling{query}"
        async with httpx.AsyncClient(verify=False, trust_env=False, timeout=SOON_S) as client:
            return await client.request(method, url, **more)


def _ours() -> list["asyncio.Task[Any]"]:
    """Tasks besides the test's own, without those of the library that end by themselves."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    return [task for task in others if task is not None and "_send_ping" not in repr(task)]


class Guest:
    """A Socket.IO client that keeps all events. It looks for an event after the last one that it found."""

    def __init__(self) -> None:
        self.io = socketio.AsyncClient(reconnection=False, handle_sigint=False)
        self.io.on("*", self._hear)
        self.heard: list[tuple[str, Any]] = []
        self.name = ""
        self.token = ""
        self._read = 0

    def _hear(self, event: str, body: Any = None) -> None:
        self.heard.append((event, body))

    async def connect(self, port: int, jar: CookieJar | None = None, **more: Any) -> None:
        """Connect, with the cookies of a browser if there are any."""
        if jar is not None:
            self.io.eio.http = ClientSession(cookie_jar=jar)
        options = {"transports": ["websocket"], "wait_timeout": SOON_S, **more}
        await self.io.connect(f"http://127.0.0.1:{port}", **options)
        await self.hears("restored_proof_requested")

    async def says(self, event: str, *bodies: Any, **body: Any) -> None:
        await self.io.emit(event, bodies or body)

    async def plays(self, event: str, **body: Any) -> None:
        """Send an event of a player with the fields that all of these have."""
        await self.says(f"player__{event}", {"token": self.token, "gamename": "any", **body})

    async def hears(self, event: str, **fields: Any) -> Any:
        """The next event of this name with these fields."""
        name = f"server__{event}"

        def found() -> int | None:
            for place, (event, body) in enumerate(self.heard[self._read :], start=self._read):
                if event == name and all(body.get(key) == value for key, value in fields.items()):
                    return place
            return None

        try:
            await until(lambda: found() is not None)
        except TimeoutError:
            raise AssertionError(f"no {name} {fields} in {self.heard[self._read :]}") from None
        place = found()
        assert place is not None
        self._read = place + 1
        return self.heard[place][1]

    def told(self, event: str) -> list[Any]:
        """All of that name, read or not."""
        return [body for name, body in self.heard if name == f"server__{event}"]

    async def login(self, name: str) -> Any:
        await self.says("login", username=name)
        welcome = await self.hears("login_success")
        self.name, self.token = welcome["username"], welcome["token"]
        return welcome

    async def ready(self, hall: str = HALL) -> None:
        await self.says("enter_hall", _token=self.token, _hallname=hall)
        await self.hears("player_enter_room", playername=self.name)
        await self.plays("ready_to_start")
        await self.hears("player_ready_to_start", username=self.name)

    async def drop(self) -> None:
        """Lose the connection without a word."""
        http = self.io.eio.http
        for connection in [*http.connector._acquired]:
            connection.transport.abort()
        await until(lambda: not self.io.connected)

    async def leave(self) -> None:
        await self.io.disconnect()
        if (queue := self.io.eio.queue) is not None:
            await queue.put(None)  # or what waits for something to send goes on to wait
        if (http := self.io.eio.http) is not None:
            await http.close()


async def line(inn: Inn, way: str, name: str, **more: Any) -> Liner:
    """Connect over this transport, and send this name or token."""
    return await (inn.liner(name, **more) if way == "WebSocket" else TcpLiner.sits(inn.port, name, **more))
