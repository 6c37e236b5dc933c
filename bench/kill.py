"""The kill soak: matches are played over sockets while the server is killed again and again. Nothing may be lost.

    python bench/kill.py --kills 100 --store sqlite:///kill.db
    python bench/kill.py --kills 100 --store postgresql://USER@HOST/NAME

The server is a process of its own, as anybody starts it, and ends by SIGKILL at random moments; the clients are in this
process and come back by themselves. Afterwards every answer that was acknowledged is in its transcript, every match is
finished, every transcript verifies, and the results are those that the clients were told. The store must be a new one.
"""

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import random
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from kill_rooms import RoomSoak
from msgspec import Struct

from parlour import client
from parlour.client import Client, Finished, Refused
from parlour.core import Result, Took
from parlour.games import game
from parlour.protocol.records import StoredMatch
from parlour.referee.replay import replay
from parlour.referee.transcript import Line, encode
from parlour.store.check import check
from parlour.store.store import Store

ROOT = Path(__file__).parents[1]
client.RETRY_S = (0.1, 0.2, 0.4)  # who waits longer sees less of a server that is killed so often
client.TRIES = 1_000_000
GAMES = {"forsale": 3, "dominion": 2, "maze": 3, "tradecraft": 2}
"""How many sockets are at each table, beside a built-in bot. ColorfightII is played in a room."""
LIMITS = {
    "PARLOUR_TRIES_A_MINUTE": "1000000",
    "PARLOUR_GUESTS_A_MINUTE": "1000000",
    "PARLOUR_TABLES_PER_ACCOUNT": "10000",
    "PARLOUR_REQUESTS_A_SECOND": "1000000",
    "PARLOUR_LOG": "off",
}
LIMIT_S = 60.0
"""To answer in: no player is late because the server was away."""
UP_WITHIN_S = 60.0
ENDS_WITHIN_S = 120.0
LULL_S = 10.0


