"""Bots that take their time, so that people can follow."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.arenas import Hall, House, evening
from tests.turned import settle, turn, until


async def moves(hall: Hall, match: str) -> list[dict[str, Any]]:
    """The recorded moves so far."""
    return [json.loads(line) for line in (await hall.store.lines(match))[1:]]


async def paced(hall: Hall) -> str:
    """A match of three bots that has begun."""
    table = await hall.table(await hall.account("ada"), "forsale", "minimum", "minimum", "minimum", pace_s=10)
    id: str = table["table"]["id"]
    await until(lambda: id in hall.serving.arena.playing and hall.serving.arena.playing[id].shell is not None)
    return id


async def next_move(hall: Hall, match: str) -> dict[str, Any]:
    """The next move, which is played when its time has passed and not before."""
    before = len(await moves(hall, match))
    await settle()
    assert len(await moves(hall, match)) == before
    turn(10)
    while len(made := await moves(hall, match)) == before:
        await settle()
    return made[-1]


def test_bots_keep_their_pace_also_after_a_restart(tmp_path: Path) -> None:
    house = House(tmp_path)

    async def begin(hall: Hall) -> str:
        match = await paced(hall)
        assert (await next_move(hall, match))["ms"] >= 10_000
        return match

    match = evening(house, begin)

    async def go_on(hall: Hall) -> None:
        await until(lambda: hall.serving.arena.playing[match].shell is not None)
        assert (await next_move(hall, match))["ms"] >= 10_000

    evening(house, go_on)


def test_a_paced_match_is_stopped_at_once(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        match, admin = await paced(hall), await hall.admin()
        assert (await hall.put(f"/matches/{match}/stop", admin)).status_code < 300
        assert (await hall.over(match))["state"] in ("over", "void")

    evening(House(tmp_path), work)


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"pace_s": 5, "limit_s": 5}, "bad_pace"),
        ({"pace_s": 10}, "bad_pace"),  # the game's own limit
        ({"pace_s": 10.5, "limit_s": 60}, "bad_request"),
        ({"pace_s": -1}, "bad_request"),
    ],
)
def test_a_pace_that_leaves_no_time_is_refused(tmp_path: Path, terms: dict[str, Any], code: str) -> None:
    async def work(hall: Hall) -> Any:
        seats = [{"kind": "bot", "spec": "minimum"}] * 3
        return await hall.post("/tables", await hall.account("ada"), game="forsale", seats=seats, terms=terms)

    said = evening(House(tmp_path), work)
    assert said.status_code == 400 and said.json()["code"] == code
