"""Watching over TCP: the host is sent everything, and spectators are sent what is public."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from parlour.core import Result
from parlour.games import game
from parlour.games.maze.values import Prepared
from parlour.referee.match import Match, Out
from parlour.referee.scribe import written
from parlour.tables.spectators import SpectatorGallery, observed, spectated
from parlour.transports import tcp
from parlour.transports.limits import HOST_CONNECTIONS
from tests.games.maze.tables import crosses, position
from tests.players.clients import connect, run
from tests.players.maze_command import Host, guests, state_file
from tests.players.maze_room import TWO, Course, Passing, Room, Signed, Source, Thinking
from tests.turned import SOON_S, settle, soon, until

MAZE = game("maze")


class Onlookers:
    """A room with a gallery for the host and one for spectators."""

    def __init__(self, *bots: str, start: Prepared | None = TWO, **options: Any) -> None:
        self.observers, self.spectators = (
            SpectatorGallery("Onlookers", observed(MAZE)),
            SpectatorGallery("Onlookers", spectated),
        )
        self.room = Room(range(2, 3), *bots, start=start, watch=self.watch, **options)
        self._watches: list[Callable[[Match[Any], Out], None]] = []
        self._matches = 0

    def watch(self, match: Match[Any], out: Out) -> None:
        if len(self.room.records) > self._matches:
            self._matches += 1
            seed = Room.seed(self._matches)
            self._watches = [gallery.watch(seed) for gallery in (self.observers, self.spectators)]
        for each in self._watches:
            each(match, out)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Room]:
        self.observe = await self.observers.listen("127.0.0.1", 0)
        self.spectate = await self.spectators.listen("127.0.0.1", 0)
        async with self.room.open() as room:
            try:
                yield room
            finally:
                await self.observers.close()
                await self.spectators.close()

    async def game(self, *clients: Course | Source) -> Signed:
        playing = asyncio.create_task(self.room.play())
        for client in clients:
            await self.room.enter(client)
        async with asyncio.timeout(2 * SOON_S):
            signed = await playing
        assert signed is not None
        return signed


class Onlooker:
    """Reads lines."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def sit(self) -> "Onlooker":
        self.reader, self.writer = await connect(self._port)
        await settle()
        return self

    async def line(self) -> Any:
        return json.loads(await soon(self.reader.readline()))

    async def lines(self, last: str = "over") -> list[Any]:
        """Up to the first of this type."""
        told = [await self.line()]
        while told[-1]["type"] != last:
            told.append(await self.line())
        return told

    async def decided(self) -> list[Any]:
        """All messages up to the event that tells the winner."""
        told = [await self.line()]
        while told[-1].get("event", {}).get("type") != "Decided":
            told.append(await self.line())
        return told

    async def is_let_go(self) -> bool:
        async with asyncio.timeout(SOON_S):
            with suppress(ConnectionResetError):
                while await self.reader.read(65536):
                    pass
        return True


def evening(work: Callable[[Onlookers], Awaitable[Any]], *bots: str, **options: Any) -> Any:
    async def opened() -> Any:
        onlookers = Onlookers(*bots, **options)
        async with onlookers.open():
            result = await work(onlookers)
        assert onlookers.room.holds()
        return result

    return run(opened())


def test_observers_get_full_states_and_moves() -> None:
    async def work(here: Onlookers) -> tuple[list[Any], list[bytes]]:
        host = await Onlooker(here.observe).sit()
        await here.game(Course("a"), Course("b"))
        return await host.lines(), here.room.records[0]

    told, record = evening(work)
    assert [line["type"] for line in told] == ["state", "state", *["choice", "state"] * 3, "over"]
    goals = [[player["goto"] for player in line["state"]["plmt"]] for line in told if line["type"] == "state"]
    assert goals[1] == [{"row#": 1, "column#": 1}, {"row#": 1, "column#": 3}]
    assert told[2] == {"type": "choice", "player": "b", "choice": [0, "LEFT", 0, {"row#": 1, "column#": 1}]}
    assert told[-1] == {"type": "over", "winners": ["b"], "removed": []}
    assert told == [json.loads(line) for line in written(MAZE, record, Room.seed(1))], "as it is written afterwards"


