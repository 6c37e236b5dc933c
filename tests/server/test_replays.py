"""Replays over HTTP: timelines, frames and verdicts of stored matches and of transcripts that clients send."""

from pathlib import Path

import pytest

from tests.server.arenas import Hall, House, evening


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off")


async def played(hall: Hall) -> str:
    """A match of bots that is over."""
    table = await hall.table(await hall.account("host"), "forsale", "random", "random", "minimum")
    match: str = table["table"]["id"]
    await hall.over(match)
    return match


def test_a_finished_match_is_shown_frame_by_frame(house: House) -> None:
    async def work(hall: Hall) -> None:
        match = await played(hall)
        said = await hall.get(f"/matches/{match}/timeline")
        assert said.status_code == 200, said.text
        timeline = said.json()
        assert (timeline["match"], timeline["game"], timeline["end"]["type"]) == (match, "forsale", "Result")
        assert timeline["players"][0] == {"name": "random", "kind": "bot"}
        total = timeline["total"]
        first = (await hall.get(f"/matches/{match}/frames?seat=1&to=5")).json()
        assert first["total"] == total and first["next"] is None
        assert [frame["n"] for frame in first["frames"]] == [0, 1, 2, 3, 4]
        assert first["frames"][0]["view"]["seat"] == 1
        last = (await hall.get(f"/matches/{match}/frames?from={total - 1}")).json()
        assert [frame["n"] for frame in last["frames"]] == [total - 1]
        verdict = (await hall.get(f"/matches/{match}/verdict")).json()
        assert verdict["holds"] == "yes" and verdict["line"] is None

    evening(house, work)
