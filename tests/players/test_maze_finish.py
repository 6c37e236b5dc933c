"""Maze over real sockets: a player who disconnects after its last answer has finished, and has not left (RULES 6.6)."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.core import Result
from parlour.players.load import load
from parlour.players.lobby import Signed
from tests.players.children import Table
from tests.players.maze_hasty import ENDINGS, Ending, Hasty, HastySource, Reserved
from tests.players.maze_room import MAZE, THREE, Course, Player, Room, Source, evening, wire
from tests.turned import soon, until


async def entered(room: Room, *players: Player) -> "asyncio.Task[Signed | None]":
    playing = asyncio.create_task(room.lobby.play())
    for player in players:
        await room.enter(player)
    return playing


async def unheard(room: Room, *seats: int) -> None:
    """Until the match waits for these seats alone."""
    await until(lambda: sorted(room.match.open) == [*seats])


async def disconnected(room: Room, connected: int) -> None:
    """Until the server has noticed that all but so many have disconnected."""
    await until(lambda: sum(peer.gone is None for peer in room.lobby._door.peers) == connected)


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
    """It knows by itself that it came home."""

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
