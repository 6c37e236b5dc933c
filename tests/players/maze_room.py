"""A host that serves Maze over real sockets in both of its protocols, and its clients."""

import asyncio
import codecs
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from parlour.core import Result
from parlour.games import game
from parlour.games.maze.source import player_id
from parlour.games.maze.values import Options, Prepared
from parlour.players.play import Played
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.driver import Watch
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.replay import verify
from parlour.referee.transcript import Limits, match_name
from parlour.server.startup import hosted
from parlour.tables.house import HousePlan, NextMatch, Waits
from tests.games.maze.tables import crosses, position
from tests.players.clients import CLIENTS, Client, connect, run
from tests.turned import SOON_S, settle, turn, until

MAZE = game("maze")

LONG_S = 60.0
"""A limit that no test reaches, unless it turns the clock."""

FOUR = position(crosses(5, 5), "1,1 1,3 3,1 3,3", "3,3 3,1 1,3 1,1")
"""All players are at home, their goals are opposite, and each move can reach every tile."""
THREE = position(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,1 1,3")
TWO = position(crosses(3, 5), "1,1 1,3", "1,3 1,1")
ONE = position(crosses(3, 3), "1,1", "1,1", "0,0")


class Signed(Struct, frozen=True):
    """A match that has ended."""

    played: Played

    def winners(self) -> list[str]:
        end, names = self.played.end, self.played.match.names
        return sorted(
            names[seat] for seat, rank in enumerate(end.ranks if isinstance(end, Result) else ()) if rank == 1
        )

    def removed(self) -> list[str]:
        match = self.played.match
        return sorted(match.names[seat] for seat in match.gone)


class Room:
    """A host on two ports of its own, and what its matches left behind."""

    table: "asyncio.Task[Signed | None]"
    match: Match[Any] = None  # type: ignore[assignment]  # tests look at it after it has begun
    """The last match that was reported."""

    def __init__(
        self,
        seats: range,
        *bots: str,
        start: Prepared | None = None,
        limit_s: float = LONG_S,
        name_s: float = LONG_S,
        cap_s: float = 3600.0,
        watch: Watch | None = None,
        **options: Any,
    ) -> None:
        limits = Limits(round(limit_s * 1000))
        terms = Terms(game=MAZE, options=Options(**options), start=start, limits=limits, handshake_s=LONG_S)
        waits = Waits(period_s=LONG_S, name_s=name_s, cap_s=cap_s)
        self._results: asyncio.Queue[Played | Exception | None] = asyncio.Queue()
        self._plan = HousePlan(
            terms=terms,
            fewest=seats[0],
            most=seats[-1] if start is None else min(seats[-1], len(start.players)),
            specs=[load(MAZE, bot) for bot in bots],
            new_match=self._new_table,
            waits=waits,
            joined=lambda name, missing: self.joined.append(name),
            ended=self._results.put_nowait,
            failed=self._results.put_nowait,
        )
        self.joined: list[str] = []
        self.records: list[list[bytes]] = []
        self._also = watch

    def _new_table(self) -> NextMatch:
        lines: list[bytes] = []
        self.records.append(lines)

        def watch(match: Match[Any], out: Out) -> None:
            self.match = match
            if self._also is not None:
                self._also(match, out)

        return NextMatch(self.seed(len(self.records)), MemoryLog(lines), watch)

    @staticmethod
    def seed(number: int) -> bytes:
        return f"match {number}".encode()

    def id(self, seat: int, number: int = 1) -> str:
        """Of a player in the so manieth match."""
        return player_id(match_name(self.seed(number)), seat)

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Room"]:
        async with hosted(self._plan, {"maze": 0, "maze/course": 0}, page_folder=Path("no page")) as self.serving:
            self.source_port, self.course_port = self.serving.listeners["maze"], self.serving.listeners["maze/course"]
            yield self

    async def play(self) -> "Signed | None":
        """The next match that ends; None if there were too few players."""
        result = await self._results.get()
        if isinstance(result, Exception):
            raise result
        return None if result is None else Signed(result)

    async def seated(self, count: int) -> None:
        """Wait until so many players have signed up since the room was opened."""
        await until(lambda: len(self.joined) >= count)

    async def bots_seated(self, count: int) -> None:
        await until(
            lambda: sum(chair.taken for table in self.serving.arena.open.values() for chair in table.chairs) >= count
        )

    async def emptied(self) -> None:
        """Wait until the server has noticed all disconnections."""
        await until(lambda: self.connected() == 0)

    def connected(self) -> int:
        """How many clients are connected, as far as the server knows."""
        return sum(session.is_here for session in self.serving.client_desk._here)

    async def left(self, seat: int) -> None:
        """Wait until this player has left the match."""
        await until(lambda: seat in self.match.gone)

    async def outwait(self, silent: "Player", seat: int) -> None:
        """Let its time run out, when it alone is waited for, and what it says instead of an answer is here."""
        await until(lambda: silent.misbehaves and list(self.match.open) == [seat])
        await settle()
        await self.stored()
        turn(LONG_S)

    async def stored(self) -> None:
        """Wait until the open asks are delivered: their time limits begin then."""
        for table in [*self.serving.arena.playing.values()]:
            assert await table.settled()

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
        """The players that were removed, with the reason and the fault, read from the transcript."""
        inputs = [json.loads(line) for line in self.records[number - 1]]
        return [
            (line["do"]["seat"], line["do"]["why"], line["fault"]["kind"] if line.get("fault") else None)
            for line in inputs
            if line["kind"] == "input" and line["do"] and line["do"]["type"] == "Leave"
        ]


def evening(room: Room, work: Callable[[Room], Awaitable[Any]]) -> Any:
    """Run some work in the room, and verify its transcripts."""

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
    misbehaves = False
    """Whether it has come to that."""

    def __init__(self, at: str = "", misdeed: Misdeed = b"", nth: int = 1) -> None:
        self.heard: list[Any] = []
        self.misdeed = misdeed
        self.at = at
        self._nth = nth

    def begin(self, room: Room) -> None:
        self.playing = asyncio.create_task(self.play(room))

    async def play(self, room: Room) -> None:
        self.line = Line(await connect(self.port(room)))
        self.greet()
        while (message := await self.line.hear()) is not None:
            self.heard.append(message)
            if self.kind(message) == self.at and self.kinds().count(self.at) == self._nth:
                await self._misbehave(message)
                return
            self.answer(message)
        self.line.writer.close()

    async def _misbehave(self, message: Any) -> None:
        self.misbehaves = True
        writer = self.line.writer
        if self.misdeed == "hang up":
            writer.close()
            return
        if self.misdeed == "reset":
            writer.transport.abort()
            return
        if callable(self.misdeed):
            writer.write(self.misdeed(message))
        elif isinstance(self.misdeed, bytes):
            writer.write(self.misdeed)
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
    """A client of the course's protocol. On a board of crosses it moves straight to its goal."""

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
    """The same for the source text's protocol."""

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
        await until(lambda: "take-turn" in self.kinds())


def response(id: str, to: Any = None) -> dict[str, Any]:
    """Go there, or pass."""
    slide = {"direction": "LEFT", "index": 0, "rotations": 0}
    move = {"type": "PASS"} if to is None else {"type": "MOVE", "slideAction": slide, "moveTo": to}
    return {"type": "RESPONSE", "id": id, "body": {"type": "ResponseAction", "move": move}}


def wire(value: Any) -> bytes:
    return json.dumps(value).encode()


async def occupied(room: Room) -> Thinking:
    """Begin a game in which a player thinks, so that no client can sign up."""
    thinker = Thinking("thinker")
    room.table = asyncio.create_task(room.play())
    await room.enter(Course("a"))
    await room.enter(thinker)
    await thinker.asked()
    return thinker


async def at_once(port: int, count: int, said: bytes = b"") -> list[Line]:
    """Open so many connections, which the server accepts at the same time."""
    sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    for each in sockets:
        each.sendall(said)
    opened = [await asyncio.open_connection(sock=each) for each in sockets]
    CLIENTS.extend(writer for _, writer in opened)
    return [Line(client) for client in opened]


async def refused(port: int, first: bytes = b"") -> None:
    """A client that sends this is disconnected without an error message."""
    reader, writer = await connect(port)
    writer.write(first)
    async with asyncio.timeout(SOON_S):
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
