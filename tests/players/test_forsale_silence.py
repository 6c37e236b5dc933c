"""For Sale players that are silent once and then answer, in numbers over real pipes and sockets (RULES 8.6).

Time limits are long, and the clock is turned by hand where one is to run out.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

from parlour.core import Result
from parlour.players.play import Played, play_async
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.transcript import Limits
from tests.players.children import FORSALE, Table, unhurried
from tests.players.clients import connect, run
from tests.players.house import House
from tests.turned import soon, turn, until

LIMIT_S = 600
TERMS = Terms(game=FORSALE, limits=Limits(LIMIT_S * 1000))

SILENT_ONCE = """
from pathlib import Path
sys.stdin.readline()
Path(__file__).with_name("silent").touch()
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "response":
        print(0 if request["part"] == 1 else request["hand"][0], flush=True)
"""


def test_a_command_that_is_silent_once_is_understood_ever_after(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def work() -> Played:
        specs = [table.child(SILENT_ONCE, "+forsale"), *(load(FORSALE, name) for name in table.bots)]
        playing = asyncio.ensure_future(play_async(TERMS, specs, b"seed", MemoryLog(table.lines), table.watch))
        await until((tmp_path / "silent").exists)
        turn(LIMIT_S)
        return await soon(playing)

    with unhurried():
        played: Played = run(work())
    assert isinstance(played.end, Result) and table.faults() == [("late", "late")]


def test_a_guest_that_is_silent_once_is_understood_ever_after() -> None:
    """Its next number answers the next request, which is the same question again."""
    faults: list[str] = []

    def watch(match: Match[Any], out: Out) -> None:
        records = [json.loads(line) for line in out.lines]
        faults.extend(record["fault"]["code"] for record in records if "fault" in record and record.get("by") == 0)

    async def work() -> None:
        house = House(TERMS, 3, ["minimum", "random"], watch=watch)
        async with house.open() as port:
            reader, writer = await connect(port, "guest")
            first = json.loads(await soon(reader.readline()))
            turn(LIMIT_S)
            again = json.loads(await soon(reader.readline()))
            assert (again["attempt"], again["fault"]["name"]) == (2, "NoResponse")
            assert {**again, "attempt": 1, "fault": None} == first
            request = again
            while request["type"] == "response":
                writer.write(b"%d\n" % (0 if request["part"] == 1 else request["hand"][0]))
                request = json.loads(await soon(reader.readline()))
            await soon(house.next())
        assert faults == ["late"]

    run(work())
