"""Dominion bots that are silent once, reply late or reply to another request, over real pipes and sockets (RULES 9.7).

Time limits are long, and the clock is turned by hand where one is to run out.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

from parlour.core import Result
from parlour.games import game
from parlour.players.play import Played, play_async
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.referee.replay import verify
from parlour.referee.transcript import Limits
from tests.games.dominion.tables import MOAT, Said, bear, buy, clean_up, line, waited_for
from tests.players.children import Table, unhurried
from tests.players.clients import connect, run
from tests.players.house import House
from tests.players.test_dominion import bot
from tests.turned import soon, turn, until

DOMINION = game("dominion")
LIMIT_S = 600
LATE = ("late", "EndTurn")


def terms(**options: Any) -> Terms:
    agreed = DOMINION.rules.options(**{"on_silence": "end_turn", "turn_cap": 4, **options})
    return Terms(game=DOMINION, limits=Limits(LIMIT_S * 1000), options=agreed, handshake_s=60.0)


def inputs(lines: Sequence[bytes], seat: int = 0) -> list[tuple[str, str]]:
    """What the seat did: the code of the fault, if it was one, and what was played."""
    records = [json.loads(raw) for raw in lines]
    done = [record for record in records if "do" in record and record.get("by") == seat]
    return [(record.get("fault", {}).get("code", ""), record["do"]["type"]) for record in done]


def holds(lines: Sequence[bytes]) -> bool:
    return verify(b"".join(raw + b"\n" for raw in lines), game).holds == "yes"


# Over pipes

SILENT_ONCE = """
from pathlib import Path
asked = []
def turn(message):
    asked.append(message)
    if len(asked) == 1:
        Path(__file__).with_name("silent").touch()
    else:
        later(message)
"""
IN_STEP = """
def later(message):
    buy(message, "copper") if message["buys"] else end()
"""
ONE_BEHIND = """
def later(message):
    before = asked[-2]
    buy(before, "curse") if before["buys"] else end()
"""


def play(folder: Path, code: str, lines: Sequence[bytes] | None = None) -> tuple[Played, Table]:
    """A match of this child, which is silent on its first request, against a bot."""
    table = Table(folder, DOMINION)
    (folder / "silent").unlink(missing_ok=True)

    async def work() -> Played:
        specs = [table.child(bot(SILENT_ONCE + code), "+dominion"), load(DOMINION, "money")]
        playing = asyncio.ensure_future(
            play_async(terms(), specs, b"seed", MemoryLog(table.lines), table.watch, lines=lines)
        )
        await until((folder / "silent").exists)
        turn(LIMIT_S)
        return await soon(playing)

    with unhurried():
        played: Played = run(work())
    assert isinstance(played.end, Result) and not played.match.gone
    return played, table


def test_a_bot_that_is_silent_once_plays_all_its_other_turns(tmp_path: Path) -> None:  # RULES 9.7
    _, table = play(tmp_path, IN_STEP)
    assert inputs(table.lines) == [LATE, *[("", "Buy"), ("", "CleanUp")] * 3]
    assert table.faults() == [("late", "late")] and holds(table.lines)


def test_a_bot_that_stays_one_reply_behind_is_heard_when_it_is_asked(tmp_path: Path) -> None:  # RULES 9.7
    """Its reply to the request that expired counts for the next; the one after that is a buy with no buy left."""
    _, table = play(tmp_path, ONE_BEHIND)
    assert inputs(table.lines)[:3] == [LATE, ("", "Buy"), ("no_buys", "EndTurn")]
    assert table.faults().count(("late", "late")) == 1


def test_a_bot_that_is_silent_once_after_a_resume_plays_its_other_turns(tmp_path: Path) -> None:  # RULES 9.7
    _, table = play(tmp_path, IN_STEP)
    first = table.lines[: next(place for place, raw in enumerate(table.lines) if b'"CleanUp"' in raw) + 1]
    _, again = play(tmp_path, IN_STEP, first)
    lines = [*first, *again.lines]
    assert inputs(lines).count(LATE) == 2 and {code for code, _ in inputs(lines)} == {"", "late"}
    assert inputs(lines)[-1] == ("", "CleanUp") and holds(lines)


# Over TCP


class Guest:
    """A bot whose replies the test writes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.lines: list[bytes] = []
        """The transcript so far."""

    def says(self, said: Said) -> None:
        self._writer.write(line(said) + b"\n")

    async def hears(self) -> Said:
        heard: Said = json.loads(await soon(self._reader.readline()))
        return heard

    async def asked(self, *kinds: str) -> Said:
        """The next request; it must be of this kind."""
        while (heard := await self.hears())["type"] not in ("play-turn", "attack-request"):
            pass
        assert heard["type"] in (kinds or ("play-turn",))
        return heard

    async def attacked(self, on_turn: Callable[[], None]) -> Said:
        """The next attack; this is done on each turn until then."""
        while (heard := await self.asked("play-turn", "attack-request"))["type"] == "play-turn":
            on_turn()
        return heard

    def leaves(self) -> None:
        self._writer.close()

    def cleans_up(self) -> None:
        self.says(clean_up())


