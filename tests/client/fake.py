"""An arena that says what a test wants, connection by connection."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from parlour.core import Asked, Hello, Over, Result, Sitting
from parlour.games import game
from parlour.protocol.v1 import V1
from parlour.referee.match import Match
from parlour.referee.player import place_of
from parlour.referee.transcript import header

SEED = bytes(32)


class Opening:
    """The first ask of a match of For Sale, as messages of protocol 1."""

    def __init__(self, name: str = "forsale", players: int = 3) -> None:
        self.rules = game(name)
        self.match: Match[Any] = Match(
            self.rules, header(self.rules, [Sitting(f"p{n}") for n in range(players)], SEED), SEED
        )
        out = self.match.begin(0.0)
        self._asked = next(notice for notice in out.notices if isinstance(notice, Asked))
        self._wire = V1(self.rules)
        self.wanted: list[dict[str, Any]] = []

    @property
    def id(self) -> str:
        return self.match.header.match

    def hello(self, commit: str = "c0", version: int | None = None) -> str:
        told = Hello("forsale", self.rules.rules.version if version is None else version, commit, True, 0)
        return self._wire.hello(told)[0].decode()

    def seat(self) -> str:
        self._wire.token = "given"
        seat = self._asked.seat
        return self._wire.began(place_of(self.match, seat), self.match.state.view(seat))[0].decode()

    def ask(self, n: int = 1, attempt: int = 1) -> str:
        told = Asked(self._asked.seat, n, self._asked.ask, attempt, None, None, None, None)
        return self._wire.asked(told, self.match.state.view(self._asked.seat))[0].decode()

    def over(self) -> str:
        end = Result((1,) * len(self.match.names), (1,) * len(self.match.names))
        return self._wire.over(Over(end, "0" * 64), self.match.state.view(0))[0].decode()


Visit = Callable[["Line"], Awaitable[None]]


class Line:
    """The arena's end of one connection."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        request = connection.request
        self.path = "" if request is None else request.path

    async def say(self, *messages: str) -> None:
        for message in messages:
            await self._connection.send(message)

    async def hear(self) -> dict[str, Any]:
        heard: dict[str, Any] = json.loads(await self._connection.recv())
        return heard


class Fake:
    """What came of it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.came = 0


@asynccontextmanager
async def arena(visits: Sequence[Visit | int]) -> AsyncIterator[Fake]:
    """One visit after the other, each ending with its connection; a number is a refusal over HTTP."""
    left = [*visits]

    def refuse(connection: ServerConnection, request: Request) -> Response | None:
        fake.came += 1
        return connection.respond(visit, "no\n") if left and isinstance(visit := left[0], int) and left.pop(0) else None

    async def handle(connection: ServerConnection) -> None:
        visit = left.pop(0)
        assert not isinstance(visit, int)
        await visit(Line(connection))

    async with serve(handle, "127.0.0.1", 0, process_request=refuse) as server:
        fake = Fake(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        yield fake
