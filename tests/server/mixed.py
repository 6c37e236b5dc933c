"""Matches at an arena between clients of all protocols, and checks of their results."""

import asyncio
import json
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from parlour.core import Asked, Dice, Event, Game, Seat
from parlour.core.values import any_of
from parlour.games import game
from parlour.protocol.v1 import AskMessage
from parlour.referee.replay import replay
from parlour.store.check import check
from tests.players.clients import connect as connect_tcp
from tests.server.arenas import Hall
from tests.server.liners import Liner, TcpLiner
from tests.turned import SOON_S, until

EXAMPLES = Path(__file__).parents[2] / "examples"
LIMIT_S = 600.0
"""The time limit for an answer, which even a slow machine keeps."""

Body: TypeAlias = dict[str, Any]
Way: TypeAlias = Literal["WebSocket", "TCP"]
Comes: TypeAlias = Callable[[Hall], Coroutine[Any, Any, None]]
"""A client that takes a seat at the next table over a game's own protocol, and plays to the end."""


def example(name: str, *words: str) -> str:
    """The command that starts one of our examples."""
    return shlex.join([sys.executable, str(EXAMPLES / name), *words])


async def program(command: str, last: str, over: Callable[[], object] = lambda: True) -> None:
    """Start a program that connects by itself. After its last line and the end of the match, it is stopped."""
    pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    argv = shlex.split(command)
    process = await asyncio.create_subprocess_exec(*argv, stdin=null, stdout=pipe, stderr=asyncio.subprocess.STDOUT)
    assert process.stdout is not None
    said = b""
    try:
        while line := await process.stdout.readline():
            said += line
            if last.encode() in line:
                await until(over)
                return
        raise AssertionError(said.decode())
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def connected(hall: Hall, path: str, token: str | None = None) -> ClientConnection:
    """A WebSocket without timeouts, which a turned clock would end."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    url = f"ws://127.0.0.1:{hall.serving.port}{path}"
    return await connect(
        url, additional_headers=headers, open_timeout=SOON_S, max_size=None, ping_interval=None, proxy=None
    )


# Protocol 1


class Ours:
    """A client that plays a bot over protocol 1. It loses its connection at one of the asks, and returns."""

    def __init__(
        self, hall: Hall, rules: Game[Any], name: str, table: str | None, way: Way = "WebSocket", lost_at: int = 0
    ) -> None:
        self.name = name
        self.token: str | None = None
        self.seat: Seat = -1
        self.answers = 0
        self.returns = 0
        self.asked = asyncio.Event()
        """Set when it has been asked for the first time."""
        self.may_answer = asyncio.Event()
        """Set when it may answer."""
        self._hall = hall
        self._rules = rules
        self._table = table
        self._way = way
        self._lost_at = lost_at
        self._ask = msgspec.json.Decoder(AskMessage[any_of(rules.rules.asks), rules.rules.view])  # type: ignore[misc]
        self._bot = rules.hosting.bots["random"]
        self._dice = Dice(name.encode())

    async def play(self) -> None:
        """To the end of the match."""
        line = await self._connected()
        while True:
            raw = await line.receive()
            match json.loads(raw):
                case {"type": "hello"}:
                    token = {} if self.token is None else {"token": self.token}
                    await line.says("hello", name=self.name, salt="pepper", **token)
                case {"type": "seat", "seat": seat, "match": match} as said:
                    assert self._table in (None, match)
                    self.seat, self._table, self.token = seat, match, said.get("token", self.token)
                case {"type": "ask"}:
                    line = await self._decide(line, raw)
                case {"type": "over", "void": void}:
                    assert void is None
                    await line.drop()
                    return
                case {"type": "fault" | "error"} as said:
                    raise AssertionError(said)

    async def _decide(self, line: Liner, raw: str | bytes) -> Liner:
        """Answer, and return the connection to go on with."""
        self.asked.set()
        await self.may_answer.wait()
        if self.answers + 1 == self._lost_at and not self.returns:
            await line.drop()
            self.returns += 1
            return await self._connected()
        asked = self._ask.decode(raw)
        action = self._bot(asked.view, asked.ask, self._dice)
        await line.says("answer", id=asked.id, action=msgspec.to_builtins(action))
        self.answers += 1
        return line

    async def _connected(self) -> Liner:
        serving, where = self._hall.serving, "/".join(filter(None, (self._rules.name, self._table)))
        if self._way == "WebSocket":
            return Liner(await connected(self._hall, f"/play/{where}"))
        assert serving.tcp_port is not None
        line = TcpLiner(*await connect_tcp(serving.tcp_port))
        await line.says("enter", game=self._rules.name, table=self._table)
        return line


# Players of one match


class Party:
    """All clients of a match."""

    def __init__(self) -> None:
        self._playing: list[asyncio.Task[None]] = []

    def begins(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        self._playing.append(asyncio.create_task(work))
        return self._playing[-1]

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until this is true; fails if a client ends before."""
        await until(lambda: holds() or any(task.done() for task in self._playing))
        for task in self._playing:
            if task.done():
                task.result()
        assert holds(), "somebody has gone"

    async def end(self) -> None:
        """Wait until all clients have played to the end."""
        await asyncio.gather(*self._playing)


