"""Maze over real sockets, in both of its protocols at one table: who signs up, who plays, and who misbehaves."""

import asyncio
import codecs
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

from parlour.core import Result
from parlour.games import game
from parlour.games.maze.observer import referee_state
from parlour.games.maze.rules import State
from parlour.games.maze.source import player_id
from parlour.games.maze.values import Options, Prepared
from parlour.players.door import MOST_CONNECTIONS
from parlour.players.load import load
from parlour.players.lobby import MOST_WAITING, Lobby, Signed, Waits
from parlour.players.play import CannotPlay, Terms
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out
from parlour.referee.replay import verify
from parlour.referee.transcript import Limits, match_name
from tests.games.maze.tables import crosses, fresh, position
from tests.players.clients import CLIENTS, Client, connect, run

MAZE = game("maze")
ROOT = Path(__file__).parents[2]

LONG_S = 20.0
"""Nobody waits for it to pass."""

FOUR = position(crosses(5, 5), "1,1 1,3 3,1 3,3", "3,3 3,1 1,3 1,1")
"""All are home, and everybody's goal is across; each move reaches everything."""
THREE = position(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,1 1,3")
TWO = position(crosses(3, 5), "1,1 1,3", "1,3 1,1")
ONE = position(crosses(3, 3), "1,1", "1,1", "0,0")


# The room


class Room:
    """A lobby on two ports of its own, and what its matches left behind."""

    table: "asyncio.Task[Signed | None]"

    def __init__(
        self,
        seats: range,
        *bots: str,
        start: Prepared | None = None,
        limit_ms: int = 10_000,
        waits: Waits | None = None,
        watch: Watch | None = None,
        **options: Any,
    ) -> None:
        terms = Terms(game=MAZE, options=Options(**options), start=start, limits=Limits(limit_ms))
        specs = [load(MAZE, bot) for bot in bots]
        self.lobby = Lobby(terms, seats, specs, self._new_table, waits=waits or Waits(period_s=LONG_S))
        self.lobby.joined = lambda name, missing: self.joined.append(name)
        self.joined: list[str] = []
        self.records: list[list[bytes]] = []
        self._also = watch

    def _new_table(self) -> tuple[bytes, Watch]:
        lines: list[bytes] = []
        self.records.append(lines)

        def watch(match: Match[Any], out: Out) -> None:
            lines.extend(out.lines)
            if self._also is not None:
                self._also(match, out)

        return self.seed(len(self.records)), watch

    @staticmethod
    def seed(number: int) -> bytes:
        return f"match {number}".encode()

    def id(self, seat: int, number: int = 1) -> str:
        """Of a player in the so manieth match."""
        return player_id(match_name(self.seed(number)), seat)

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Room"]:
        fronts = [(0, MAZE.dialects["tcp"]), (0, MAZE.dialects["course"])]
        self.source_port, self.course_port = await self.lobby.listen("127.0.0.1", fronts)
        try:
            yield self
        finally:
            await self.lobby.close()

    async def seated(self, count: int) -> None:
        """Until so many have signed up since the room was opened."""
        async with asyncio.timeout(10):
            while len(self.joined) < count:
                await asyncio.sleep(0.005)

    async def bots_seated(self, count: int) -> None:
        async with asyncio.timeout(10):
            while sum(b'"Join"' in line for lines in self.records for line in lines) < count:
                await asyncio.sleep(0.02)
        await asyncio.sleep(0.05)

    async def enter(self, player: "Player") -> "Player":
        """Begin to play, and have signed up."""
        before = len(self.joined)
        player.begin(self)
        await self.seated(before + 1)
        return player

    def holds(self) -> bool:
        """Whether every match that has ended is proved by its record."""
        records = [b"".join(line + b"\n" for line in lines) for lines in self.records]
        return all(verify(record, game).holds == "yes" for record in records if b'"reveal"' in record)

    def faults(self, number: int = 1) -> list[tuple[int, str, str | None]]:
        """From the record: who had to leave, why, and the fault if it was one."""
        inputs = [json.loads(line) for line in self.records[number - 1]]
        return [
            (line["do"]["seat"], line["do"]["why"], line["fault"]["kind"] if line.get("fault") else None)
            for line in inputs
            if line["kind"] == "input" and line["do"] and line["do"]["type"] == "Leave"
        ]


def evening(room: Room, work: Callable[[Room], Awaitable[Any]]) -> Any:
    """What happens in the room, and that its records hold."""

    async def opened() -> Any:
        async with room.open():
            return await work(room)

    result = run(opened())
    assert room.holds()
    return result


# Clients


class Line:
    """A client's end: JSON values in, bytes out."""

    def __init__(self, client: Client) -> None:
        self.reader, self.writer = client
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._text = ""

    async def hear(self) -> Any:
        """The next value; None when there will be none."""
        while True:
            try:
                value, end = json.JSONDecoder().raw_decode(self._text)
            except ValueError:
                if not (data := await self._read()):
                    return None
                self._text += self._decode(data)
            else:
                self._text = self._text[end:]
                return value

    async def _read(self) -> bytes:
        with suppress(ConnectionError):
            return await self.reader.read(65536)
        return b""

    def say(self, value: Any) -> None:
        self.writer.write(json.dumps(value).encode())


Misdeed: TypeAlias = bytes | Literal["silence", "hang up", "reset"] | Callable[[Any], bytes]
"""What is sent instead of an answer: bytes, or what is made of the message, or nothing."""


class Player:
    """Plays well, up to the message at which it is told to do something else; then it only listens to the end."""

    line: Line
    playing: "asyncio.Task[None]"

    def __init__(self, at: str = "", misdeed: Misdeed = b"", nth: int = 1) -> None:
        self.heard: list[Any] = []
        self._at = at
        self._misdeed = misdeed
        self._nth = nth

    def begin(self, room: Room) -> None:
        self.playing = asyncio.create_task(self.play(room))

    async def play(self, room: Room) -> None:
        self.line = Line(await connect(self.port(room)))
        self.greet()
        while (message := await self.line.hear()) is not None:
            self.heard.append(message)
            if self.kind(message) == self._at and self.kinds().count(self._at) == self._nth:
                await self._misbehave(message)
                return
            self.answer(message)
        self.line.writer.close()

    async def _misbehave(self, message: Any) -> None:
        writer = self.line.writer
        if self._misdeed == "hang up":
            writer.close()
            return
        if self._misdeed == "reset":
            writer.transport.abort()
            return
        if callable(self._misdeed):
            writer.write(self._misdeed(message))
        elif isinstance(self._misdeed, bytes):
            writer.write(self._misdeed)
        while (message := await self.line.hear()) is not None:
            self.heard.append(message)

    def kinds(self) -> list[str]:
        return [self.kind(message) for message in self.heard]

    def port(self, room: Room) -> int:
        raise NotImplementedError

    def greet(self) -> None:
        """Nothing is said."""

    def kind(self, message: Any) -> str:
        raise NotImplementedError

    def answer(self, message: Any) -> None:
        raise NotImplementedError


class Course(Player):
    """Of the course's protocol. On a board of crosses it goes straight to its goal."""

    def __init__(self, name: str, at: str = "", misdeed: Misdeed = b"", nth: int = 1) -> None:
        super().__init__(at, misdeed, nth)
        self.name = name

    def port(self, room: Room) -> int:
        return room.course_port

    def greet(self) -> None:
        self.line.say(self.name)

    def kind(self, message: Any) -> str:
        called: str = message[0]
        return called

    def answer(self, message: Any) -> None:
        match message:
            case ["setup", [_, goal]]:
                self.goal = goal
                self.line.say("void")
            case ["take-turn", [state]]:
                at = state["plmt"][0]["current"]
                self.line.say("PASS" if at == self.goal else [0, "LEFT", 0, self.goal])
            case ["win", [bool()]]:
                self.line.say("void")
            case _:
                raise ValueError(f"not a call: {message}")


class Source(Player):
    """Of the source text's protocol; the same."""

    def __init__(self, at: str = "", misdeed: Misdeed = b"", nth: int = 1) -> None:
        super().__init__(at, misdeed, nth)
        self.ids: list[str] = []

    def port(self, room: Room) -> int:
        return room.source_port

    def kind(self, message: Any) -> str:
        assert message["type"] == "REQUEST" and list(message) == ["type", "id", "body"]
        called: str = message["body"]["type"]
        return called

    def answer(self, message: Any) -> None:
        body = message["body"]
        if body["type"] == "Registration":
            self.ids.append(body["playerId"])
        elif body["type"] == "RequestAction":
            at, goal = body["stateInfo"]["playerInfo"][self.ids[-1]]["position"], body["turnInfo"]["goal"]
            self.line.say(response(message["id"], None if at == goal else goal))


class Passing(Course):
    def answer(self, message: Any) -> None:
        self.line.say("PASS" if message[0] == "take-turn" else "void")


class Slowly(Course):
    """Takes its time, and answers one call after the other."""

    _busy: "asyncio.Task[None] | None" = None

    def answer(self, message: Any) -> None:
        self._busy = asyncio.create_task(self._after(self._busy, message))

    async def _after(self, before: "asyncio.Task[None] | None", message: Any) -> None:
        if before is not None:
            await before
        if message[0] == "take-turn":
            await self.think()
        self.reply(message)

    def reply(self, message: Any) -> None:
        super().answer(message)

    async def think(self) -> None:
        raise NotImplementedError


class Pacing(Slowly):
    """Always on its way, and never where it should be: to and fro on a row of crosses."""

    async def think(self) -> None:
        await asyncio.sleep(0.02)

    def reply(self, message: Any) -> None:
        if message[0] != "take-turn":
            self.line.say("void")
            return
        [state] = message[1]
        at = state["plmt"][0]["current"]
        self.line.say([2, "LEFT", 0, {"row#": 0, "column#": 0 if at["column#"] else 2}])


class Thinking(Slowly):
    """Takes its turns when it is told to."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.thought = asyncio.Event()

    async def think(self) -> None:
        await self.thought.wait()

    async def asked(self) -> None:
        while "take-turn" not in self.kinds():
            await asyncio.sleep(0.005)


def response(id: str, to: Any = None) -> dict[str, Any]:
    """Go there, or pass."""
    slide = {"direction": "LEFT", "index": 0, "rotations": 0}
    move = {"type": "PASS"} if to is None else {"type": "MOVE", "slideAction": slide, "moveTo": to}
    return {"type": "RESPONSE", "id": id, "body": {"type": "ResponseAction", "move": move}}


def wire(value: Any) -> bytes:
    return json.dumps(value).encode()


async def refused(room: Room, port: int, first: bytes = b"", within_s: float = 5.0) -> None:
    """Whoever says this is disconnected without a word."""
    reader, writer = await connect(port)
    writer.write(first)
    async with asyncio.timeout(within_s):
        with suppress(ConnectionResetError):
            assert await reader.read() == b""


# Signing up (RULES 9.7, 10.2, 10.3)


def test_without_a_second_player_there_is_no_game_after_the_second_period() -> None:
    async def work(room: Room) -> None:
        begun = asyncio.get_running_loop().time()
        playing = asyncio.create_task(room.lobby.play())
        lonely = await room.enter(Course("lonely"))
        assert await playing is None
        assert 0.6 <= asyncio.get_running_loop().time() - begun < 3
        await lonely.playing
        assert lonely.heard == []

    evening(Room(range(2, 7), waits=Waits(period_s=0.3)), work)


def test_who_comes_in_the_second_period_plays_at_its_end() -> None:
    async def work(room: Room) -> None:
        begun = asyncio.get_running_loop().time()
        playing = asyncio.create_task(room.lobby.play())
        await room.enter(Passing("first"))
        await asyncio.sleep(0.55)
        await room.enter(Passing("second"))
        signed = await playing
        assert signed and signed.played.match.names == ["first", "second"]
        assert 0.8 <= asyncio.get_running_loop().time() - begun < 3

    evening(Room(range(2, 7), waits=Waits(period_s=0.4)), work)


def test_decision_7_with_a_source_client_the_waiting_goes_on() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        patient = await room.enter(Source())
        await asyncio.sleep(1.3)
        assert not playing.done() and not patient.playing.done()
        await room.enter(Passing("late"))
        signed = await playing
        assert signed and signed.played.match.names == [room.id(0), "late"]

    evening(Room(range(2, 7), waits=Waits(period_s=0.3)), work)


def test_two_at_the_end_of_the_first_period_are_enough() -> None:
    async def work(room: Room) -> None:
        begun = asyncio.get_running_loop().time()
        playing = asyncio.create_task(room.lobby.play())
        clients = [await room.enter(client) for client in (Passing("a"), Source(), Passing("b"))]
        signed = await playing
        assert signed and 0.5 <= asyncio.get_running_loop().time() - begun < 5
        assert clients[0].kinds() == ["setup", "take-turn", "win"]

    evening(Room(range(2, 7), waits=Waits(period_s=0.5), round_cap=1), work)


def test_six_begin_at_once() -> None:
    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        for client in (Passing("a"), Source(), Passing("b"), Source(), Passing("c"), Passing("d")):
            await room.enter(client)
        return await playing

    room = Room(range(2, 7), round_cap=3)
    signed = evening(room, work)
    assert signed.played.match.names == ["a", room.id(1), "b", room.id(3), "c", "d"]
    assert [line["do"]["type"] for line in map(json.loads, room.records[0][1:8])] == ["Join"] * 6 + ["Close"]


async def at_once(port: int, count: int, said: bytes = b"") -> list[Line]:
    """So many connections, of which the server learns all at the same time."""
    sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    for each in sockets:
        each.sendall(said)
    opened = [await asyncio.open_connection(sock=each) for each in sockets]
    CLIENTS.extend(writer for _, writer in opened)
    return [Line(client) for client in opened]


def test_seven_who_come_at_once_are_six_and_one_too_late() -> None:
    """Whoever is not seated is told so, as if it had come a moment later."""

    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        lines = await at_once(room.course_port, 7, b'"name"')
        async with asyncio.timeout(3):
            firsts = await asyncio.gather(*(line.hear() for line in lines))
        assert sum(first is None for first in firsts) == 1, "one of them is let go"
        playing.cancel()

    evening(Room(range(2, 7)), work)


def test_seven_source_clients_who_come_at_once() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        lines = await at_once(room.source_port, 7)
        async with asyncio.timeout(3):
            firsts = await asyncio.gather(*(line.hear() for line in lines))
        kinds = sorted(first["body"]["type"] for first in firsts)
        assert kinds == ["Registration"] * 6 + ["RegistrationOver"]
        playing.cancel()

    evening(Room(range(2, 7)), work)


def test_a_late_course_client_is_closed() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        thinker = Thinking("thinker")
        await room.enter(Course("a"))
        await room.enter(thinker)
        await thinker.asked()
        await refused(room, room.course_port, b'"late"')
        thinker.thought.set()
        signed = await playing
        assert signed and signed.played.match.names == ["a", "thinker"]

    evening(Room(range(2, 3), start=TWO), work)


def test_decision_8_a_late_source_client_waits_and_is_registered_on_the_same_connection() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        thinker, late = Thinking("thinker"), Source()
        await room.enter(Course("a"))
        await room.enter(thinker)
        await thinker.asked()
        late.begin(room)
        async with asyncio.timeout(5):
            while not late.heard:
                await asyncio.sleep(0.005)
        assert late.heard[0]["body"] == {"type": "RegistrationOver"}
        thinker.thought.set()
        assert await playing
        assert len(late.heard) == 1, "who waits is told nothing of the game"
        playing = asyncio.create_task(room.lobby.play())
        await room.seated(3)
        await room.enter(Course("b"))
        assert await playing
        await asyncio.sleep(0.05)
        assert late.kinds()[:3] == ["RegistrationOver", "Registration", "GameStart"]
        assert late.kinds()[-1] == "GameOver" and late.ids == [room.id(0, 2)]

    evening(Room(range(2, 3), start=TWO), work)


def test_decision_8_survivors_are_registered_again_under_a_new_id() -> None:
    async def work(room: Room) -> list[Source]:
        clients = [Source(), Source()]
        playing = asyncio.create_task(room.lobby.play())
        for client in clients:
            await room.enter(client)
        assert await playing
        for _ in range(2):
            assert await room.lobby.play()
        await asyncio.sleep(0.05)
        return clients

    room = Room(range(2, 3), start=TWO)
    for seat, client in enumerate(evening(room, work)):
        assert client.ids == [room.id(seat, number) for number in (1, 2, 3)] and len(set(client.ids)) == 3
        assert client.kinds().count("GameOver") == 3
        ids = [message["id"] for message in client.heard]
        assert len(set(ids)) == len(ids), "no request has the id of another"
    assert len(room.records) == 3 and len({lines[0] for lines in room.records}) == 3


def test_survivors_come_before_those_who_wait() -> None:
    async def work(room: Room) -> None:
        thinker, stayer, late = Thinking("thinker"), Source(), [Source(), Source()]
        playing = asyncio.create_task(room.lobby.play())
        await room.enter(stayer)
        await room.enter(thinker)
        await thinker.asked()
        for client in late:
            client.begin(room)
            while not client.heard:
                await asyncio.sleep(0.005)
        thinker.thought.set()
        assert await playing
        assert await room.lobby.play()
        await asyncio.sleep(0.05)
        assert stayer.ids == [room.id(0, 1), room.id(0, 2)]
        assert late[0].ids == [room.id(1, 2)] and late[1].ids == [], "first come, first served"
        assert late[1].kinds() == ["RegistrationOver"]

    evening(Room(range(2, 3), start=TWO), work)


async def occupied(room: Room) -> Thinking:
    """A game in which somebody thinks, and nobody can sign up."""
    thinker = Thinking("thinker")
    room.table = asyncio.create_task(room.lobby.play())
    await room.enter(Course("a"))
    await room.enter(thinker)
    await thinker.asked()
    return thinker


def test_so_many_may_wait_and_no_more() -> None:
    async def work(room: Room) -> None:
        await occupied(room)
        for _ in range(MOST_WAITING):
            waiting = Line(await connect(room.source_port))
            assert (await waiting.hear())["body"] == {"type": "RegistrationOver"}
        await refused(room, room.source_port)

    evening(Room(range(2, 3), start=TWO), work)


def test_who_has_stopped_waiting_takes_no_place_in_the_line() -> None:
    async def work(room: Room) -> None:
        await occupied(room)
        for _ in range(MOST_WAITING + 3):
            waiting = Line(await connect(room.source_port))
            assert (await waiting.hear())["body"] == {"type": "RegistrationOver"}
            waiting.writer.close()
            await asyncio.sleep(0.005)

    evening(Room(range(2, 3), start=TWO), work)


@pytest.mark.parametrize("said", [b'"void"', b"{}", b"junk ", b'{"type":"RESPONSE"}'])
def test_who_talks_in_the_line_is_let_go(said: bytes) -> None:
    async def work(room: Room) -> None:
        thinker = await occupied(room)
        waiting = Line(await connect(room.source_port))
        assert (await waiting.hear())["body"] == {"type": "RegistrationOver"}
        waiting.writer.write(said)
        async with asyncio.timeout(5):
            assert await waiting.hear() is None
        thinker.thought.set()
        assert await room.table

    evening(Room(range(2, 3), start=TWO), work)


@pytest.mark.parametrize("goes", ["hang up", "reset"])
def test_who_leaves_before_the_start_has_withdrawn(goes: str) -> None:
    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        for quitter in (Course("quitter"), Source()):
            await room.enter(quitter)
            await asyncio.sleep(0.02)
            if goes == "hang up":
                quitter.line.writer.close()
            else:
                quitter.line.writer.transport.abort()
            await asyncio.sleep(0.05)
        for client in (Course("a"), Course("b")):
            await room.enter(client)
        return await playing

    room = Room(range(2, 3), start=TWO)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == (["b"], [])
    assert signed.played.match.gone == {0: "dead", 1: "dead"}


def test_after_a_game_that_did_not_come_about_the_next_one_does() -> None:
    async def work(room: Room) -> None:
        lonely = Course("lonely")
        playing = asyncio.create_task(room.lobby.play())
        await room.enter(lonely)
        assert await playing is None
        await lonely.playing
        playing = asyncio.create_task(room.lobby.play())
        for name in ("a", "b"):
            await room.enter(Course(name))
        signed = await playing
        assert signed and signed.winners() == ["b"]

    evening(Room(range(2, 3), start=TWO, waits=Waits(period_s=0.3)), work)


def test_there_are_not_more_connections_than_we_can_bear() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        idle = [await connect(room.course_port) for _ in range(MOST_CONNECTIONS)]
        await asyncio.sleep(0.1)
        await refused(room, room.course_port, b'"toomany"')
        await refused(room, room.source_port)
        for _, writer in idle:
            writer.close()
        await asyncio.sleep(0.1)
        for name in ("a", "b"):
            await room.enter(Course(name))
        assert await playing

    evening(Room(range(2, 3), start=TWO, waits=Waits(period_s=LONG_S, name_s=10.0)), work)


def test_when_the_lobby_closes_everybody_is_let_go() -> None:
    async def work(room: Room) -> None:
        thinker = await occupied(room)
        waiting = Line(await connect(room.source_port))
        assert (await waiting.hear())["body"] == {"type": "RegistrationOver"}
        room.table.cancel()
        await room.lobby.close()
        async with asyncio.timeout(5):
            assert await waiting.hear() is None
            await thinker.playing

    evening(Room(range(2, 3), start=TWO), work)


# Names (RULES 10.2, 10.9)


def test_silence_instead_of_a_name() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        begun = asyncio.get_running_loop().time()
        await asyncio.gather(*(refused(room, room.course_port, first) for first in (b"", b'"half a na', b" \n")))
        assert 0.5 <= asyncio.get_running_loop().time() - begun < 3
        assert not room.joined
        playing.cancel()

    evening(Room(range(2, 7), waits=Waits(period_s=LONG_S, name_s=0.5)), work)


BAD_NAMES = [
    b'""',
    b'"twentyonecharacterslo"',
    b'"no blanks"',
    b'"n\xc3\xa4me"',
    b'"under_score"',
    b'"new\\nline"',
    b'"new\nline"',
    b"1e999 ",
    b'\xef\xbb\xbf"ada"',
    b"null ",
    b"true ",
    b"name ",
    b"[]",
    b'["name"]',
    b'{"name":"a"}',
    b"'name' ",
    b"\xff\xfe\x00",
    b'"\xff"',
    b'"' + b"x" * 70_000 + b'"',
    b"[" * 100,
    b"}",
    b'"' + b"x" * 70_000,
]


@pytest.mark.parametrize("name", BAD_NAMES, ids=lambda name: repr(name[:20]))
def test_a_bad_name_is_disconnected(name: bytes) -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        await refused(room, room.course_port, name)
        assert not room.joined
        playing.cancel()

    evening(Room(range(2, 7), waits=Waits(period_s=LONG_S)), work)


@pytest.mark.parametrize("name", [b'"a"', b'"twentycharacterslong"', b' \n"Ab9"', b'"\\u0061da"'])
def test_a_good_name_is_taken_even_in_pieces(name: bytes) -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        _, writer = await connect(room.course_port)
        for byte in name:
            writer.write(bytes([byte]))
            await asyncio.sleep(0.002)
        await room.seated(1)
        assert room.joined == [json.loads(name)]
        playing.cancel()

    evening(Room(range(2, 7)), work)


def test_decision_20_the_same_name_twice() -> None:
    async def work(room: Room) -> tuple[Signed | None, list[Player]]:
        playing = asyncio.create_task(room.lobby.play())
        bad = Course("twin", "take-turn", b"junk ")
        clients = [await room.enter(client) for client in (Course("twin"), bad, Course("twin"))]
        signed = await playing
        await asyncio.gather(*(client.playing for client in clients))
        return signed, clients

    signed, clients = evening(Room(range(3, 4), start=THREE), work)
    assert (signed.winners(), signed.removed()) == (["twin"], ["twin"])
    assert [client.heard[-1] for client in clients] == [["win", [False]], clients[1].heard[-1], ["win", [True]]]
    assert clients[1].kinds()[-1] == "take-turn"


# Prepared positions (RULES 10.10, 10.11)


def test_decision_21_more_clients_than_entries() -> None:
    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        thinker = Thinking("thinker")
        await room.enter(Course("a"))
        await room.enter(thinker)
        await refused(room, room.course_port, b'"c"')
        await thinker.asked()
        thinker.thought.set()
        return await playing

    signed = evening(Room(range(2, 3), start=TWO), work)
    assert signed.played.match.names == ["a", "thinker"]


def test_decision_22_fewer_clients_than_entries() -> None:
    async def work(room: Room) -> list[Player]:
        playing = asyncio.create_task(room.lobby.play())
        clients = [await room.enter(client) for client in (Course("a"), Course("b"))]
        assert await playing
        return clients

    a, b = evening(Room(range(2, 5), start=FOUR, waits=Waits(period_s=0.4)), work)
    [state, goal] = b.heard[0][1]
    assert [player["color"] for player in state["plmt"]] == ["white", "green"], "the first entries of plmt"
    assert goal == {"row#": 1, "column#": 1}
    assert [player["color"] for player in a.heard[0][1][0]["plmt"]] == ["green", "white"]


def test_one_plays_alone_from_a_position_for_one() -> None:
    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        await room.enter(Course("alone"))
        return await playing

    assert evening(Room(range(1, 2), start=ONE), work).winners() == ["alone"]


# Bad ones. The one in the middle misbehaves, a course client sits before it and a source client, who wins, after it.


class Outcome:
    """What became of a game with a bad one in it."""

    def __init__(self, room: Room, signed: Signed, bad: Player, course: Course, source: Source) -> None:
        self.room, self.signed, self.bad, self.course, self.source = room, signed, bad, course, source

    @property
    def why(self) -> str:
        return self.signed.played.match.gone[1]

    def ended_well(self) -> None:
        """The others play on; the bad one is removed, disconnected, and the reason is in the record."""
        room, match = self.room, self.signed.played.match
        assert self.signed.winners() == [room.id(2)] and list(match.gone) == [1]
        assert self.signed.removed() == [match.names[1]]
        assert [(seat, why) for seat, why, _ in room.faults()] == [(1, self.why)]
        assert b'"reveal"' in room.records[0][-1], "and it is proved"
        assert self.course.kinds()[0] == "setup" and self.course.heard[-1] == ["win", [False]]
        over = {"type": "GameOver", "winner": room.id(2), "winners": [room.id(2)], "removed": [room.id(1)]}
        assert self.source.heard[-1]["body"] == over
        assert "GameOver" not in self.bad.kinds() and ["win", [True]] not in self.bad.heard


def game_with(bad: Player, limit_ms: int = 10_000) -> Outcome:
    async def work(room: Room) -> Outcome:
        playing = asyncio.create_task(room.lobby.play())
        course, source = Course("good"), Source()
        for client in (course, bad, source):
            await room.enter(client)
        signed = await playing
        assert signed
        async with asyncio.timeout(5):
            await bad.playing
            await course.playing
            while "GameOver" not in source.kinds():
                await asyncio.sleep(0.005)
        return Outcome(room, signed, bad, course, source)

    outcome: Outcome = evening(Room(range(3, 4), start=THREE, limit_ms=limit_ms), work)
    return outcome


def test_with_nobody_bad_it_ends_well() -> None:
    outcome = game_with(Course("fine"))
    assert outcome.signed.winners() == [outcome.room.id(2)] and outcome.signed.removed() == []
    assert outcome.bad.kinds() == ["setup", "take-turn", "setup", "win"]
    assert outcome.source.kinds() == [
        *("Registration", "GameStart"),
        *("RequestAction", "StateUpdate", "StateUpdate", "StateUpdate"),
        *("RequestAction", "StateUpdate", "GameOver"),
    ]


COURSE_CALLS = [("setup", 1), ("take-turn", 1), ("setup", 2), ("win", 1)]

UNREADABLE: dict[str, bytes] = {
    "junk": b"\xff\xfe\x00junk",
    "not JSON": b"{nope}",
    "no UTF-8": b'"\xff\xfe"',
    "an object": b'{"a":1}',
    "a number": b"17 ",
    "null": b"null ",
    "huge": b'"' + b"x" * 70_000 + b'"',
    "huge and not ended": b"[" + b"1," * 50_000,
    "much too huge": b'"' + b"x" * 2_000_000,
    "deep": b"[" * 100 + b"]" * 100,
    "a key twice": b'[0,"LEFT",0,{"row#":3,"row#":3,"column#":1}]',
    "NaN": b'[NaN,"LEFT",0,{"row#":3,"column#":1}]',
    "infinity": b'[0,"LEFT",Infinity,{"row#":3,"column#":1}]',
    "an integer of absurd length": b"[" + b"9" * 5000 + b',"LEFT",0,{"row#":3,"column#":1}]',
    "trailing comma": b'["void",]',
    "a closing bracket": b"]",
    "flood": b'"no"' * 50_000,
}


@pytest.mark.parametrize("said", UNREADABLE)
@pytest.mark.parametrize(("call", "nth"), COURSE_CALLS)
def test_course_what_cannot_be_read_at_each_call(call: str, nth: int, said: str) -> None:
    outcome = game_with(Course("bad", call, UNREADABLE[said], nth))
    outcome.ended_well()
    assert outcome.why in ("not_json", "wrong_shape", "too_big", "flood", "not_asked", "unsolicited")
    assert outcome.bad.kinds()[-1] == call, "nothing is said to it afterwards"


@pytest.mark.parametrize("misdeed", ["silence", b'"voi', b'[0,"LEFT",0,{"row#":', b" "])
@pytest.mark.parametrize(("call", "nth"), COURSE_CALLS)
def test_course_silence_at_each_call(call: str, nth: int, misdeed: Misdeed) -> None:
    outcome = game_with(Course("bad", call, misdeed, nth), limit_ms=400)
    outcome.ended_well()
    assert outcome.room.faults() == [(1, "late", "late")]


@pytest.mark.parametrize("misdeed", ["hang up", "reset"])
@pytest.mark.parametrize(("call", "nth"), COURSE_CALLS)
def test_course_disconnecting_at_each_call(call: str, nth: int, misdeed: Misdeed) -> None:
    outcome = game_with(Course("bad", call, misdeed, nth))
    outcome.ended_well()
    assert outcome.room.faults() == [(1, "dead", None)]


@pytest.mark.parametrize(
    ("call", "nth", "said"),
    [
        ("setup", 1, b'"void""void"'),
        ("setup", 1, b'"void" junk '),
        ("setup", 1, b'"void"}'),
        ("take-turn", 1, b'"PASS""PASS"'),
        ("take-turn", 1, b'[0,"LEFT",0,{"row#":3,"column#":1}]"void""void"'),
        ("take-turn", 1, b'"PASS"]'),
        ("setup", 2, b'"void" "void"'),
    ],
)
def test_course_two_answers(call: str, nth: int, said: bytes) -> None:
    outcome = game_with(Course("bad", call, said, nth))
    outcome.ended_well()
    assert outcome.why in ("not_asked", "unsolicited", "wrong_shape", "not_json")


@pytest.mark.parametrize(("call", "said"), [("setup", '"PASS"'), ("take-turn", '"void"'), ("win", '"PASS"')])
def test_course_the_answer_to_another_call(call: str, said: str) -> None:
    outcome = game_with(Course("bad", call, said.encode()))
    outcome.ended_well()
    assert outcome.room.faults() == [(1, "wrong_shape", "unreadable")]


ILLEGAL = {
    "no_such_line": [[1, "LEFT", 0], [6, "LEFT", 0], [6, "UP", 0], [-2, "UP", 0], [10**12, "DOWN", 0]],
    "undo": [[0, "RIGHT", 0]],
    "wrong_shape": [[0, "LEFT", 360], [0, "LEFT", -90], [0, "LEFT", 45], [0, "left", 0], [0.5, "LEFT", 0]],
}


@pytest.mark.parametrize(("code", "slide"), [(code, slide) for code, slides in ILLEGAL.items() for slide in slides])
def test_course_illegal_slides(code: str, slide: list[Any]) -> None:
    outcome = game_with(Course("bad", "take-turn", wire([*slide, {"row#": 3, "column#": 1}])))
    outcome.ended_well()
    assert outcome.why == code


@pytest.mark.parametrize(
    ("code", "row", "column"),
    [
        ("off_board", 5, 0),
        ("off_board", 0, 10**30),
        ("wrong_shape", -1, 0),
        ("wrong_shape", 0, -1),
        ("wrong_shape", True, 1),
        ("stays", 1, 3),
    ],
)
def test_decision_16_destinations_that_cannot_be(code: str, row: int, column: int) -> None:
    outcome = game_with(Course("bad", "take-turn", wire([0, "LEFT", 0, {"row#": row, "column#": column}])))
    outcome.ended_well()
    assert outcome.why == code


def test_course_a_winner_who_fails_at_the_end_is_not_replaced() -> None:
    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        for client in (Course("a"), Source(), Course("best", "win", "hang up")):
            await room.enter(client)
        return await playing

    room = Room(range(3, 4), start=THREE)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == ([], ["best"])
    assert isinstance(signed.played.end, Result) and signed.played.end.ranks[2] > 1


def test_course_talking_while_others_sign_up() -> None:
    async def work(room: Room) -> tuple[Signed | None, Player]:
        playing = asyncio.create_task(room.lobby.play())
        talker = await room.enter(Course("talker"))
        talker.line.say("void")
        await talker.playing
        for client in (Course("a"), Course("b")):
            await room.enter(client)
        return await playing, talker

    room = Room(range(2, 3), start=TWO)
    signed, talker = evening(room, work)
    assert talker.heard == [] and signed.winners() == ["b"] and signed.played.match.gone == {0: "not_asked"}


def test_course_a_name_and_more_in_one_breath() -> None:
    """What follows the name is unasked, whenever it is read."""

    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        await refused(room, room.course_port, b'"talker""void"')
        for client in (Course("a"), Course("b")):
            await room.enter(client)
        signed = await playing
        assert signed and signed.winners() == ["b"] and "talker" not in signed.removed()

    evening(Room(range(2, 3), start=TWO), work)


def test_course_talking_while_another_thinks() -> None:
    async def work(room: Room) -> tuple[Signed | None, Player]:
        playing = asyncio.create_task(room.lobby.play())
        talker, thinker = Course("talker"), Thinking("thinker")
        await room.enter(talker)
        await room.enter(thinker)
        await thinker.asked()
        talker.line.say("PASS")
        await talker.playing
        thinker.thought.set()
        return await playing, talker

    signed, talker = evening(Room(range(2, 3), start=TWO), work)
    assert talker.kinds() == ["setup"]
    assert (signed.winners(), signed.removed()) == (["thinker"], ["talker"])
    assert signed.played.match.gone == {0: "not_asked"}


# The same for the source text's protocol


def hyphened(id: str) -> str:
    return "-".join([id[:8], id[8:12], id[12:16], id[16:20], id[20:]])


def answer_with(**changes: Any) -> Callable[[Any], bytes]:
    """A response that is right but for this."""
    return lambda request: wire({**response(request["id"], request["body"]["turnInfo"]["goal"]), **changes})


def moving(**changes: Any) -> Callable[[Any], bytes]:
    def said(request: Any) -> bytes:
        message = response(request["id"], request["body"]["turnInfo"]["goal"])
        message["body"]["move"].update(changes)
        return wire(message)

    return said


def sliding(**changes: Any) -> Callable[[Any], bytes]:
    return moving(slideAction={"direction": "LEFT", "index": 0, "rotations": 0, **changes})


TURN: dict[str, tuple[Misdeed, tuple[str, ...]]] = {
    **{name: (said, ("not_json", "wrong_shape", "too_big", "flood")) for name, said in UNREADABLE.items()},
    "no request": (answer_with(type="REQUEST"), ("wrong_shape",)),
    "no id": (answer_with(id=None), ("wrong_shape",)),
    "a number as id": (answer_with(id=5), ("wrong_shape",)),
    "no body": (answer_with(body=None), ("wrong_shape",)),
    "another body": (answer_with(body={"type": "Registration"}), ("wrong_shape",)),
    "no move": (answer_with(body={"type": "ResponseAction"}), ("wrong_shape",)),
    "a list as move": (answer_with(body={"type": "ResponseAction", "move": []}), ("wrong_shape",)),
    "a string": (b'"PASS"', ("wrong_shape",)),
    "a list": (lambda request: wire([response(request["id"])]), ("wrong_shape",)),
    "wrong id": (lambda request: wire(response("0" * 32)), ("wrong_id",)),
    "empty id": (lambda request: wire(response("")), ("wrong_id",)),
    "id twice": (lambda r: b'{"id":"' + r["id"].encode() + b'",' + wire(response(r["id"]))[1:], ("not_json",)),
    "unknown move": (moving(type="HOP"), ("wrong_shape",)),
    "no slide": (moving(slideAction=None), ("wrong_shape",)),
    "no place to go": (moving(moveTo=None), ("wrong_shape",)),
    "off the board": (moving(moveTo={"row": 5, "column": 0}), ("off_board",)),
    "far off the board": (moving(moveTo={"row": 10**40, "column": -(10**40)}), ("off_board",)),
    "negative": (moving(moveTo={"row": -1, "column": 0}), ("off_board",)),
    "a truth as a number": (moving(moveTo={"row": True, "column": 1}), ("wrong_shape",)),
    "half a row": (moving(moveTo={"row": 1.5, "column": 1}), ("wrong_shape",)),
    "stays": (moving(moveTo={"row": 1, "column": 3}), ("stays",)),
    "an odd line": (sliding(index=1), ("no_such_line",)),
    "no such line": (sliding(index=6), ("no_such_line",)),
    "negative line": (sliding(index=-2), ("no_such_line",)),
    "undo": (sliding(direction="RIGHT"), ("undo",)),
    "no direction": (sliding(direction="left"), ("wrong_shape",)),
    "a full turn": (sliding(rotations=4), ("bad_degrees",)),
    "turned back": (sliding(rotations=-1), ("bad_degrees",)),
    "in degrees": (sliding(rotations=90), ("bad_degrees",)),
    "NaN turns": (
        lambda r: wire(response(r["id"], r["body"]["turnInfo"]["goal"])).replace(b"0}", b"NaN}"),
        ("not_json",),
    ),
    "trailing junk": (lambda request: wire(response(request["id"])) + b"junk ", ("not_asked", "not_json")),
    "two answers": (lambda request: wire(response(request["id"])) * 2, ("not_asked", "wrong_id")),
    "a flood of answers": (lambda request: wire(response(request["id"])) * 5000, ("not_asked", "wrong_id", "flood")),
    "hang up": ("hang up", ("dead",)),
    "reset": ("reset", ("dead",)),
}


@pytest.mark.parametrize("misdeed", TURN)
def test_source_misbehaving_at_its_turn(misdeed: str) -> None:
    said, codes = TURN[misdeed]
    outcome = game_with(Source("RequestAction", said))
    outcome.ended_well()
    assert outcome.why in codes


@pytest.mark.parametrize("misdeed", ["silence", b'{"type":"RESPONSE","id":"', b" \n"])
def test_source_silence_at_its_turn(misdeed: Misdeed) -> None:
    outcome = game_with(Source("RequestAction", misdeed), limit_ms=400)
    outcome.ended_well()
    assert outcome.room.faults() == [(1, "late", "late")]


UNASKED: dict[str, Misdeed] = {
    "a response": wire(response("0" * 32)),
    "a response to what needs none": lambda request: wire(response(request["id"])),
    "junk": b"junk ",
    "a string": b'"void"',
    "huge": b'"' + b"x" * 70_000 + b'"',
    "deep": b"[" * 100,
    "flood": b"{}" * 50_000,
    "hang up": "hang up",
    "reset": "reset",
}


@pytest.mark.parametrize("misdeed", UNASKED)
@pytest.mark.parametrize("request_", ["GameStart", "StateUpdate"])
def test_decision_10_source_speaking_unasked(request_: str, misdeed: str) -> None:
    outcome = game_with(Source(request_, UNASKED[misdeed]))
    outcome.ended_well()
    quick = ("not_json", "wrong_shape", "too_big", "wrong_id", "flood")  # when its turn has come meanwhile
    assert outcome.why in (("dead",) if misdeed in ("hang up", "reset") else ("not_asked", *quick))


@pytest.mark.parametrize("misdeed", UNASKED)
def test_source_speaking_while_others_sign_up(misdeed: str) -> None:
    async def work(room: Room) -> tuple[Signed | None, Player]:
        playing = asyncio.create_task(room.lobby.play())
        talker = await room.enter(Source("Registration", UNASKED[misdeed]))
        async with asyncio.timeout(5):
            await talker.playing
        await asyncio.sleep(0.05)
        for client in (Course("a"), Course("b")):
            await room.enter(client)
        return await playing, talker

    room = Room(range(2, 3), start=TWO)
    signed, talker = evening(room, work)
    assert talker.kinds() == ["Registration"] and signed.winners() == ["b"]
    assert signed.played.match.gone == {0: "dead" if misdeed in ("hang up", "reset") else "not_asked"}


def test_decision_9_an_old_id() -> None:
    old: list[str] = []

    def first_id(request: Any) -> bytes:
        return wire(response(old[0]))

    class Forgetful(Source):
        def answer(self, message: Any) -> None:
            if message["body"]["type"] == "RequestAction":
                old.append(message["id"])
            super().answer(message)

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        for client in (Course("a"), Course("b"), Forgetful("RequestAction", first_id, 2)):
            await room.enter(client)
        return await playing

    room = Room(range(3, 4), start=THREE)
    signed = evening(room, work)
    assert signed.winners() == ["b"] and room.faults() == [(2, "wrong_id", "unreadable")]


def test_decision_3_hyphens_and_capitals_are_understood() -> None:
    class Formal(Source):
        def answer(self, message: Any) -> None:
            super().answer({**message, "id": hyphened(message["id"]).upper()})

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        for client in (Course("a"), Formal()):
            await room.enter(client)
        return await playing

    room = Room(range(2, 3), start=TWO)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == ([room.id(1)], []) and room.faults() == []


def test_source_a_game_over_that_is_answered_costs_the_connection_and_no_more() -> None:
    async def work(room: Room) -> None:
        talker = Source("GameOver", b'{"thanks":true}')
        playing = asyncio.create_task(room.lobby.play())
        for client in (Course("a"), talker):
            await room.enter(client)
        signed = await playing
        assert signed and signed.winners() == [room.id(1)] and signed.removed() == []
        async with asyncio.timeout(5):
            await talker.playing
        playing = asyncio.create_task(room.lobby.play())
        for name in ("b", "c"):
            await room.enter(Course(name))
        signed = await playing
        assert signed and signed.played.match.names == ["b", "c"]

    evening(Room(range(2, 3), start=TWO), work)


@pytest.mark.parametrize("goes", ["hang up", "reset"])
def test_source_who_leaves_after_the_end_is_not_registered_again(goes: Misdeed) -> None:
    async def work(room: Room) -> None:
        leaver = Source("GameOver", goes)
        playing = asyncio.create_task(room.lobby.play())
        for client in (leaver, Course("a")):
            await room.enter(client)
        signed = await playing
        assert signed and signed.winners() == ["a"] and signed.removed() == []
        await leaver.playing
        await asyncio.sleep(0.05)
        playing = asyncio.create_task(room.lobby.play())
        for name in ("b", "c"):
            await room.enter(Course(name))
        signed = await playing
        assert signed and signed.winners() == ["c"]

    evening(Room(range(2, 3), start=TWO), work)


def test_source_a_response_in_pieces() -> None:
    """Cut anywhere, even within a character."""

    class Slow(Source):
        def answer(self, message: Any) -> None:
            if message["body"]["type"] != "RequestAction":
                super().answer(message)
                return
            goal = message["body"]["turnInfo"]["goal"]
            said = {"comment": "→ └┘", **response(message["id"], goal)}
            self._typing = asyncio.create_task(self._type(json.dumps(said, ensure_ascii=False).encode()))

        async def _type(self, data: bytes) -> None:
            for byte in data:
                self.line.writer.write(bytes([byte]))
                await self.line.writer.drain()
                await asyncio.sleep(0)

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        for client in (Course("a"), Slow()):
            client_ready = await room.enter(client)
            client_ready.line.writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return await playing

    room = Room(range(2, 3), start=TWO)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == ([room.id(1)], [])


@pytest.mark.parametrize("home", [False, True])
def test_source_who_arrives_and_hangs_up_in_one_breath(home: bool) -> None:
    """The move stands, the seat is lost, and the server lives on."""

    class Hasty(Source):
        def answer(self, message: Any) -> None:
            super().answer(message)
            if message["body"]["type"] == "RequestAction" and self.kinds().count("RequestAction") == 1 + home:
                self.line.writer.close()

    async def work(room: Room) -> Signed | None:
        hasty = Hasty()
        playing = asyncio.create_task(room.lobby.play())
        for client in (Course("a"), Course("b"), hasty):
            await room.enter(client)
        return await playing

    room = Room(range(3, 4), start=THREE)
    signed = evening(room, work)
    assert signed.removed() == [room.id(2)] and signed.winners() == ([] if home else ["b"])


def test_source_who_hangs_up_while_another_comes_home() -> None:
    """Both are heard at the same moment, the way home first: then the other is told of the end, and is not there."""
    gone = Source()

    class Homing(Course):
        def answer(self, message: Any) -> None:
            super().answer(message)
            if message[0] == "take-turn" and self.kinds().count("take-turn") == 2:
                gone.line.writer.get_extra_info("socket").shutdown(socket.SHUT_WR)

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        for client in (gone, Course("a"), Homing("b")):
            await room.enter(client)
        return await playing

    room = Room(range(3, 4), start=THREE)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) in ((["b"], [room.id(0)]), (["b"], []))


def test_source_a_client_that_stops_reading() -> None:
    """On the largest board there is: what it is sent fills every buffer, and nobody waits for it."""

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        for name in ("a", "b"):
            await room.enter(Passing(name))
        deaf = await connect(room.source_port)
        deaf[1].transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads
        await room.seated(3)
        return await playing

    room = Room(range(3, 4), limit_ms=500, rows=40, columns=40, round_cap=30)
    signed = evening(room, work)
    assert signed.played.match.gone in ({2: "late"}, {2: "dead"}) and signed.removed() == [room.id(2)]


def test_no_state_update_comes_before_the_game_has_started() -> None:
    """When somebody is removed at set-up, the last to be waited for."""

    async def work(room: Room) -> Source:
        source = Source()
        playing = asyncio.create_task(room.lobby.play())
        for client in (Course("a"), source, Course("bad", "setup", b'"no"')):
            await room.enter(client)
        signed = await playing
        assert signed and signed.removed() == ["bad"]
        await asyncio.sleep(0.05)
        return source

    source = evening(Room(range(3, 4), start=THREE), work)
    assert source.kinds()[:2] == ["Registration", "GameStart"]


def test_who_is_removed_is_told_nothing_more() -> None:
    outcome = game_with(Source("RequestAction", b"junk "))
    outcome.ended_well()
    assert outcome.bad.kinds()[-1] == "RequestAction"


def test_the_last_to_be_removed_is_not_told_the_end() -> None:
    async def work(room: Room) -> tuple[Signed | None, Player]:
        bad = Source("RequestAction", b"junk ")
        playing = asyncio.create_task(room.lobby.play())
        for client in (Course("a", "setup", "hang up"), bad):
            await room.enter(client)
        signed = await playing
        await bad.playing
        return signed, bad

    room = Room(range(2, 3), start=TWO)
    signed, bad = evening(room, work)
    assert (signed.winners(), signed.removed()) == ([], sorted(["a", room.id(1)]))
    assert "GameOver" not in bad.kinds()


# The server lives on


def misdeeds() -> list[Callable[[], Player]]:
    """One of every kind, for both protocols."""
    vanishing: list[Misdeed] = ["silence", "hang up", "reset", b'"x']
    course: list[tuple[str, Misdeed, int]] = [
        *[("setup", said, 1) for said in UNREADABLE.values() if len(said) < 100_000],
        *[(call, misdeed, nth) for call, nth in COURSE_CALLS for misdeed in vanishing],
        *[("take-turn", said, 1) for said in (b'"void"', b'"PASS""PASS"', b'[1,"LEFT",0,{"row#":1,"column#":1}]')],
    ]
    quick: list[Misdeed] = [said for said, _ in TURN.values() if not isinstance(said, bytes) or len(said) < 100_000]
    source: list[tuple[str, Misdeed]] = [("GameStart", b"junk "), ("StateUpdate", "reset"), ("GameStart", "hang up")]
    source += [("RequestAction", said) for said in (*quick, *vanishing)]

    def of_course(call: str, misdeed: Misdeed, nth: int) -> Callable[[], Player]:
        return lambda: Course("bad", call, misdeed, nth)

    def of_source(request: str, misdeed: Misdeed) -> Callable[[], Player]:
        return lambda: Source(request, misdeed)

    return [of_course(*each) for each in course] + [of_source(*each) for each in source]


def test_a_hundred_games_with_somebody_bad_in_each() -> None:
    """One lobby, one source client who stays to the end, and every game ends as it should."""
    games = 100
    bad = misdeeds()
    bad = (bad * games)[:games] if len(bad) < games else bad

    async def work(room: Room) -> None:
        stayer = Source()
        for number, make in enumerate(bad, start=1):
            playing = asyncio.create_task(room.lobby.play())
            if number == 1:
                await room.enter(stayer)
            else:
                await room.seated(len(room.joined) + (len(room.joined) % 3 == 0))
            misdoer, good = make(), Course("good")
            await room.enter(misdoer)
            await room.enter(good)
            async with asyncio.timeout(5):
                signed = await playing
                await asyncio.gather(misdoer.playing, good.playing)
            assert signed is not None and signed.winners() == ["good"], f"game {number}"
            assert signed.removed() == [signed.played.match.names[1]] and list(signed.played.match.gone) == [1]
            assert good.heard[-1] == ["win", [True]] and stayer.ids[-1] == room.id(0, number)
        await asyncio.sleep(0.05)
        assert stayer.kinds().count("GameOver") == len(bad) and not stayer.playing.done()
        assert len(room.records) == len(bad) >= games

    room = Room(range(3, 4), start=THREE, limit_ms=500)
    evening(room, work)


# Time (RULES 5.4)


def test_decision_10_of_weaknesses_a_game_that_takes_too_long_is_scored() -> None:
    """Both go to and fro and never pass; the one who is nearer to its goal then has won."""

    async def work(room: Room) -> tuple[Signed | None, list[Player]]:
        playing = asyncio.create_task(room.lobby.play())
        clients = [await room.enter(Pacing(name)) for name in ("far", "near")]
        signed = await playing
        await asyncio.gather(*(client.playing for client in clients))
        return signed, clients

    start = position(crosses(7, 7), "5,5 5,5", "5,5 1,1", at="0,0 0,0")
    room = Room(range(2, 3), start=start, waits=Waits(period_s=LONG_S, cap_s=0.6))
    signed, clients = evening(room, work)
    assert isinstance(signed.played.end, Result) and signed.played.end.scores == (0, 0)
    assert (signed.winners(), signed.removed()) == (["near"], [])
    assert b'"Stop"' in b"".join(room.records[0])
    assert [client.heard[-1] for client in clients] == [["win", [False]], ["win", [True]]]


def test_course_who_thinks_when_time_is_up_is_not_blamed() -> None:
    """Its turn is answered first, as it was asked first; that answer is too late to matter, and no answer to `win`."""

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        other, thinker = Course("other"), Thinking("thinker")
        for client in (other, thinker):
            await room.enter(client)
        async with asyncio.timeout(5):
            while "win" not in other.kinds():
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        thinker.thought.set()
        return await playing

    room = Room(range(2, 3), start=TWO, waits=Waits(period_s=LONG_S, cap_s=0.4))
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == (["other", "thinker"], []), room.faults()


def test_source_who_thinks_when_time_is_up_is_not_blamed() -> None:
    """The response crosses the end on its way; the connection lives on."""

    class Late(Source):
        def answer(self, message: Any) -> None:
            if message["body"]["type"] == "RequestAction":
                self.open = message
            else:
                super().answer(message)

    async def work(room: Room) -> None:
        late = Late()
        playing = asyncio.create_task(room.lobby.play())
        for client in (Course("other"), late):
            await room.enter(client)
        signed = await playing
        assert signed and signed.removed() == []
        late.line.say(response(late.open["id"]))
        await asyncio.sleep(0.1)
        assert not late.playing.done(), "it has done nothing wrong"
        playing = asyncio.create_task(room.lobby.play())
        await room.seated(3)
        assert late.ids == [room.id(1, 1), room.id(0, 2)]
        playing.cancel()

    evening(Room(range(2, 3), start=TWO, waits=Waits(period_s=LONG_S, cap_s=0.4)), work)


# What keeps a match from coming about


@pytest.mark.parametrize("after", [0, 1])
def test_a_watch_that_fails_is_told_to_the_host(after: int) -> None:
    lines: list[bytes] = []

    def full(match: Match[Any], out: Out) -> None:
        lines.extend(out.lines)
        if len(lines) > after:
            raise OSError("disk full")

    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        await asyncio.sleep(0.05)
        if not playing.done():
            Course("a").begin(room)
        with pytest.raises(OSError, match="disk full"):
            async with asyncio.timeout(3):
                await playing

    evening(Room(range(2, 3), start=TWO, watch=full), work)


# Everybody at one table


SOURCE_CHILD = """
import codecs, json, os, sys
decode, text, me = codecs.getincrementaldecoder("utf-8")().decode, "", ""
while data := os.read(0, 65536):
    text += decode(data)
    while text:
        try:
            message, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            break
        text, body = text[end:], message["body"]
        if body["type"] == "Registration":
            me = body["playerId"]
        elif body["type"] == "RequestAction":
            slide = {"direction": "LEFT", "index": 0, "rotations": 0}
            move = {"type": "MOVE", "slideAction": slide, "moveTo": body["turnInfo"]["goal"]}
            if body["stateInfo"]["playerInfo"][me]["position"] == body["turnInfo"]["goal"]:
                move = {"type": "PASS"}
            reply = {"type": "RESPONSE", "id": message["id"], "body": {"type": "ResponseAction", "move": move}}
            os.write(1, json.dumps(reply).encode())
        elif body["type"] == "GameOver":
            print(me, body["winner"], file=sys.stderr, flush=True)
"""

OWN_CHILD = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "own"}), flush=True)
    elif message["type"] == "ask":
        view = message["view"]
        (row, column), at = view["goal"], view["avatars"][view["seat"]]["at"]
        move = {"type": "Move", "index": 0, "direction": "LEFT", "degrees": 0, "row": row, "column": column}
        action = {"type": "Pass"} if at == view["goal"] else move
        print(json.dumps({"type": "answer", "id": message["id"], "action": action}), flush=True)
"""


def children(folder: Path) -> list[str]:
    """Players from the command line: in our own protocol, and in the source text's."""
    (folder / "own.py").write_text(OWN_CHILD)
    (folder / "stdio.py").write_text(SOURCE_CHILD)
    return [f"exec:{sys.executable} {folder / 'own.py'}", f"exec+maze:{sys.executable} {folder / 'stdio.py'}"]


FIVE = position(crosses(7, 7), "1,1 1,3 1,5 3,1 3,3", "5,5 5,3 5,1 3,5 5,5")


def test_five_kinds_of_players_at_one_table(tmp_path: Path) -> None:
    async def work(room: Room) -> tuple[Signed | None, Player, Player]:
        playing = asyncio.create_task(room.lobby.play())
        await room.bots_seated(3)
        course, source = Course("course"), Source()
        for client in (course, source):
            await room.enter(client)
        signed = await playing
        await course.playing
        await asyncio.sleep(0.05)
        return signed, course, source

    room = Room(range(5, 6), *children(tmp_path), "euclid", start=FIVE)
    signed, course, source = evening(room, work)
    assert signed.played.match.names == ["own", "stdio", "euclid", "course", room.id(4)]
    assert (signed.winners(), signed.removed()) == ([room.id(4)], []) and room.faults() == []
    assert isinstance(signed.played.end, Result) and signed.played.end.scores == (1, 1, 1, 1, 1)
    assert course.kinds() == ["setup", "take-turn", "setup", "win"] and source.kinds()[-1] == "GameOver"
    assert signed.played.stderr[1].split() == [room.id(1), room.id(4)], "the end is told to the command too"


def test_clients_may_sign_up_while_commands_are_still_being_started(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time\ntime.sleep(1)\n" + OWN_CHILD)

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        await asyncio.sleep(0.1)
        Course("early").begin(room)
        async with asyncio.timeout(6):
            return await playing

    room = Room(range(2, 3), f"exec:{sys.executable} {slow}", start=TWO)
    assert sorted(evening(room, work).played.match.names) == ["early", "own"]


def test_a_command_that_misbehaves_is_removed(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(SOURCE_CHILD.replace('message["id"]', '"0" * 32'))

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.lobby.play())
        await room.bots_seated(1)
        await room.enter(Course("good"))
        return await playing

    room = Room(range(2, 3), f"exec+maze:{sys.executable} {bad}", start=TWO)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == (["good"], ["bad"]) and room.faults() == [
        (0, "wrong_id", "unreadable")
    ]


# As a command


class Host:
    """`parlour host maze` in a process of its own."""

    def __init__(self, *words: str) -> None:
        self.words = words

    async def __aenter__(self) -> "Host":
        command = [sys.executable, "-m", "parlour", "host", "maze", *self.words, "--port", "0", "--course-port", "0"]
        pipe = asyncio.subprocess.PIPE
        environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
        self.process = await asyncio.create_subprocess_exec(
            *command, stdout=pipe, stderr=pipe, cwd=ROOT, env=environment
        )
        assert self.process.stderr is not None
        self.said: list[str] = []
        async with asyncio.timeout(20):
            while not self.said or not self.said[-1].startswith("Maze on "):
                self.said.append((await self.process.stderr.readline()).decode())
        where = [word.rstrip(";") for word in self.said[-1].split() if word.startswith("127.0.0.1:")]
        self.source_port, self.course_port = [int(word.partition(":")[2]) for word in where]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.communicate()

    async def result(self) -> Any:
        """The one line it prints, when it has ended well."""
        out, error = await self.process.communicate()
        assert self.process.returncode == 0, error.decode()
        [line] = out.decode().splitlines()
        return json.loads(line)

    async def signed_up(self) -> None:
        assert self.process.stderr is not None
        async with asyncio.timeout(10):
            assert b"signs up" in await self.process.stderr.readline()


def state_file(folder: Path, start: Prepared) -> str:
    """A referee's state, in the course's form."""
    (folder / "state.json").write_text(json.dumps(referee_state(placed(start))))
    return str(folder / "state.json")


def placed(start: Prepared) -> State:
    return State.new(len(start.players), Options(), start, fresh(2).dice)


async def guests(host: Any, clients: Sequence[Player]) -> Any:
    for client in clients:
        client.begin(host)
        await host.signed_up()
    return await host.result()


def test_host_prints_winners_and_misbehavers(tmp_path: Path) -> None:
    async def work() -> Any:
        record = tmp_path / "game.jsonl"
        words = ["--once", "--state", state_file(tmp_path, THREE), "--record", str(record)]
        async with Host(*words) as host:
            result = await guests(host, [Course("a"), Course("zed", "take-turn", b"junk "), Course("b")])
        assert verify(record.read_bytes(), game).holds == "yes"
        return result

    assert run(work()) == [["b"], ["zed"]]


def test_host_reports_a_source_client_by_its_id(tmp_path: Path) -> None:
    async def work() -> None:
        source = Source()
        async with Host("--once", "--state", state_file(tmp_path, TWO)) as host:
            result = await guests(host, [Course("a"), source])
        assert result == [[source.ids[0]], []] and len(source.ids[0]) == 32

    run(work())


def test_host_with_nobody() -> None:
    async def work() -> Any:
        async with Host("--once", "--wait", "0.3") as host:
            return await host.result()

    assert run(work()) == [[], []]


@pytest.mark.parametrize("lonely", [Course("lonely"), Source()])
def test_host_once_with_one_client_ends_after_two_periods(lonely: Player) -> None:
    async def work() -> Any:
        async with Host("--once", "--wait", "0.5") as host:
            async with asyncio.timeout(10):
                result = await guests(host, [lonely])
                await lonely.playing
            return result

    assert run(work()) == [[], []]


def test_host_a_position_for_nobody(tmp_path: Path) -> None:
    async def work() -> Any:
        empty = position(crosses(3, 3), "", "")
        path = tmp_path / "state.json"
        form = referee_state(fresh(2, rows=3, columns=5))
        path.write_text(json.dumps({**form, "plmt": []}))
        assert empty.players == ()
        async with Host("--once", "--state", str(path)) as host:
            async with asyncio.timeout(10):
                return await host.result()

    assert run(work()) == [[], []]


def test_host_fewer_clients_than_the_position_has_players(tmp_path: Path) -> None:
    async def work() -> Any:
        async with Host("--once", "--wait", "1.5", "--state", state_file(tmp_path, FOUR)) as host:
            return await guests(host, [Course("a"), Course("b")])

    assert run(work()) == [["b"], []]


def test_host_more_clients_than_the_position_has_players(tmp_path: Path) -> None:
    async def work() -> Any:
        thinker = Thinking("thinker")
        async with Host("--once", "--state", state_file(tmp_path, TWO)) as host:
            for client in (Course("a"), thinker):
                client.begin(host)  # type: ignore[arg-type]  # it has the ports
                await host.signed_up()
            await thinker.asked()
            reader, _ = await connect(host.course_port, '"late"')
            assert await reader.read() == b""
            thinker.thought.set()
            return await host.result()

    assert run(work()) == [["thinker"], []]


def test_host_a_position_for_seven_is_played_by_six(tmp_path: Path) -> None:
    async def work() -> Any:
        homes = "1,1 1,3 1,5 3,1 3,3 3,5 5,1"
        seven = position(crosses(7, 7), homes, "5,5 5,3 5,1 5,5 5,5 5,5 5,5")
        clients = [Course(f"client{number}") for number in range(6)]
        async with Host("--once", "--state", state_file(tmp_path, seven)) as host:
            result = await guests(host, clients)
        colours = [player["color"] for player in clients[5].heard[0][1][0]["plmt"]]
        assert colours == ["purple", "pink", "black", "white", "green", "blue"], "the first six entries"
        return result

    assert run(work()) == [["client5"], []]


def test_host_stops_and_scores_a_game_that_takes_too_long(tmp_path: Path) -> None:
    async def work() -> Any:
        start = position(crosses(7, 7), "5,5 5,5", "5,5 1,1", at="0,0 0,0")
        async with Host("--once", "--cap", "0.6", "--state", state_file(tmp_path, start)) as host:
            return await guests(host, [Pacing("far"), Pacing("near")])

    assert run(work()) == [["near"], []]


def test_host_with_a_limit(tmp_path: Path) -> None:
    async def work() -> Any:
        async with Host("--once", "--limit", "0.5", "--state", state_file(tmp_path, TWO)) as host:
            return await guests(host, [Course("a"), Course("b", "take-turn", "silence")])

    assert run(work()) == [["a"], ["b"]]


def test_host_goes_on_from_game_to_game(tmp_path: Path) -> None:
    """Without --once: a line of JSON for each, and the source client stays."""

    async def work() -> None:
        folder = tmp_path / "records"
        stayer = Source()
        words = ["--state", state_file(tmp_path, TWO), "--record", str(folder)]
        async with Host(*words) as host:
            stayer.begin(host)  # type: ignore[arg-type]
            assert host.process.stdout is not None
            for number in range(3):
                await host.signed_up()
                Course(f"guest{number}").begin(host)  # type: ignore[arg-type]
                await host.signed_up()
                result = json.loads(await host.process.stdout.readline())
                assert result["players"] == [stayer.ids[number], f"guest{number}"] and result["ranks"] == [2, 1]
        records = list(folder.iterdir())
        assert len([path for path in records if verify(path.read_bytes(), game).holds == "yes"]) == 3

    run(work())


def test_host_everybody_at_one_table(tmp_path: Path) -> None:
    async def work() -> None:
        source = Source()
        record = tmp_path / "game.jsonl"
        words = ["--once", "--state", state_file(tmp_path, FIVE), "--record", str(record)]
        async with Host(*children(tmp_path), "euclid", *words) as host:
            while not record.exists() or record.read_bytes().count(b'"Join"') < 3:
                await asyncio.sleep(0.02)
            assert await guests(host, [Course("course"), source]) == [source.ids, []]

    run(work())


# Time and signing up


def test_players_sign_up_for_longer_than_an_answer_may_take() -> None:
    """The limit for answers closes no table; and of one that nobody came to nothing is left."""

    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        await asyncio.sleep(0.8)
        assert not playing.done() and room.records == [[]]
        for name in ("a", "b"):
            await room.enter(Course(name))
        signed = await playing
        assert signed and signed.played.match.names == ["a", "b"]

    evening(Room(range(2, 3), start=TWO, limit_ms=300, waits=Waits(period_s=30.0)), work)


def test_a_table_is_not_full_of_those_who_have_hung_up() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        await room.enter(Course("a"))
        for _ in range(10):
            _, writer = await connect(room.course_port, '"gone"')
            writer.transport.abort()
        await asyncio.sleep(0.2)
        await room.enter(Course("b"))
        signed = await playing
        assert (
            signed and signed.winners() and [name for name in signed.played.match.names if name != "gone"] == ["a", "b"]
        )
        assert signed.removed() == []

    evening(Room(range(2, 3), start=TWO), work)


def test_a_bot_without_a_seat_is_told_to_the_host() -> None:
    async def work(room: Room) -> None:
        with pytest.raises(CannotPlay, match="there is no seat for random"):
            await room.lobby.play()

    evening(Room(range(2, 7), "euclid", "riemann", "random", rows=3, columns=5), work)


def test_a_hosted_match_that_was_cut_short_goes_on(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.lobby.play())
        for name in ("a", "b"):
            await room.enter(Course(name))
        await playing

    room = Room(range(2, 3), start=TWO)
    evening(room, work)
    lines = room.records[0]
    closed = next(place for place, line in enumerate(lines) if b'"Close"' in line)
    (tmp_path / "m.jsonl").write_bytes(b"".join(line + b"\n" for line in lines[: closed + 3]))
    (tmp_path / "m.jsonl.seed").write_text(room.seed(1).hex())
    command = [sys.executable, "-m", "parlour", "resume", "m.jsonl", "euclid", "riemann"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "won" in done.stdout, done.stderr
    assert verify((tmp_path / "m.jsonl").read_bytes(), game).holds == "yes"
    (tmp_path / "n.jsonl").write_bytes(b"".join(line + b"\n" for line in lines[:closed]))
    (tmp_path / "n.jsonl.seed").write_text(room.seed(1).hex())
    command[4] = "n.jsonl"
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "was cut while players signed up" in done.stderr
