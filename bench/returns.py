"""The soak of returns: clients lose their connections at random moments and come back, while tables are dropped, rooms
are made, restarted and deleted, watchers come and go, and the server is stopped and started. Nobody may be forgotten.

    python bench/returns.py --seconds 600 --seed 7

All is in one process: an arena with SQLite, on ports of its own; clients of all kinds; between them roads that break;
and a store that takes its time, so that what seldom happens in between happens often. Afterwards nobody waits any more,
every match is over or was dropped, every transcript verifies, nothing that was acknowledged is missing, nothing of the
server is left over, and it has told of no bug.
"""

import argparse
import asyncio
import contextlib
import inspect
import random
import secrets
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from kill import Log, free_port
from returns_look import LIMIT_S, Known, Summary, bugs, left_over, look
from returns_roads import HOST, Asker, LineClient, Luck, Road, streamed, watched
from returns_ways import HallUser, Painter, Trader

from parlour import client
from parlour.client import Client, Refused
from parlour.games import game
from parlour.server.main import Serving, served
from parlour.server.settings import Settings
from parlour.store.store import Store
from parlour.venues.colorfight.settings import RoomSettings

ROOT = Path(__file__).parents[1]
client.RETRY_S = (0.0, 0.05, 0.2)  # who comes back at once meets what has not ended yet
GAMES = {"forsale": 3, "dominion": 2, "maze": 3, "tradecraft": 2}
"""How many sockets are at each table, beside a built-in bot. ColorfightII is played in rooms."""
ENDS_WITHIN_S = 240.0
WORD = "the soak's own"
SLOW_S = 0.02
"""At most so long a call of the store takes, before it is done and after, on top of what it takes by itself."""
SOON = ("dropped", "no_such_table", "table_full", "begun", "not_yours")
"""Codes of errors for clients of a table that was dropped, by its host or because a player is missing."""


class House:
    """An arena in this process, on the same ports and the same store whenever it is open."""

    def __init__(self, store: str, moments: random.Random) -> None:
        self._url = store
        self._moments = moments
        self.ports = _free_ports(3)
        self._settings = Settings(
            port=self.ports[0],
            tcp_port=self.ports[1],
            listeners={"tradecraft": self.ports[2]},
            store=store,
            quick_s=1.0,
            return_s=10.0,
            hello_s=60.0,
            venues={"colorfight": RoomSettings(admin_password=WORD)},
            commands={"forsale": {"child": f"exec:{sys.executable} {ROOT / 'examples' / 'any_language.py'}"}},
            tries_a_minute=1_000_000,
            guests_a_minute=1_000_000,
            tables_per_account=10_000,
            connections_per_address=800,
            messages_a_second=10_000.0,
            requests_a_second=1_000_000.0,
            log="off",
        )
        self.serving: Serving | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Store]:
        store = await Store.open(self._url)
        try:
            _slow_down(store, self._moments)
            async with served(self._settings, store) as self.serving:
                yield store
        finally:
            self.serving = None
            await store.close()


def _free_ports(many: int) -> list[int]:
    first = free_port()
    return [*range(first, first + many)]


def _slow_down(store: Store, moments: random.Random) -> None:
    """Each call waits a little before it is executed, and again before it returns."""

    def slowed(call: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Coroutine[Any, Any, Any]]:
        async def slow(*args: Any, **more: Any) -> Any:
            await asyncio.sleep(moments.choice((0.0, moments.uniform(0.0, SLOW_S))))
            found = await call(*args, **more)
            await asyncio.sleep(moments.choice((0.0, moments.uniform(0.0, SLOW_S))))
            return found

        return slow

    for owner, names in ((store, vars(Store)), (store.writer, {"keep"})):
        for name in names:
            call = getattr(owner, name)
            is_slow = inspect.iscoroutinefunction(call) or owner is store.writer
            if not name.startswith("_") and name not in ("open", "close") and is_slow:
                setattr(owner, name, slowed(call))


