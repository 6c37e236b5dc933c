"""An arena for tests: a store in a file, a server on ports of its own, and clients that come and go."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from parlour.games import game
from parlour.referee.replay import Verdict, verify
from parlour.server.serve import Serving, served
from parlour.server.settings import Settings
from parlour.store.store import Store


class House:
    """What is kept outlives any one server."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.url = f"sqlite:///{folder / 'arena.db'}"
        self._settings = settings

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Hall"]:
        store = await Store.open(self.url)
        try:
            settings = Settings(port=0, store=self.url, **{"tries_a_minute": 10_000, **self._settings})
            async with (
                served(settings, store) as serving,
                httpx.AsyncClient(base_url=f"http://127.0.0.1:{serving.port}") as http,
            ):
                yield Hall(serving, store, http)
        finally:
            await store.close()


class Hall:
    """A server that is up."""

    def __init__(self, serving: Serving, store: Store, http: httpx.AsyncClient) -> None:
        self.serving = serving
        self.store = store
        self.http = http
        self.url = f"http://127.0.0.1:{serving.port}"

    async def post(self, path: str, token: str | None = None, **body: Any) -> httpx.Response:
        return await self.http.post(f"/api{path}", json=body, headers=_as(token))

    async def get(self, path: str, token: str | None = None) -> httpx.Response:
        return await self.http.get(f"/api{path}", headers=_as(token))

    async def account(self, name: str) -> str:
        """A token of a new account."""
        said = await self.post("/accounts", name=name, password="long enough")
        assert said.status_code == 201, said.text
        token: str = said.json()["token"]
        return token

    async def table(self, token: str, game_name: str, *seats: str, **terms: Any) -> dict[str, Any]:
        """Seats as words: open, invited, or the name of a bot."""
        plans = [{"kind": seat} if seat in ("open", "invited") else {"kind": "bot", "spec": seat} for seat in seats]
        said = await self.post("/tables", token, game=game_name, seats=plans, terms=terms)
        assert said.status_code == 201, said.text
        created: dict[str, Any] = said.json()
        return created

    def connect(self, path: str) -> connect:
        return connect(f"ws://127.0.0.1:{self.serving.port}{path}", max_size=None)

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
    """A client of protocol 1 who decides nothing by itself."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.heard: list[dict[str, Any]] = []

    async def say(self, **message: Any) -> None:
        await self.line.send(json.dumps(message))

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next message of a kind."""
        async with asyncio.timeout(30):
            while True:
                message: dict[str, Any] = json.loads(await self.line.recv())
                self.heard.append(message)
                if message["type"] == kind:
                    return message

    async def hello(self, name: str, **more: Any) -> None:
        await self.hear("hello")
        await self.say(type="hello", name=name, **more)

    async def first_choice(self) -> None:
        """Answer the next ask with the first that is possible."""
        asked = await self.hear("ask")
        await self.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0])


def _as(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}
