"""Maze over real sockets: a player who disconnects after its last answer has finished, and has not left (RULES 6.6)."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.core import Result
from parlour.players.player_specs import load
from tests.players.children import Table
from tests.players.maze_hasty import ENDINGS, Ending, Hasty, HastySource, Reserved
from tests.players.maze_room import MAZE, THREE, TWO, Course, Player, Room, Signed, Source, evening, response, wire
from tests.turned import settle, soon, turn, until


async def entered(room: Room, *players: Player) -> "asyncio.Task[Signed | None]":
    playing = asyncio.create_task(room.play())
    for player in players:
        await room.enter(player)
    return playing


async def unheard(room: Room, *seats: int) -> None:
    """Wait until the match waits only for these seats."""
    await until(lambda: sorted(room.match.open) == [*seats])


async def disconnected(room: Room, connected: int) -> None:
    """Wait until the server has only so many connections."""
    await until(lambda: room.connected() == connected)


async def ended(playing: "asyncio.Task[Signed | None]") -> Signed:
    signed = await soon(playing)
    assert signed
    return signed


@pytest.mark.parametrize("how", ENDINGS)
def test_a_winner_that_disconnects_after_void_has_won(how: Ending) -> None:
    async def work(room: Room) -> None:
        slow, winner = Reserved("slow"), Hasty("winner", how)
        playing = await entered(room, slow, Hasty("loser", how), winner)
        await slow.called()
        await unheard(room, 0)
        await disconnected(room, 1)
        slow.void()
        signed = await ended(playing)
        assert winner.heard[-1] == ["win", [True]]
        assert (signed.winners(), signed.removed()) == (["winner"], [])
        assert room.faults() == []

    evening(Room(range(3, 4), start=THREE), work)


def test_another_that_stays_silent_is_removed_alone() -> None:
    async def work(room: Room) -> None:
        silent = Course("silent", "win", "silence")
        playing = await entered(room, silent, Hasty("loser"), Hasty("winner"))
        await disconnected(room, 1)
        await room.outwait(silent, 0)
        signed = await ended(playing)
        assert (signed.winners(), signed.removed()) == (["winner"], ["silent"])
        assert room.faults() == [(0, "late", "late")]

    evening(Room(range(3, 4), start=THREE), work)


@pytest.mark.parametrize("misdeed", ["hang up", "reset", b"null "])
def test_another_that_fails_the_last_call_is_removed_alone(misdeed: Any) -> None:
    async def work(room: Room) -> None:
        slow = Reserved("slow")
        playing = await entered(room, slow, Course("dead", "win", misdeed), Hasty("winner"))
        await slow.called()
        await unheard(room, 0)
        await disconnected(room, 1)
        slow.void()
        signed = await ended(playing)
        assert (signed.winners(), signed.removed()) == (["winner"], ["dead"])

    evening(Room(range(3, 4), start=THREE), work)


def test_a_winner_that_disconnects_without_an_answer_has_lost() -> None:
    async def work(room: Room) -> None:
        playing = await entered(room, Course("a"), Hasty("loser"), Course("winner", "win", "hang up"))
        signed = await ended(playing)
        assert (signed.winners(), signed.removed()) == ([], ["winner"])

    evening(Room(range(3, 4), start=THREE), work)


def test_a_winner_that_speaks_after_void_has_lost() -> None:
    async def work(room: Room) -> None:
        slow = Reserved("slow")
        playing = await entered(room, slow, Hasty("loser"), Course("winner", "win", wire("void") * 2))
        await slow.called()
        await room.left(2)
        slow.void()
        signed = await ended(playing)
        assert (signed.winners(), signed.removed()) == ([], ["winner"])

    evening(Room(range(3, 4), start=THREE), work)


@pytest.mark.parametrize("how", ENDINGS)
def test_both_protocols_a_source_winner_that_disconnects_after_its_last_turn(how: Ending) -> None:
    """The client knows by itself that it has reached its home."""

    async def work(room: Room) -> None:
        slow = Reserved("slow")
        playing = await entered(room, slow, Hasty("loser"), HastySource(2, how))
        await slow.called()
        await disconnected(room, 1)
        await unheard(room, 0)
        slow.void()
        signed = await ended(playing)
        assert (signed.winners(), signed.removed()) == ([room.id(2)], [])
        assert room.faults() == []

    evening(Room(range(3, 4), start=THREE), work)


def test_both_protocols_a_source_loser_that_disconnects_while_another_is_slow() -> None:
    async def work(room: Room) -> None:
        slow, source = Reserved("slow"), Source()
        playing = await entered(room, slow, source, Hasty("winner"))
        await slow.called()
        await unheard(room, 0)
        source.line.writer.close()
        await disconnected(room, 1)
        slow.void()
        signed = await ended(playing)
        assert (signed.winners(), signed.removed()) == (["winner"], [])

    evening(Room(range(3, 4), start=THREE), work)


def test_a_source_player_that_disconnects_in_the_middle_has_left() -> None:
    async def work(room: Room) -> None:
        playing = await entered(room, Course("a"), Hasty("b"), HastySource(1))
        signed = await ended(playing)
        assert signed.removed() == [room.id(2)] and room.id(2) not in signed.winners()

    evening(Room(range(3, 4), start=THREE), work)


# `GameOver` (RULES 9.12)


def test_game_over_does_not_wait_for_slow_answers() -> None:
    async def work(room: Room) -> None:
        slow, source, winner = Reserved("slow"), Source(), Course("winner", "win", "silence")
        playing = await entered(room, slow, source, winner)
        await slow.called()
        await until(lambda: "GameOver" in source.kinds())
        assert room.match.end is None and not playing.done()
        over = {"type": "GameOver", "winner": room.id(2), "winners": [room.id(2)], "removed": []}
        assert source.heard[-1]["body"] == over
        slow.void()
        await room.outwait(winner, 2)
        signed = await ended(playing)
        assert (signed.winners(), signed.removed()) == ([], ["winner"]), "it was told that it had won, and said nothing"
        playing = await entered(room, Course("a"), Course("b"))
        await until(lambda: source.kinds().count("Registration") == 2)
        await soon(playing)
        end = source.kinds().index("GameOver")
        assert source.kinds()[end + 1] == "Registration", "nothing more of the game, but the next one"

    evening(Room(range(3, 4), start=THREE), work)


@pytest.mark.parametrize("misdeed", [b'{"thanks":true}', b"junk ", "hang up"])
def test_game_over_that_is_answered_while_others_are_slow(misdeed: Any) -> None:
    """The client is disconnected, and nothing else happens."""

    async def work(room: Room) -> None:
        slow, source = Reserved("slow"), Source("GameOver", misdeed)
        playing = await entered(room, slow, source)
        await slow.called()
        await soon(source.playing)
        await disconnected(room, 1)
        slow.void()
        signed = await ended(playing)
        assert (signed.winners(), signed.removed()) == ([room.id(1)], [])

    evening(Room(range(2, 3), start=TWO), work)


def test_a_turn_that_crosses_game_over_costs_nothing() -> None:
    """The time of the game is up while a player thinks; its answer still arrives."""

    async def work(room: Room) -> None:
        slow = Reserved("slow")
        source = Source("RequestAction", "silence")
        playing = await entered(room, source, slow)
        await until(lambda: source.misbehaves)
        turn(3600.0)
        await until(lambda: "GameOver" in source.kinds())
        asked = next(message for message in source.heard if source.kind(message) == "RequestAction")
        source.line.say(response(asked["id"]))
        await settle()
        slow.void()
        signed = await ended(playing)
        assert signed.removed() == [] and source.line.reader.at_eof() is False

    evening(Room(range(2, 3), start=TWO, limit_s=7200.0), work)


# Commands

CHILD = """
import codecs, json, os, pathlib, sys, time
_, name, file, waits = sys.argv
decode, text = codecs.getincrementaldecoder("utf-8")().decode, ""
os.write(1, json.dumps(name).encode())
while data := os.read(0, 65536):
    text += decode(data)
    try:
        call, _ = json.JSONDecoder().raw_decode(text)
    except ValueError:
        continue
    text = ""
    if call[0] == "win" and waits == "no":
        pathlib.Path(file).write_text(str(os.getpid()))
        os.write(1, b'"void"')
        break
    if call[0] == "win":
        while not (other := pathlib.Path(file)).exists() or not (pid := other.read_text()):
            time.sleep(0.005)
        while pathlib.Path("/proc", pid).exists():
            time.sleep(0.005)
    os.write(1, b'"PASS"' if call[0] == "take-turn" else b'"void"')
"""


def test_a_command_that_exits_after_void(tmp_path: Path) -> None:
    table = Table(tmp_path, MAZE)
    (tmp_path / "course.py").write_text(CHILD)
    specs = [
        load(MAZE, f"exec+maze/course:{sys.executable} {tmp_path / 'course.py'} {name} {tmp_path / 'pid'} {waits}")
        for name, waits in (("hasty", "no"), ("slow", "yes"))
    ]
    played = table.play_specs(specs)
    assert isinstance(played.end, Result) and 1 in played.end.ranks
    assert (played.match.gone, played.endings) == ({}, {})