class Soak:
    """All clients, and the facts that were acknowledged to them."""

    def __init__(self, house: House, luck: Luck, tables: int) -> None:
        self._luck = luck
        self._random = luck.random
        self._tables = tables
        web, lines, traders = (Road(port, luck) for port in house.ports)
        self._web, self._lines, self._traders = web, lines, traders
        self._ask = Asker(house.ports[0])
        self._ending = False
        self._numbers = iter(range(10**9))
        self.known = Known()

    @property
    def _url(self) -> str:
        return f"http://{HOST}:{self._web.port}"

    async def open(self) -> None:
        for road in (self._web, self._lines, self._traders):
            await road.open()

    async def close(self) -> None:
        for road in (self._web, self._lines, self._traders):
            await road.close()

    def evenings(self) -> list["asyncio.Task[None]"]:
        """All that goes on until it is told to end."""
        works: dict[str, Coroutine[Any, Any, None]] = {}
        for number in range(self._tables):
            works |= {f"{name} {number}": self._evening(self._table, name) for name in GAMES}
        works |= {f"quick {name}": self._evening(self._quick, name) for name in ("forsale", "maze")}
        works |= {f"traders {number}": self._evening(self._trade, "tradecraft") for number in range(self._tables)}
        works |= {f"hall user {number}": self._visit() for number in range(3)}
        works |= {f"room {room}": self._room(room) for room in ("long", "short")}
        return [asyncio.create_task(work, name=name) for name, work in works.items()]

    def end(self) -> None:
        self._ending = self._luck.calm = True

    # Tables

    async def _evening(self, play: Callable[[str, str], Coroutine[Any, Any, None]], name: str) -> None:
        said = await self._ask.post("/api/accounts", name=self._name(), password=secrets.token_urlsafe())
        while not self._ending:
            await play(name, said["token"])

    def _name(self) -> str:
        return f"soaker {next(self._numbers)}"

    async def _table(self, name: str, host: str) -> None:
        """A table of its host: all goes well, or somebody comes twice, or loses its token, or the table is given up."""
        luck = self._random.choices(("", "double", "revoke", "drop"), (50, 25, 10, 15))[0]
        seats = [{"kind": "open"}] * GAMES[name] + [self._house_player(name)]
        terms = {"limit_s": LIMIT_S} | ({"wait_s": 2.0} if luck == "revoke" else {})
        table = (await self._ask.post("/api/tables", host, game=name, seats=seats, terms=terms))["table"]["id"]
        guests = [(await self._ask.post("/api/guests"))["token"] for _ in range(GAMES[name] - 1)]
        others = [self._watch(table) for _ in range(self._random.randrange(3))]
        if luck in ("double", "revoke"):
            self.known.odd.add(table)
        if luck == "double":
            others.append(self._double(name, table, guests[0]))
        elif luck:
            others.append(self._drop(table, host) if luck == "drop" else self._revoke(guests[0]))
        borne = () if luck in ("", "double") else (*SOON, "bad_token")
        tokens = guests if luck == "drop" else [host, *guests]
        await asyncio.gather(*(self._play(name, table, token, borne) for token in tokens), *others)

    def _house_player(self, name: str) -> dict[str, str]:
        """A command now and then: it is a process, which has to be started, and ended."""
        if name == "forsale" and self._random.random() < 0.2:
            return {"kind": "command", "spec": "child"}
        return {"kind": "bot", "spec": "random"}

    async def _revoke(self, token: str) -> None:
        await self._moment(0.6)
        known = await self._ask.get("/api/me", token)
        await self._ask.delete(f"/api/tokens/{known['token']}", token)

    async def _drop(self, table: str, host: str) -> None:
        await self._moment(0.3)
        await self._ask.delete(f"/api/tables/{table}", host)

    async def _play(self, name: str, table: str | None, token: str | None, borne: Sequence[str] = ()) -> None:
        """`borne` is what it may be told instead of a match."""
        log = Log(lambda: None)
        self.known.logs.append(log)
        await self._moment(0.2)
        try:
            finished = await self._client(token, log).play_async(name, game(name).hosting.bots["random"], table=table)
        except Refused as e:
            if e.code == "over" and table is not None:
                self.known.missed.add(table)
            elif e.code == "replaced" and table in self.known.odd:  # by itself; and that one does not stay
                await self._play(name, table, token, borne)
            elif e.code not in borne:
                self.known.troubles.append(f"{name} {table}: a player was refused: {e.code}: {e}")
            return
        before = self.known.finished.setdefault(finished.match, finished)
        if before.end != finished.end:
            self.known.troubles.append(f"{name} {table}: one was told {before.end}, another {finished.end}")

    def _client(self, token: str | None, watch: Callable[[Any], None]) -> Client:
        if self._random.random() < 0.5:
            return Client(self._url, token, watch=watch)
        return LineClient(self._url, token, self._lines.port, watch)

    async def _double(self, name: str, table: str, token: str) -> None:
        """Somebody comes a second time, while it is there, and goes again."""
        await self._moment(0.5)
        client = self._client(token, lambda message: None)
        with contextlib.suppress(TimeoutError, Refused):
            async with asyncio.timeout(self._random.uniform(0.0, 0.5)):
                await client.play_async(name, game(name).hosting.bots["random"], table=table)

    async def _quick(self, name: str, host: str) -> None:
        """Guests, one with an account, and one who asks over HTTP first, come to the next table, nearly together."""
        tokens = [host, None, None, None][: self._random.randint(1, 4)]
        await asyncio.gather(*(self._play(name, None, token) for token in tokens), self._queue(name))

    async def _queue(self, name: str) -> None:
        await self._moment(0.3)
        token = (await self._ask.post("/api/guests"))["token"]
        said = await self._ask.post(f"/api/queue/{name}", token)
        if "table" in said:
            await self._play(name, said["table"], token)
        else:
            self.known.troubles.append(f"nobody could be sent to a table: {said}")

    async def _trade(self, name: str, host: str) -> None:
        """By the game's own protocol, at a table to which anybody may be sent."""
        seats = [{"kind": "open"}, {"kind": "open"}, {"kind": "bot", "spec": "random"}]
        terms = {"quick": True, "options": {"max_turn": 4}}
        await self._ask.post("/api/tables", host, game=name, seats=seats, terms=terms)
        codes = await asyncio.gather(*(Trader(self._traders.port, self._name()).play() for _ in range(2)))
        self.known.troubles += [f"a trader was sent away: {code}" for code in codes if code not in ("", "no_such_seat")]

    async def _visit(self) -> None:
        user = HallUser(self._name())
        await user.play(self._url.replace("http", "ws", 1), lambda: self._ending)

    # Others

    async def _room(self, room: str) -> None:
        """Users of its channels and one of protocol 1; it is restarted, or deleted and made again."""
        players = [self._painted(room), self._painted(room), self._play_in(room)]
        working = [asyncio.ensure_future(work) for work in players]
        while not self._ending:
            made = await self._ask.post("/creategameroom", gameroom_id=room, config="test-run", admin_password=WORD)
            if not made["success"] and made["err_msg"] not in ("Same id exists", "Not now, try again later"):
                self.known.troubles.append(f"room {room}: {made}")
            await self._moment(2.0)
            if room == "long":
                await self._ask.post("/restart", gameroom_id=room, admin_password=WORD, config={"finish_time": 1})
            else:
                await self._ask.post("/deletegameroom", gameroom_id=room, admin_password=WORD)
        await self._ask.post("/deletegameroom", gameroom_id=room, admin_password=WORD)
        await asyncio.gather(*working)

    async def _painted(self, room: str) -> None:
        painter = Painter(self._name())
        self.known.painters.append(painter)
        await painter.play(self._url.replace("http", "ws", 1), room, lambda: self._ending)

    async def _play_in(self, room: str) -> None:
        while not self._ending:
            client = self._client(None, lambda message: None)  # a round may end before an answer
            try:
                await client.play_async("colorfight", game("colorfight").hosting.bots["greedy"], table=room)
            except Refused as e:
                if e.code not in ("not_admitted", "no_such_table"):  # not now, or not any more
                    self.known.troubles.append(f"room {room}: a player was refused: {e.code}: {e}")
            await asyncio.sleep(0.1)

    async def _watch(self, table: str) -> None:
        """Watch for a while, over one transport or another, until the match is over or unknown."""
        for _ in range(self._random.randint(1, 4)):
            await self._moment(0.5)
            if self._random.random() < 0.5:
                self.known.seen += await watched(self._url.replace("http", "ws", 1), table)
            else:
                self.known.seen += await streamed(self._web.port, table)

    async def _moment(self, most_s: float) -> None:
        await asyncio.sleep(self._random.uniform(0.0, most_s))