def test_spectators_see_the_table_and_what_happens() -> None:
    async def work(here: Onlookers) -> list[Any]:
        spectator = await Onlooker(here.spectate).sit()
        await here.game(Course("a"), Course("b"))
        told = await spectator.decided()
        told.append(await spectator.line())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await spectator.reader.readline()
        return told

    told = evening(work)
    events = [line["event"]["type"] for line in told if line["type"] == "event"]
    assert events == ["Began", "Moved", "Moved", "Moved", "Decided"]
    views = [line for line in told if line["type"] == "view"]
    assert views[0]["players"] == views[-1]["players"] == ["a", "b"]
    assert views[-1]["view"]["winners"] == [1]


def test_spectators_never_see_goals() -> None:
    async def work(here: Onlookers) -> list[Any]:
        spectator = await Onlooker(here.spectate).sit()
        await here.game(Course("a"), Course("b"))
        return await spectator.decided()

    for line in evening(work):
        text = json.dumps(line)
        assert "goto" not in text and "GoalGiven" not in text and "queue" not in text
        if line["type"] == "view":
            view = line["view"]
            assert (view["seat"], view["goal"], view["going_home"], view["treasures"]) == (None, None, False, 0)


def test_games_that_differ_in_goals_look_the_same() -> None:
    def watched(goals: str, queue: str) -> bytes:
        async def work(here: Onlookers) -> bytes:
            spectator = await Onlooker(here.spectate).sit()
            playing = asyncio.create_task(here.room.play())
            for client in (Moving("a"), Moving("b")):
                await here.room.enter(client)
            told = b""
            async with asyncio.timeout(SOON_S):
                while b'"Decided"' not in told:
                    told += await spectator.reader.readline()
            playing.cancel()
            return told.rpartition(b'{"type":"event"')[0]

        result: bytes = evening(work, start=position(crosses(5, 5), "1,1 1,3", goals, queue=queue))
        return result

    one, other = watched("3,3 3,1", "1,1 3,3"), watched("1,3 1,1", "3,1 3,1")
    assert one == other and one.count(b'"Moved"') == 2


class Moving(Course):
    """Goes to the corner, then passes."""

    def answer(self, message: Any) -> None:
        if message[0] != "take-turn":
            self.line.say("void")
        elif self.kinds().count("take-turn") == 1:
            self.line.say([2, "LEFT", 0, {"row#": 0, "column#": 0}])
        else:
            self.line.say("PASS")


def test_a_client_that_comes_late_begins_with_the_last_that_was_told() -> None:
    async def work(here: Onlookers) -> None:
        early = await Onlooker(here.observe).sit()
        thinker = Thinking("thinker")
        playing = asyncio.create_task(here.room.play())
        for client in (Course("a"), thinker):
            await here.room.enter(client)
        await thinker.asked()
        _, state = await early.line(), await early.line()
        late, spectator = await Onlooker(here.observe).sit(), await Onlooker(here.spectate).sit()
        assert await late.line() == state, "the state as it is"
        assert (await spectator.line())["event"]["type"] == "Began"
        assert (await spectator.line())["view"]["phase"] == "play"
        thinker.thought.set()
        assert await playing
        assert await late.lines() == await early.lines()
        after = await Onlooker(here.observe).sit()
        assert (await after.lines())[-1]["type"] == "over", "even when it is over"

    evening(work)


def test_the_next_match_is_told_as_well() -> None:
    async def work(here: Onlookers) -> None:
        host = await Onlooker(here.observe).sit()
        for number in range(3):
            await here.game(Course(f"a{number}"), Course(f"b{number}"))
            told = await host.lines()
            assert told[0]["type"] == "state" and told[-1]["winners"] == [f"b{number}"]

    evening(work)


def test_removals_are_told() -> None:
    async def work(here: Onlookers) -> None:
        host, spectator = await Onlooker(here.observe).sit(), await Onlooker(here.spectate).sit()
        await here.game(Course("a"), Course("b", "take-turn", b"junk "))
        told = await host.lines()
        assert {"type": "removed", "player": "b", "why": "not_json"} in told
        assert told[-1] == {"type": "over", "winners": ["a"], "removed": ["b"]}
        seen = [await spectator.line()]
        while seen[-1].get("event", {}).get("type") != "Left":
            seen.append(await spectator.line())
        assert seen[-1]["event"] == {"type": "Left", "seat": 1, "why": "not_json"}

    evening(work)


