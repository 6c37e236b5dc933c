"""Leagues in tests: opened by an administrator, with a deadline that is near."""

import asyncio
from collections.abc import Callable
from typing import Any

from parlour.client import Client
from parlour.games import game
from parlour.protocol.records import now_ms
from tests.server.arenas import Hall
from tests.turned import SOON_S

FAR_MS = 10**9
"""A deadline after the end of every test."""
BOT = {"kind": "bot", "spec": "random"}


async def opened(hall: Hall, admin: str, *, within_ms: int = FAR_MS, **more: Any) -> str:
    """A league of For Sale; the id."""
    told = {"name": "Spring", "game": "forsale", "deadline_ms": now_ms() + within_ms, **more}
    said = await hall.post("/leagues", admin, **told)
    assert said.status_code == 201, said.text
    id: str = said.json()["id"]
    return id


async def close_entries(hall: Hall, league: str, admin: str) -> None:
    """Move the deadline to now."""
    for soon_ms in (50, 500, 5000):  # on a busy machine the first may be over before the server has read it
        said = await patched(hall, league, admin, deadline_ms=now_ms() + soon_ms)
        if said.status_code == 200:
            return
    raise AssertionError(said.text)


async def patched(hall: Hall, league: str, admin: str, **times: Any) -> Any:
    headers = {"Authorization": f"Bearer {admin}"}
    return await hall.http.patch(f"/api/leagues/{league}", json=times, headers=headers)


async def judged(hall: Hall, path: str, admin: str, why: str = "a test") -> Any:
    """Send an administrator's order with a reason."""
    return await hall.http.post(f"/api{path}", json={"why": why}, headers={"Authorization": f"Bearer {admin}"})


async def told(hall: Hall, path: str, token: str | None = None) -> Any:
    said = await hall.get(path, token)
    assert said.status_code == 200, said.text
    return said.json()


async def until(hall: Hall, path: str, is_so: Callable[[Any], bool], token: str | None = None) -> Any:
    """Wait until the answer has this property, and return it."""
    async with asyncio.timeout(4 * SOON_S):
        while True:
            answer = await told(hall, path, token)
            if is_so(answer):
                return answer
            await asyncio.sleep(0.05)


async def until_over(hall: Hall, league: str) -> Any:
    return await until(hall, f"/leagues/{league}", lambda info: info["state"] == "over")


async def play_all(hall: Hall, league: str, token: str, bot: str = "random") -> int:
    """Play for an entry until the league is over; returns the number of matches."""
    client = Client(hall.url, token)
    done: set[str] = set()
    while True:
        found = await told(hall, f"/leagues/{league}/table", token)
        if found["state"] in ("over", "cancelled"):
            return len(done)
        if found["table"] is None or found["table"] in done:
            await asyncio.sleep(0.05)
            continue
        played = await client.play_async(found["game"], game(found["game"]).hosting.bots[bot], table=found["table"])
        done.add(played.match)