async def soak(store: str, seconds: float, stops: int, tables: int, seed: int) -> Summary:
    """Play, and look at what is left."""
    luck = Luck(random.Random(seed))
    house, summary, began = House(store, luck.random), Summary(seed), time.monotonic()
    evening = Soak(house, luck, tables)
    with bugs(summary.troubles):
        await evening.open()
        before = asyncio.all_tasks()
        try:
            await _play(house, evening, summary, seconds / (stops + 1), stops)
        finally:
            await evening.close()
        summary.troubles += await left_over(before)
    summary.seconds, summary.cuts, summary.seen = time.monotonic() - began, luck.cuts, evening.known.seen
    summary.troubles += evening.known.troubles
    opened = await Store.open(store)
    try:
        await look(opened, evening.known, summary)
    finally:
        await opened.close()
    return summary


async def _play(house: House, evening: Soak, summary: Summary, seconds: float, stops: int) -> None:
    evenings: list[asyncio.Task[None]] = []
    for number in range(stops + 1):
        async with house.open():
            evenings = evenings or evening.evenings()
            await asyncio.wait(evenings, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
            if number == stops:
                evening.end()
                await _end(evenings, summary)
                await _end([asyncio.create_task(_all_is_over(house), name="the server")], summary)
        summary.stops += number < stops


async def _end(tasks: list["asyncio.Task[None]"], summary: Summary) -> None:
    """What does not end in time is a trouble."""
    done, waiting = await asyncio.wait(tasks, timeout=ENDS_WITHIN_S)
    for task in done:
        task.result()
    for task in waiting:
        summary.troubles.append(f"{task.get_name()}: still waits after {ENDS_WITHIN_S:g} s")
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def _all_is_over(house: House) -> None:
    """Except the game of the public room, which no client has joined. Tables without players are dropped in time."""
    assert house.serving is not None
    arena = house.serving.arena
    while any(match.match.names for match in arena.playing.values()) or any(
        table.seats.people() for table in arena.open.values()
    ):
        await asyncio.sleep(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="so long everybody comes and goes")
    parser.add_argument("--stops", type=int, default=2, help="how often the server is stopped and started meanwhile")
    parser.add_argument("--tables", type=int, default=2, help="of each game at once")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of the moments")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{Path(folder) / 'returns.db'}"
        summary = asyncio.run(soak(store, given.seconds, given.stops, given.tables, given.seed))
    print(summary)
    sys.exit(bool(summary.troubles))


if __name__ == "__main__":
    main()
