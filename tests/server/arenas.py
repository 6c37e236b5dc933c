"""An arena for tests: a store in a file, a server on ports of its own, and clients that come and go."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import update
from websockets.asyncio.client import ClientConnection, connect

from parlour.games import game
from parlour.referee.replay import Verdict, verify
from parlour.server.accounts import Doorkeeper, hash_of
from parlour.server.main import Serving, served
from parlour.server.settings import Settings
from parlour.store.schema import tokens
from parlour.store.store import Store
from parlour.venues.colorfight.arena_rooms import OpenRooms
from parlour.venues.colorfight.rooms import Rooms
from parlour.venues.colorfight.settings import RoomSettings
from parlour.venues.tradecraft.settings import HallSettings
from tests.players.clients import run
from tests.store.stored import executed
from tests.turned import SOON_S

T = TypeVar("T")

SECTIONS = {"colorfight": RoomSettings, "tradecraft": HallSettings}
"""The sections of venues in the settings."""
USUAL = {"port": 0, "rooms": 0, "tries_a_minute": 10_000, "requests_a_second": 10_000, "quick_s": 600.0}
"""Settings under which no test exceeds a limit."""


def arena_settings(**told: Any) -> Settings:
    """The settings, given those of the server and of its venues together."""
    sections = {
        name: kind(**{field: told.pop(field) for field in kind.__struct_fields__ if field in told})
        for name, kind in SECTIONS.items()
    }
    return Settings(**{"venues": sections, **told})


class House:
    """An arena whose store lasts over several servers."""

    def __init__(self, folder: Path, page: Path | None = None, /, **settings: Any) -> None:
        """`page`: the folder of a built page; without it, the text page is served."""
        self.url = f"sqlite:///{folder / 'arena.db'}"
        self._page = folder / "no page" if page is None else page
        self._settings = settings

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Hall"]:
        store = await Store.open(self.url)
        try:
            settings = arena_settings(**{"store": self.url, **USUAL, **self._settings})
            async with served(settings, store, page_folder=self._page) as serving, _browser(serving.port) as http:
                yield Hall(serving, store, http, self.url)
        finally:
            await store.close()


class Hall:
    """A server that is up."""

    def __init__(self, serving: Serving, store: Store, http: httpx.AsyncClient, store_url: str = "") -> None:
        self.serving = serving
        self.store = store
        self.http = http
        self.store_url = store_url
        self.url = f"http://127.0.0.1:{serving.port}"

    @property
    def rooms(self) -> Rooms | None:
        """The rooms of ColorfightII, if there are any."""
        venue = self.serving.venues.get("colorfight")
        return venue.rooms if isinstance(venue, OpenRooms) else None

    async def post(self, path: str, token: str | None = None, **body: Any) -> httpx.Response:
        return await self.http.post(f"/api{path}", json=body, headers=_as(token))

    async def get(self, path: str, token: str | None = None) -> httpx.Response:
        return await self.http.get(f"/api{path}", headers=_as(token))

    async def delete(self, path: str, token: str | None = None) -> httpx.Response:
        return await self.http.delete(f"/api{path}", headers=_as(token))

    async def admin(self) -> str:
        """A token that may do anything."""
        await Doorkeeper(self.store).register("admin", "long enough", admin=True)
        token: str = (await self.post("/login", name="admin", password="long enough")).json()["token"]
        return token

    async def guest(self) -> str:
        token: str = (await self.post("/guests")).json()["token"]
        return token

    async def account(self, name: str) -> str:
        """A token of a new account."""
        said = await self.post("/accounts", name=name, password="long enough")
        assert said.status_code == 201, said.text
        token: str = said.json()["token"]
        return token

    async def expire(self, token: str) -> None:
        """Let a token expire."""
        await executed(self.store, update(tokens).where(tokens.c.hash == hash_of(token)).values(expires_ms=1))

    async def put(self, path: str, token: str | None = None) -> httpx.Response:
        return await self.http.put(f"/api{path}", headers=_as(token))

    async def id(self, token: str) -> int:
        """The number of the account."""
        id: int = (await self.get("/me", token)).json()["id"]
        return id

    async def table(self, token: str, game_name: str, *seats: str, **terms: Any) -> dict[str, Any]:
        """Create a table. Seats are open, invited, or names of bots; the time limit is long by default."""
        terms = {"limit_s": 3600, **terms}
        plans = [{"kind": seat} if seat in ("open", "invited") else {"kind": "bot", "spec": seat} for seat in seats]
        said = await self.post("/tables", token, game=game_name, seats=plans, terms=terms)
        assert said.status_code == 201, said.text
        created: dict[str, Any] = said.json()
        return created

    def connect(self, path: str, token: str | None = None) -> connect:
        url = f"ws://127.0.0.1:{self.serving.port}{path}"
        own: dict[str, Any] = {"open_timeout": None, "ping_interval": None, "proxy": None}  # no time but the server's
        return connect(url, max_size=None, max_queue=None, additional_headers=_as(token), **own)

    async def figure(self, name: str, least: float = 1, **labels: str) -> float:
        """Wait until a metric of the server has at least this value."""
        async with asyncio.timeout(SOON_S):
            while True:
                text = (await self.http.get("/metrics")).text
                for family in text_string_to_metric_families(text):
                    for sample in family.samples:
                        if sample.name == name and labels.items() <= sample.labels.items() and sample.value >= least:
                            return sample.value
                await asyncio.sleep(0.02)

    async def over(self, match: str, within_s: float = 60.0) -> dict[str, Any]:
        """The match, once it is over."""
        async with asyncio.timeout(within_s):
            while True:
                info: dict[str, Any] = (await self.get(f"/matches/{match}")).json()
                if info["state"] not in ("open", "running"):
                    return info
                await asyncio.sleep(0.05)

    async def proof(self, match: str) -> Verdict:
        said = await self.get(f"/matches/{match}/transcript")
        assert said.status_code == 200, said.text
        return verify(said.content, game)


class Seat:
    """A client of protocol 1, for which the test decides."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.heard: list[dict[str, Any]] = []

    async def say(self, **message: Any) -> None:
        await self.line.send(json.dumps(message))

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next message of a kind."""
        async with asyncio.timeout(SOON_S):
            while True:
                message: dict[str, Any] = json.loads(await self.line.recv())
                self.heard.append(message)
                if message["type"] == kind:
                    return message

    async def hello(self, name: str, **more: Any) -> None:
        await self.hear("hello")
        await self.say(type="hello", name=name, **more)

    async def first_choice(self) -> None:
        """Answer the next ask with its first choice."""
        asked = await self.hear("ask")
        await self.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0])


def evening(house: House, work: Callable[[Hall], Awaitable[T]]) -> T:
    """Run some work with an open house; returns its result."""

    async def opened() -> T:
        async with house.open() as hall:
            return await work(hall)

    found: T = run(opened())
    return found


def _browser(port: int) -> httpx.AsyncClient:
    """An HTTP client without timeouts, and with a new connection for each request, so that a turned clock ends none."""
    each = httpx.Limits(max_keepalive_connections=0)
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=None, limits=each)


def _as(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}
