"""Many games of Maze over real sockets: bad players, time that is up, all protocols at one table."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.core import Result
from parlour.games import game
from parlour.referee.match import Match, Out
from parlour.referee.replay import verify
from tests.games.maze.tables import crosses, position
from tests.players.children import unhurried
from tests.players.maze_command import FIVE, OWN_CHILD, SOURCE_CHILD, children
from tests.players.maze_misdeeds import SILENT, misdeeds
from tests.players.maze_room import (
    THREE,
    TWO,
    Course,
    Pacing,
    Player,
    Room,
    Signed,
    Source,
    Thinking,
    evening,
    response,
)
from tests.turned import settle, soon, turn, until

CAP_S = 30.0
"""Less than may pass before an answer is late."""


def test_a_hundred_games_with_somebody_bad_in_each() -> None:
    """One host, one client that stays to the end, and every game ends as it should."""
    bad = [*misdeeds(), *misdeeds()][:100]

    async def work(room: Room) -> None:
        stayer = Source()
        stayer.begin(room)
        for number, misdoer in enumerate(bad, start=1):
            playing = asyncio.create_task(room.play())
            await room.seated(3 * number - 2)
            good = Course("good")
            await room.enter(misdoer)
            await room.enter(good)
            if misdoer.misdeed in SILENT:
                await room.outwait(misdoer, 1)
            signed = await soon(playing)
            await soon(asyncio.gather(misdoer.playing, good.playing))
            assert signed is not None and signed.winners() == ["good"], f"game {number}"
            assert signed.removed() == [signed.played.match.names[1]] and list(signed.played.match.gone) == [1]
            assert good.heard[-1] == ["win", [True]] and stayer.ids[-1] == room.id(0, number)
        await until(lambda: stayer.kinds().count("GameOver") == 100)
        assert not stayer.playing.done() and len(room.records) in (100, 101)

    evening(Room(range(3, 4), start=THREE), work)


# Time (RULES 5.4)


def test_decision_10_of_weaknesses_a_game_that_takes_too_long_is_scored() -> None:
    """Both players move back and forth and never pass; the one that is nearer to its goal wins."""

    async def work(room: Room) -> tuple[Signed | None, list[Player]]:
        playing = asyncio.create_task(room.play())
        clients = [await room.enter(Pacing(name)) for name in ("far", "near")]
        await until(lambda: all(client.kinds().count("take-turn") > 3 for client in clients))
        turn(CAP_S)
        signed = await soon(playing)
        await asyncio.gather(*(client.playing for client in clients))
        return signed, clients

    start = position(crosses(7, 7), "5,5 5,5", "5,5 1,1", at="0,0 0,0")
    room = Room(range(2, 3), start=start, cap_s=CAP_S)
    signed, clients = evening(room, work)
    assert isinstance(signed.played.end, Result) and signed.played.end.scores == (0, 0)
    assert (signed.winners(), signed.removed()) == (["near"], [])
    assert b'"Stop"' in b"".join(room.records[0])
    assert [client.heard[-1] for client in clients] == [["win", [False]], ["win", [True]]]


def test_course_who_thinks_when_time_is_up_is_not_blamed() -> None:
    """Its first answer belongs to its turn: it is too late to count, and is not taken for the answer to `win`."""

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        other, thinker = Course("other"), Thinking("thinker")
        for client in (other, thinker):
            await room.enter(client)
        await thinker.asked()
        turn(CAP_S)
        await until(lambda: "win" in other.kinds())
        await settle()
        assert not playing.done()
        thinker.thought.set()
        return await playing

    room = Room(range(2, 3), start=TWO, cap_s=CAP_S)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == (["other", "thinker"], []), room.faults()


def test_course_who_never_answers_the_turn_in_which_time_is_up_has_heard_the_end() -> None:
    """The answer to `win` is "void", and cannot be one to the turn."""

    class GivesUp(Course):
        def answer(self, message: Any) -> None:
            if message[0] != "take-turn":
                super().answer(message)

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        other, gives_up = Course("other"), GivesUp("givesup")
        for client in (other, gives_up):
            await room.enter(client)
        await until(lambda: "take-turn" in gives_up.kinds())
        turn(CAP_S)
        return await soon(playing)

    room = Room(range(2, 3), start=TWO, cap_s=CAP_S)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == (["givesup", "other"], []), room.faults()


def test_source_who_thinks_when_time_is_up_is_not_blamed() -> None:
    """The response crosses the end on its way; the connection lives on."""

    class Late(Source):
        def answer(self, message: Any) -> None:
            if message["body"]["type"] != "RequestAction":
                super().answer(message)

    async def work(room: Room) -> None:
        late = Late()
        playing = asyncio.create_task(room.play())
        for client in (Course("other"), late):
            await room.enter(client)
        await until(lambda: "RequestAction" in late.kinds())
        turn(CAP_S)
        signed = await soon(playing)
        assert signed and signed.removed() == []
        [asked] = [message for message in late.heard if message["body"]["type"] == "RequestAction"]
        late.line.say(response(asked["id"]))
        await settle()
        assert not late.playing.done(), "it has done nothing wrong"
        playing = asyncio.create_task(room.play())
        await room.seated(3)
        await room.enter(Course("another"))
        await until(lambda: late.ids == [room.id(1, 1), room.id(0, 2)])
        playing.cancel()

    evening(Room(range(2, 3), start=TWO, cap_s=CAP_S), work)


# What keeps a match from coming about


@pytest.mark.parametrize("after", [0, 1])
def test_a_watch_that_fails_is_told_to_the_host(after: int) -> None:
    lines: list[bytes] = []

    def full(match: Match[Any], out: Out) -> None:
        lines.extend(out.lines)
        if len(lines) > after:
            raise OSError("disk full")

    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        await settle()
        for name in ("a", "b"):
            Course(name).begin(room)
        with pytest.raises(OSError, match="disk full"):
            await soon(playing)

    evening(Room(range(2, 3), start=TWO, watch=full), work)


# Everybody at one table


def test_five_kinds_of_players_at_one_table(tmp_path: Path) -> None:
    async def work(room: Room) -> tuple[Signed | None, Player, Player]:
        playing = asyncio.create_task(room.play())
        await room.bots_seated(3)
        course, source = Course("course"), Source()
        for client in (course, source):
            await room.enter(client)
        signed = await playing
        await course.playing
        await until(lambda: "GameOver" in source.kinds())
        return signed, course, source

    room = Room(range(5, 6), *children(tmp_path), "euclid", start=FIVE)
    with unhurried():
        signed, course, source = evening(room, work)
    assert signed.played.match.names == ["own", "stdio", "euclid", "course", room.id(4)]
    assert (signed.winners(), signed.removed()) == ([room.id(4)], []) and room.faults() == []
    assert isinstance(signed.played.end, Result) and signed.played.end.scores == (1, 1, 1, 1, 1)
    assert course.kinds() == ["setup", "take-turn", "setup", "win"] and source.kinds()[-1] == "GameOver"


def test_clients_may_sign_up_while_commands_are_still_being_started(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time\ntime.sleep(1)\n" + OWN_CHILD)

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        await settle()
        Course("early").begin(room)
        return await soon(playing)

    room = Room(range(2, 3), f"exec:{sys.executable} {slow}", start=TWO)
    assert sorted(evening(room, work).played.match.names) == ["early", "own"]


def test_a_command_that_misbehaves_is_removed(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(SOURCE_CHILD.replace('message["id"]', '"0" * 32'))

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        await room.bots_seated(1)
        await room.enter(Course("good"))
        return await playing

    room = Room(range(2, 3), f"exec+maze:{sys.executable} {bad}", start=TWO)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == (["good"], ["bad"]) and room.faults() == [
        (0, "wrong_id", "unreadable")
    ]


def test_a_hosted_match_that_was_cut_short_goes_on(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        for name in ("a", "b"):
            await room.enter(Course(name))
        await playing

    room = Room(range(2, 3), start=TWO)
    evening(room, work)
    lines = room.records[0]
    (tmp_path / "m.jsonl").write_bytes(b"".join(line + b"\n" for line in lines[:3]))
    (tmp_path / "m.jsonl.seed").write_text(room.seed(1).hex())
    command = [sys.executable, "-m", "parlour", "resume", "m.jsonl", "euclid", "riemann"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "won" in done.stdout, done.stderr
    assert verify((tmp_path / "m.jsonl").read_bytes(), game).holds == "yes"
