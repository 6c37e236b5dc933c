"""Two authors whose bots sit at one table, for tests of what only the owner of a seat may see."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.server.arenas import Hall, Seat
from tests.turned import SOON_S


class Author:
    """An account, and its bot at a table."""

    def __init__(self, hall: Hall, token: str, seat: Seat, table: str) -> None:
        self.hall = hall
        self.token = token
        self.seat = seat
        self.table = table
        self.number = -1
        """Its seat."""

    async def get(self, what: str, table: str | None = None) -> Any:
        """Read a part of the seat's log over the API."""
        said = await self.hall.get(f"/matches/{table or self.table}/{what}", self.token)
        assert said.status_code == 200, said.text
        return said.json()

    async def play(self, **more: Any) -> None:
        """Play the first choice to the end, each with the same additional fields."""
        async with asyncio.timeout(2 * SOON_S):
            while True:
                message = json.loads(await self.seat.line.recv())
                if message["type"] == "ask":
                    action = message["ask"]["choices"][0]
                    await self.seat.say(type="answer", id=message["id"], action=action, **more)
                elif message["type"] == "over":
                    return


@asynccontextmanager
async def seated(hall: Hall, *tokens: str, **hello: Any) -> AsyncIterator[list[Author]]:
    """Accounts at a table of For Sale with a bot of the house. The match has begun."""
    table = (await hall.table(tokens[0], "forsale", *["open"] * len(tokens), *["random"] * (3 - len(tokens))))["table"][
        "id"
    ]
    lines = [hall.connect(f"/play/forsale/{table}") for _ in tokens]
    authors: list[Author] = []
    try:
        for token, line in zip(tokens, lines, strict=True):
            seat = Seat(await line.__aenter__())
            await seat.hear("hello")
            await seat.say(type="hello", token=token, salt="so salty", **hello)
            authors.append(Author(hall, token, seat, table))
        for author in authors:
            author.number = (await author.seat.hear("seat"))["seat"]
        yield authors
    finally:
        for line, _ in zip(lines, authors, strict=False):
            await line.__aexit__(None, None, None)


@asynccontextmanager
async def waiting(hall: Hall, token: str, **hello: Any) -> AsyncIterator[Author]:
    """A bot of an account that waits at a table of For Sale, until it is full."""
    table = (await hall.table(token, "forsale", "open", "open", "random"))["table"]["id"]
    async with hall.connect(f"/play/forsale/{table}") as line:
        seat = Seat(line)
        await seat.hear("hello")
        await seat.say(type="hello", token=token, **hello)
        author = Author(hall, token, seat, table)
        async with asyncio.timeout(SOON_S):
            while table not in [own["match"] for own in (await hall.get("/me/seats", token)).json()["seats"]]:
                await asyncio.sleep(0.005)
        yield author


async def played(hall: Hall, *tokens: str, **more: Any) -> str:
    """A match of these accounts that is over; every answer has these additional fields."""
    async with seated(hall, *tokens) as authors:
        await asyncio.gather(*(author.play(**more) for author in authors))
        await hall.over(authors[0].table)
        return authors[0].table