def test_a_client_that_talks_is_let_go() -> None:
    async def work(here: Onlookers) -> None:
        quiet = await Onlooker(here.observe).sit()
        for said in (b"hello\n", b"{}\n", b"\n", b"x" * 70_000 + b"\n", b"\n" * 5000, b"x" * 3_000_000):
            for port in (here.observe, here.spectate):
                talker = await Onlooker(port).sit()
                with suppress(ConnectionError):
                    talker.writer.write(said)
                    await talker.writer.drain()
                assert await talker.is_let_go()
        await here.game(Course("a"), Course("b"))
        assert (await quiet.lines())[-1]["type"] == "over", "the others stay"

    evening(work)


def test_the_dead_do_no_harm() -> None:
    async def work(here: Onlookers) -> None:
        gone = [await Onlooker(port).sit() for port in (here.observe, here.spectate) for _ in range(3)]
        stays = await Onlooker(here.observe).sit()
        thinker = Thinking("thinker")
        playing = asyncio.create_task(here.room.play())
        gone[0].writer.close()
        for client in (Course("a"), thinker):
            await here.room.enter(client)
        await thinker.asked()
        for onlooker in gone[1:]:
            onlooker.writer.transport.abort()
        thinker.thought.set()
        assert await playing
        assert (await stays.lines())[-1]["type"] == "over"

    evening(work)


def deaf(port: int) -> socket.socket:
    """A client that never reads."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    return connection


def test_the_slow_hold_up_nobody_and_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """The messages about the largest board are larger than any buffer."""
    monkeypatch.setattr(tcp, "LINGER_S", SOON_S)
    monkeypatch.setattr(tcp, "UNSENT_BYTES", 1024 * 1024)

    async def work(here: Onlookers) -> Signed:
        slow = [deaf(here.observe), deaf(here.spectate)]
        await settle()
        listening = await Onlooker(here.observe).sit()
        reading = asyncio.create_task(listening.reader.read(-1))
        begun = asyncio.get_running_loop().time()
        signed = await here.game()
        assert asyncio.get_running_loop().time() - begun < SOON_S
        for gallery in (here.observers, here.spectators):
            assert [each.gone for each in gallery.onlookers].count("dead") == 1
        await here.observers.close()
        told = (await reading).splitlines()
        assert json.loads(told[-1])["type"] == "over", "who reads is told all"
        for connection in slow:
            connection.close()
        return signed

    signed = evening(work, "random", "random", start=None, rows=40, columns=40, round_cap=50)
    assert isinstance(signed.played.end, Result)


def test_so_many_may_look_on() -> None:
    async def work(here: Onlookers) -> None:
        seats = [await connect(here.spectate) for _ in range(HOST_CONNECTIONS)]
        one_too_many = await Onlooker(here.spectate).sit()
        assert await one_too_many.is_let_go()
        seats[0][1].close()
        await until(lambda: any(peer.gone is not None for peer in here.spectators.onlookers))
        welcome = await Onlooker(here.spectate).sit()
        await here.game(Passing("a"), Passing("b"))
        assert (await welcome.line())["type"] in ("view", "event")

    evening(work)


def test_as_a_command(tmp_path: Any) -> None:
    async def work() -> None:
        words = ["--once", "--state", state_file(tmp_path, TWO), "--observe", "0", "--spectate", "0"]
        async with Host(*words) as host:
            ports = [
                int(line.rpartition(":")[2])
                for line in host.said
                if line.startswith(("Observers on ", "Spectators on "))
            ]
            observe, spectate = [await Onlooker(port).sit() for port in ports]
            assert await guests(host, [Course("a"), Course("b")]) == [["b"], []]
            full, public = await observe.reader.read(), await spectate.reader.read()
        assert full.count(b'"goto"') > 0 and b'"choice"' in full
        assert json.loads(full.splitlines()[-1]) == {"type": "over", "winners": ["b"], "removed": []}
        assert b'"goto"' not in public and b"GoalGiven" not in public and b'"Decided"' in public

    run(work())