class Mix(Party):
    """A table with open seats, a command and a bot, and its clients."""

    def __init__(self, hall: Hall, name: str, table: str, *others: str) -> None:
        super().__init__()
        self.hall = hall
        self.table = table
        self.ours: list[Ours] = []
        self._rules = game(name)
        self._others = [*others]

    @classmethod
    async def set_up(cls, hall: Hall, name: str, command: str, bot: str, free: int, **options: Any) -> "Mix":
        plans = [{"kind": "command", "spec": command}, *[{"kind": "open"}] * free, {"kind": "bot", "spec": bot}]
        terms = {"quick": True, "limit_s": LIMIT_S, "options": options}
        said = await hall.post("/tables", await hall.account("host"), game=name, seats=plans, terms=terms)
        assert said.status_code == 201, said.text
        return cls(hall, name, said.json()["table"]["id"], command, bot)

    @property
    def names(self) -> list[str]:
        return [*self._others, *(player.name for player in self.ours)]

    async def sends_us(self, name: str, way: Way = "WebSocket", lost_at: int = 0) -> None:
        """Seat a client of protocol 1; the first one does not answer yet."""
        player = Ours(self.hall, self._rules, name, self.table, way, lost_at)
        if self.ours:
            player.may_answer.set()
        self.ours.append(player)
        await self._sits(player.play())

    async def sends(self, name: str, comes: Comes) -> None:
        """Seat a client of the game's own protocol, which names no table."""
        self._others.append(name)
        await self._sits(comes(self.hall))

    async def _sits(self, work: Coroutine[Any, Any, None]) -> None:
        self.begins(work)
        count = len(self._playing)
        await self.until(lambda: self._taken() >= count)

    def _taken(self) -> float:
        table = self.hall.serving.arena.open.get(self.table)
        return float("inf") if table is None else table.seats.people()


# Afterwards


async def proved(hall: Hall, match: str, names: Sequence[str], ours: Sequence[Ours]) -> None:
    """Check that all have played without faults, and that transcript and receipts hold."""
    info = await hall.over(match)
    assert info["state"] == "over"
    assert sorted(seat["name"] for seat in info["seats"]) == sorted(names)
    assert (await hall.proof(match)).holds == "yes"
    stored = await hall.store.match(match)
    assert stored is not None and await check(hall.store, stored, game) == []
    inputs = [record for record in await records(hall, match) if record["kind"] == "input"]
    bad = [record for record in inputs if record.get("fault") or (record["do"] or {}).get("type") == "Leave"]
    assert not bad, bad
    decided = Counter(info["seats"][record["by"]]["name"] for record in inputs if _is_decision(record))
    assert sorted(decided) == sorted(names), "somebody has not decided anything"
    for player in ours:
        assert decided[player.name] == player.answers, player.name


def _is_decision(record: Body) -> bool:
    """Whether it is a decision, and no answer that clients may leave out."""
    return record.get("by") is not None and record["do"]["type"] != "Ack"


async def records(hall: Hall, match: str) -> list[Body]:
    lines = (await hall.get(f"/matches/{match}/transcript")).content
    return [json.loads(line) for line in lines.splitlines()]


# Watching


class Watcher:
    """A spectator that collects all messages from now to the end."""

    def __init__(self, line: ClientConnection) -> None:
        self.heard: list[Body] = []
        self._line = line
        self._seeing = asyncio.ensure_future(self._see())

    @classmethod
    async def comes(cls, hall: Hall, path: str, token: str | None = None) -> "Watcher":
        watcher = cls(await connected(hall, path, token))
        await until(lambda: watcher.heard)
        assert watcher.heard[0]["type"] == "view", watcher.heard
        return watcher

    async def _see(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                self.heard.append(json.loads(await self._line.recv()))

    async def all(self) -> list[Body]:
        """All messages, after the stream has ended."""
        async with asyncio.timeout(SOON_S):
            await self._seeing
        return self.heard


class Shown:
    """The views, events and asks of a match that somebody may see, computed from its transcript."""

    def __init__(self, views: Sequence[Body], events: Sequence[Body], asks: Sequence[Body]) -> None:
        self.views = views
        """The view after each line."""
        self.events = events
        self.asks = asks

    @classmethod
    async def of(cls, hall: Hall, match: str, who: Seat | None) -> "Shown":
        data = (await hall.get(f"/matches/{match}/transcript")).content
        rules = game(json.loads(data.splitlines()[0])["game"])
        views, events, asks = [], [], []
        for step in replay(rules, data.splitlines(), await hall.store.seed(match)):
            views.append(_plain(step.match.state.view(who)))
            told = [*step.out.to(who)]
            events += [_plain(notice) for notice in told if isinstance(notice, Event)]
            asks += [_plain(notice.ask) for notice in told if isinstance(notice, Asked)]
        return cls(views, events, asks)


def _plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


async def seen_rightly(hall: Hall, match: str, everybody: list[Body], own: list[Body], seat: Seat) -> None:
    """Check that seat and spectators were sent what they may see, and nothing else."""
    public, mine = await Shown.of(hall, match, None), await Shown.of(hall, match, seat)
    assert {message["type"] for message in everybody} <= {"view", "event", "over"}
    assert everybody[0]["view"] in public.views
    assert _told(everybody, "event") == public.events, "it has come before the first, and hears of all"
    assert own[0]["seat"] == seat and own[0]["view"] in mine.views
    heard, asks = _told(own, "event"), _told(own, "ask")
    assert heard and heard == mine.events[-len(heard) :]
    assert asks and asks == mine.asks[-len(asks) :]
    assert everybody[-1]["type"] == own[-1]["type"] == "over"
    assert everybody[-1]["end"] == own[-1]["end"] == (await records(hall, match))[-2]["end"]
    seed = (await hall.store.seed(match)).hex()
    assert seed not in json.dumps([everybody, own])


def _told(messages: list[Body], kind: str) -> list[Body]:
    return [message[kind] for message in messages if message["type"] == kind]
