"""A host of one game in the process of the test, and what its matches left behind."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from parlour.games import game
from parlour.players.play import Played
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.driver import Watch
from parlour.referee.log import ImmediateLog, MemoryLog
from parlour.referee.replay import verify
from parlour.server.startup import hosted
from parlour.tables.house import HousePlan, NextMatch
from parlour.tables.seat_keeper import Chair
from parlour.tables.table import Table
from parlour.transports.limits import RETURN_S


class House:
    """Listens on ports of its own. The seats that the bots leave free are for clients."""

    port: int
    web: int

    def __init__(
        self,
        terms: Terms,
        seats: int,
        bots: Sequence[str] = (),
        *,
        dialect: str | None = None,
        return_s: float = RETURN_S,
        watch: Watch | None = None,
        once: bool = False,
    ) -> None:
        self.seats = seats
        self.joined: list[str] = []
        """The players that have taken seats, and how many seats were open then."""
        self.records: list[list[bytes]] = []
        """The lines of all matches, in the order in which their tables opened."""
        self.logs: list[ImmediateLog] = []
        """The logs of the next matches, if they are not MemoryLogs."""
        self._game, self._watch = terms.game, watch
        self._results: asyncio.Queue[Played | Exception | None] = asyncio.Queue()
        self._plan = HousePlan(
            terms=terms,
            fewest=seats,
            most=seats,
            specs=[load(terms.game, bot) for bot in bots],
            dialect=dialect,
            new_match=self._new_match,
            return_s=return_s,
            is_once=once,
            joined=lambda name, missing: self.joined.append(f"{name} {missing}"),
            ended=self._results.put_nowait,
            failed=self._results.put_nowait,
        )

    def _new_match(self) -> NextMatch:
        lines: list[bytes] = []
        self.records.append(lines)
        log = self.logs.pop(0) if self.logs else MemoryLog(lines)
        return NextMatch(b"seed" if len(self.records) == 1 else b"seed %d" % len(self.records), log, self._watch)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        """The port of the game's own protocol."""
        name = self._game.name if self._plan.dialect is None else f"{self._game.name}/{self._plan.dialect}"
        where = hosted(self._plan, {name: 0}, page_folder=Path("no page"))
        async with where as self.serving:
            self.port, self.web = self.serving.listeners[name], self.serving.port
            yield self.port

    async def next(self) -> Played:
        """The next match that ends; raises why one did not begin."""
        result = await self._results.get()
        if isinstance(result, Exception):
            raise result
        assert result is not None
        return result

    @property
    def lines(self) -> list[bytes]:
        """The record of the first match."""
        return self.records[0]

    def holds(self, number: int = 0) -> bool:
        """Whether the record of a match is whole, and every line of it true."""
        return verify(b"".join(line + b"\n" for line in self.records[number]), game).holds == "yes"

    # The tables

    @property
    def playing(self) -> list[Table]:
        """Those with a running match."""
        return [*self.serving.arena.playing.values()]

    @property
    def match(self) -> Any:
        """The only running match."""
        [table] = self.playing
        return table.match

    def waiting(self) -> int:
        """How many clients have a seat at the open table and are connected."""
        chairs = [chair for table in self.serving.arena.open.values() for chair in table.chairs]
        return sum(chair.is_connected for chair in chairs)

    def chair(self, name: str) -> Chair:
        """A client's seat in a running match."""
        [chair] = [chair for table in self.playing for chair in table.chairs if chair.name == name]
        return chair

    def lost(self) -> list[str]:
        """Clients of running matches that are not connected and may return."""
        chairs = [chair for table in self.playing for chair in table.chairs]
        return [chair.name or "" for chair in chairs if chair.leaving is not None]

    def connected(self) -> int:
        """How many clients are connected, as far as the server knows."""
        return sum(session.is_here for session in self.serving.client_desk._here)
