"""Maze in an arena: a player who disconnects after its last answer has finished, and has not left."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from parlour.tables.table import Table
from tests.players.clients import run
from tests.players.maze_hasty import Hasty, Reserved
from tests.players.maze_room import Player, Source, response
from tests.server.arenas import Hall, House, Seat, evening
from tests.turned import until


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off", hello_s=3600.0)


class HastyPass(Hasty):
    def answer(self, message: Any) -> None:
        if message[0] == "take-turn":
            self.line.say("PASS")
        else:
            super().answer(message)


class ReservedPass(Reserved):
    def answer(self, message: Any) -> None:
        if message[0] == "take-turn":
            self.line.say("PASS")
        else:
            super().answer(message)


class SourcePass(Source):
    """A client that disconnects after its only turn, which is the last of the match."""

    def answer(self, message: Any) -> None:
        if message["body"]["type"] == "RequestAction":
            self.line.say(response(message["id"]))
            self.line.writer.close()


async def signed_up(hall: Hall, *players: Player, before: int = 0) -> None:
    """Let these players sign up in this order, after so many others."""
    listeners = hall.serving.listeners
    room: Any = SimpleNamespace(source_port=listeners["maze"], course_port=listeners["maze/course"])
    for number, player in enumerate(players, start=before + 1):
        player.begin(room)
        await seated(hall, number)


async def seated(hall: Hall, count: int) -> None:
    """Wait until so many seats are taken, or the match has begun."""
    arena = hall.serving.arena
    await until(lambda: arena.playing or sum(table.seats.people() for table in arena.open.values()) == count)


async def waits_for(hall: Hall, *seats: int) -> Table:
    """The match, as soon as it is decided and waits only for these seats."""
    arena = hall.serving.arena
    await until(lambda: arena.playing)
    [live] = arena.playing.values()
    match: Any = live.match
    await until(lambda: match.state.phase == "end" and sorted(match.open) == [*seats])
    return live


async def outcome(hall: Hall, match: str) -> tuple[list[int], list[int]]:
    """The seats that won, and those that left."""
    info = await hall.over(match)
    assert (await hall.proof(match)).holds == "yes"
    lines = (await hall.get(f"/matches/{match}/transcript")).content
    left = [line for line in lines.splitlines() if b'"Leave"' in line]
    return [seat["seat"] for seat in info["seats"] if seat["rank"] == 1], [*map(_seat, left)]


def _seat(line: bytes) -> int:
    return int(line.split(b'"seat":')[1].split(b",")[0])


def nights(house: House, *works: Callable[[Hall], Awaitable[None]]) -> None:
    """Run these one after the other, each with a new server."""

    async def each() -> None:
        for work in works:
            async with house.open() as hall:
                await work(hall)

    run(each())


def won(*players: Player) -> list[int]:
    """The seats of those that were told that they have won."""
    return [seat for seat, player in enumerate(players) if player.heard[-1] == ["win", [True]]]


def test_players_that_disconnect_after_void_while_another_is_slow(house: House) -> None:
    async def work(hall: Hall) -> None:
        await hall.table(await hall.account("host"), "maze", *["open"] * 4, quick=True)
        slow = ReservedPass("slow")
        players = [HastyPass("a"), HastyPass("b"), slow, HastyPass("c")]
        await signed_up(hall, *players)
        live = await waits_for(hall, 2)
        await until(lambda: sum(each.peer.gone is None for each in live.seats.connected.values()) == 1)
        slow.void()
        assert await outcome(hall, live.id) == (won(*players), [])

    evening(house, work)


def test_both_protocols_and_ours_that_disconnect_after_their_last_turn(house: House) -> None:
    """They are told the result, but their protocols have no reply to it."""

    async def work(hall: Hall) -> None:
        await hall.table(await hall.account("host"), "maze", *["open"] * 3, quick=True)
        slow, source = ReservedPass("slow"), SourcePass()
        await signed_up(hall, source)
        async with hall.connect("/play/maze") as line:
            ours = Seat(line)
            await ours.hello("ours")
            await seated(hall, 2)
            await signed_up(hall, slow, before=2)
            asked = await ours.hear("ask")
            await ours.say(type="answer", id=asked["id"], action={"type": "Pass"})
            await line.close()
        live = await waits_for(hall, 2)
        winners = list(live.match.state.view(None).winners)  # type: ignore[attr-defined]  # a view of Maze
        slow.void()
        assert await outcome(hall, live.id) == (winners, [])

    evening(house, work)


def test_a_server_that_restarts_while_a_player_is_slow(house: House) -> None:
    """Neither player can return: the one that has answered, and the one that could not."""
    ids: list[str] = []
    winners: list[int] = []

    async def before(hall: Hall) -> None:
        await hall.table(await hall.account("host"), "maze", "open", "open", quick=True)
        await signed_up(hall, HastyPass("a"), ReservedPass("slow"))
        live = await waits_for(hall, 1)
        winners.extend(live.match.state.view(None).winners)  # type: ignore[attr-defined]  # a view of Maze
        ids.append(live.id)

    async def after(hall: Hall) -> None:
        assert await outcome(hall, ids[0]) == (winners, [])

    nights(house, before, after)