def evening(work: Callable[[Guest], Coroutine[Any, Any, None]], opponent: str = "money", **options: Any) -> None:
    """A guest at seat 0 of a host plays as the test says, and leaves."""

    async def hosted() -> None:
        house = House(terms(**options), 2, [opponent])
        async with house.open() as port:
            guest = Guest(*await connect(port))
            request = await guest.hears()
            guest.lines = house.lines
            guest.says({**request, "type": "player-name-reply", "name": "guest"})
            await work(guest)
            guest.leaves()
            await soon(house.next())
        assert house.holds()

    with waited_for():
        run(hosted())


def test_over_tcp_a_guest_that_is_silent_once_plays_all_its_other_turns() -> None:  # RULES 9.7
    async def work(guest: Guest) -> None:
        await guest.asked()
        turn(LIMIT_S)
        for _ in range(3):
            await guest.asked()
            guest.says(buy("curse"))
            assert (await guest.hears())["type"] == "player-gained"
            await guest.asked()
            guest.cleans_up()
        while (await guest.hears())["type"] != "game-end":
            pass
        assert inputs(guest.lines) == [LATE, *[("", "Buy"), ("", "CleanUp")] * 3]

    evening(work)


def test_over_tcp_a_late_reply_counts_for_the_open_request_of_its_kind() -> None:  # RULES 9.7
    async def work(guest: Guest) -> None:
        await guest.asked()
        turn(LIMIT_S)
        await guest.asked()
        guest.says(buy("curse"))  # meant for the first request
        await guest.asked()
        guest.says(buy("copper"))  # meant for the second
        await guest.asked()
        assert inputs(guest.lines) == [LATE, ("", "Buy"), ("no_buys", "EndTurn")]

    evening(work)


@pytest.mark.parametrize("reply", [bear("copper copper"), MOAT])
def test_over_tcp_a_late_attack_reply_is_nothing_on_a_turn(reply: Said) -> None:  # RULES 9.7
    async def work(guest: Guest) -> None:
        await guest.attacked(guest.cleans_up)
        turn(LIMIT_S)
        await guest.asked()
        before = len(inputs(guest.lines))
        guest.says(reply)
        guest.says(buy("curse"))
        await guest.asked()
        assert inputs(guest.lines)[before - 1 :] == [("late", "AnyDiscard"), ("", "Buy")]
        guest.says(reply)  # no request of its kind is without a reply any more
        await guest.asked("play-turn", "attack-request")
        assert inputs(guest.lines)[before + 1] == ("wrong_type", "EndTurn")

    evening(work, "militia", turn_cap=40)


def test_over_tcp_a_late_reply_to_a_turn_is_nothing_under_attack() -> None:  # RULES 9.7
    async def work(guest: Guest) -> None:
        request = await guest.attacked(lambda: turn(LIMIT_S))
        guest.says(buy("curse"))
        guest.says(bear(" ".join(request["options"][:2])))
        await guest.asked()
        assert inputs(guest.lines)[-2:] == [LATE, ("", "Discard")]

    evening(work, "militia", turn_cap=40)


@pytest.mark.parametrize("reply", [bear("copper copper"), MOAT])
def test_over_tcp_a_reply_that_is_not_owed_ends_the_turn_at_once(reply: Said) -> None:  # RULES 9.7
    async def work(guest: Guest) -> None:
        await guest.asked()
        guest.says(reply)
        await guest.asked()
        assert inputs(guest.lines) == [("wrong_type", "EndTurn")]

    evening(work, on_silence="forfeit")


@pytest.mark.parametrize("reply", [buy("copper"), clean_up()])
def test_over_tcp_under_attack_a_reply_that_is_not_owed_is_answered_by_the_dice(reply: Said) -> None:  # RULES 9.7
    async def work(guest: Guest) -> None:
        await guest.attacked(guest.cleans_up)
        guest.says(reply)
        await guest.asked()
        assert inputs(guest.lines)[-1] == ("wrong_type", "AnyDiscard")

    evening(work, "militia", turn_cap=40)