def free_port() -> int:
    """A port that the system assigns to no other program while the server is down."""
    while True:
        port = 20_000 + 10 * secrets.randbelow(1000)  # and those after it are its own, too
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class Server:
    """A process that is killed, and started again on the same port and the same store."""

    def __init__(self, store: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "parlour", "serve", "--port", str(self.port), "--store", store]
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Until it answers."""
        environment = {**os.environ, **LIMITS}
        self._process = subprocess.Popen(self._command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
        end = time.monotonic() + UP_WITHIN_S
        while not await self._answers():
            assert self._process.poll() is None and time.monotonic() < end, "the server did not start"
            await asyncio.sleep(0.02)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    async def _answers(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        return True

    async def post(self, path: str, token: str | None = None, **body: Any) -> Any:
        headers = {"Content-Type": "application/json"} | ({} if token is None else {"Authorization": f"Bearer {token}"})
        return await self._ask(urllib.request.Request(f"{self.url}/api{path}", json.dumps(body).encode(), headers))

    async def get(self, path: str) -> Any:
        return await self._ask(urllib.request.Request(f"{self.url}/api{path}"))

    async def call(self, path: str, **body: Any) -> Any:
        """A route of a game's own."""
        headers = {"Content-Type": "application/json"}
        return await self._ask(urllib.request.Request(f"{self.url}{path}", json.dumps(body).encode(), headers))

    async def _ask(self, request: urllib.request.Request) -> Any:
        """What the API answers; tried again until there is a server."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while True:
            try:
                return await asyncio.to_thread(lambda: json.load(opener.open(request, timeout=20)))
            except urllib.error.HTTPError as e:
                raise SystemExit(f"{request.full_url}: {e.read().decode()}") from None
            except (OSError, ValueError, EOFError, http.client.HTTPException):  # killed before or while it answered
                await asyncio.sleep(0.1)


class Log:
    """What one client knows for certain: of an answer that it was taken, once the next ask or the end comes over the
    same connection and no fault before."""

    def __init__(self, answered: Callable[[], None]) -> None:
        self._answered = answered
        self.match = ""
        self.seat = -1
        self.acknowledged: dict[int, bytes] = {}
        """By the number of the ask."""
        self._sent: tuple[int, bytes] | None = None

    def __call__(self, message: Any) -> None:
        kind = message.__struct_config__.tag
        if kind == "answer":
            self._sent = message.id, encode(message.action)
            self._answered()
        elif kind == "seat":
            self.match, self.seat = message.match, message.seat
        elif kind in ("hello", "fault"):
            self._sent = None
        elif self._sent is not None and (kind == "over" or (kind == "ask" and message.id != self._sent[0])):
            self.acknowledged[self._sent[0]] = self._sent[1]
            self._sent = None


class Summary(Struct):
    """What came of it."""

    kills: int = 0
    seconds: float = 0.0
    matches: Counter[str] = msgspec.field(default_factory=Counter)
    lines: int = 0
    acknowledged: int = 0
    interrupted: int = 0
    """Matches that saw at least one kill."""
    troubles: list[str] = msgspec.field(default_factory=list)

    def __str__(self) -> str:
        told = [
            f"{self.kills} kills in {self.seconds:.0f} s",
            f"matches finished: {by_game(self.matches)}; {self.interrupted} of them saw at least one kill",
            f"lines kept: {self.lines:,}; answers that were acknowledged: {self.acknowledged:,}",
        ]
        return verdict(told, self.troubles, "nothing was lost")


def by_game(matches: Counter[str]) -> str:
    return ", ".join(f"{count} of {name}" for name, count in sorted(matches.items())) or "none"


def verdict(told: list[str], troubles: list[str], good: str) -> str:
    """What came of a soak, the troubles last, if not all is good."""
    return "\n".join([*told, f"{len(troubles)} TROUBLES", *troubles[:50]] if troubles else [*told, good])


class Soak:
    """Tables of all games at once, played until the last kill; then all of them are played to their end."""

    def __init__(self, server: Server, games: dict[str, int], tables: int, most_answers: int) -> None:
        self._server = server
        self._most_answers = most_answers
        """Between two kills."""
        self._games = games
        self._tables = tables
        self._ending = False
        self._answers = asyncio.Semaphore(0)
        """One for each answer that any client gave."""
        self.kills = 0
        self.logs: list[Log] = []
        self.finished: dict[str, Finished] = {}
        self.under_way: set[str] = set()
        self.interrupted: set[str] = set()
        self.troubles: list[str] = []
        self.room = RoomSoak(server.url, server.call, self._answers.release)

    async def run(self, kills: int, moments: random.Random) -> None:
        await self._server.start()
        evenings = [
            asyncio.create_task(self._evening(name, await self._account(f"{name} {number}")), name=f"{name} {number}")
            for name in self._games
            for number in range(self._tables)
        ]
        evenings.append(asyncio.create_task(self.room.run(), name="the room"))
        for _ in range(kills):
            await self._moment(moments)
            self.interrupted |= self.under_way
            self._server.kill()
            self.kills += 1
            print(f"\r{self.kills} kills ", end="", file=sys.stderr, flush=True)
            await self._server.start()
        self._ending = True
        await self._end([*evenings, asyncio.create_task(self.room.close(), name="closing the room")])
        await self._end([asyncio.create_task(self._all_is_over(), name="the server")])  # players hear of the end first

    async def _end(self, tasks: list["asyncio.Task[None]"]) -> None:
        """What does not end in time is a trouble."""
        done, waiting = await asyncio.wait(tasks, timeout=ENDS_WITHIN_S, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
        self.troubles += [f"{task.get_name()}: not over after {ENDS_WITHIN_S:g} s without a kill" for task in waiting]

    async def _all_is_over(self) -> None:
        """Except the game of the public room, which no client has joined."""
        while any(match["seats"] for match in (await self._server.get("/matches?state=running"))["matches"]):
            await asyncio.sleep(0.1)

    async def _moment(self, moments: random.Random) -> None:
        """Somewhere in the play: so many answers later, and a little after that, however slow the machine is."""
        with contextlib.suppress(TimeoutError):  # there may be none just now
            async with asyncio.timeout(LULL_S):
                for _ in range(moments.randint(1, self._most_answers)):
                    await self._answers.acquire()
        await asyncio.sleep(moments.uniform(0.0, 0.02))

    async def _account(self, name: str) -> str:
        token: str = (await self._server.post("/accounts", name=name, password=secrets.token_urlsafe()))["token"]
        return token

    async def _evening(self, name: str, host: str) -> None:
        """One table after another: its host, guests (one of them without a token) and a built-in bot."""
        while not self._ending:
            seats = [{"kind": "open"}] * self._games[name] + [{"kind": "bot", "spec": "random"}]
            body = {"game": name, "seats": seats, "terms": {"limit_s": LIMIT_S}}
            table = (await self._server.post("/tables", host, **body))["table"]["id"]
            guests = [(await self._server.post("/guests"))["token"] for _ in range(self._games[name] - 2)]
            self.under_way.add(table)
            await asyncio.gather(*(self._play(name, table, token) for token in [host, *guests, None]))
            self.under_way.discard(table)

    async def _play(self, name: str, table: str, token: str | None) -> None:
        log = Log(self._answers.release)
        self.logs.append(log)
        try:
            player = Client(self._server.url, token, watch=log)
            finished = await player.play_async(name, game(name).hosting.bots["random"], table=table)
        except Refused as e:
            self.troubles.append(f"{name} {table}: a player was refused: {e.code}: {e}")
            return
        before = self.finished.setdefault(table, finished)
        if before.end != finished.end:
            self.troubles.append(f"{name} {table}: one was told {before.end}, another {finished.end}")


async def soak(store: str, kills: int, tables: int, most_answers: int, seed: int | None) -> Summary:
    """Play, kill, and look at what is left."""
    server, began = Server(store), time.monotonic()
    evening = Soak(server, GAMES, tables, most_answers)
    try:
        await evening.run(kills, random.Random(seed))
    finally:
        server.kill()
    summary = Summary(kills, time.monotonic() - began, interrupted=len(evening.interrupted))
    summary.troubles += evening.troubles
    opened = await Store.open(store)
    try:
        await _look(opened, evening, summary)
    finally:
        await opened.close()
    return summary


async def _look(store: Store, evening: Soak, summary: Summary) -> None:
    """Every match of the store, and every log of a client."""
    logs: dict[str, list[Log]] = {}
    for log in evening.logs:
        logs.setdefault(log.match, []).append(log)
    async for match in store.each_match():
        lines = await store.lines(match.id)
        troubles = await check(store, match, game)
        if (match.state == "running" and match.seats) or (
            match.state == "open" and any(seat.account for seat in match.seats)
        ):
            troubles.append(f"it is {match.state} and should be over")
        told = logs.pop(match.id, [])
        if not troubles and lines:
            troubles += missing(match, lines, await store.seed(match.id), told)
            troubles += told_otherwise(match, evening.finished.get(match.id))
        summary.matches[match.game] += match.state == "over"
        summary.lines += len(lines)
        summary.troubles += [f"{match.game} {match.id}: {trouble}" for trouble in troubles]
    lists, lost = await evening.room.look(store)
    summary.acknowledged = sum(len(log.acknowledged) for log in evening.logs) + lists
    summary.troubles += lost
    summary.troubles += [f"{id}: somebody has played in it, and it is not there" for id in logs if id]


def missing(match: StoredMatch, lines: list[bytes], seed: bytes, logs: list[Log]) -> list[str]:
    """Acknowledged answers that are not in the transcript, or not so."""
    taken: dict[tuple[int, int], bytes] = {}
    for step in replay(game(match.game), lines, seed):
        if isinstance(step.record, Line):
            done = bytes(step.record.do)
            taken |= {(notice.seat, notice.n): done for notice in step.out.notices if isinstance(notice, Took)}
    return [
        f"the answer of seat {log.seat} to ask {n} was acknowledged and is not kept"
        for log in logs
        for n, action in log.acknowledged.items()
        if taken.get((log.seat, n)) != action
    ]


def told_otherwise(match: StoredMatch, finished: Finished | None) -> list[str]:
    if finished is None or not isinstance(finished.end, Result):
        return []
    kept = [seat.score for seat in match.seats], [seat.rank for seat in match.seats]
    return [] if kept == ([*finished.end.scores], [*finished.end.ranks]) else ["players were told another result"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--store", metavar="URL", help="a new one; in a temporary file if not told")
    parser.add_argument("--tables", type=int, default=3, help="of each game at once")
    parser.add_argument("--answers", type=int, default=120, help="at most so many between two kills")
    parser.add_argument("--seed", type=int, default=None, help="of the moments of the kills")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = given.store or f"sqlite:///{folder}/kill.db"
        summary = asyncio.run(soak(store, given.kills, given.tables, given.answers, given.seed))
    print(summary)
    sys.exit(bool(summary.troubles))


if __name__ == "__main__":
    main()
