"""The memory of a server for each player that waits.

    python bench/idle.py                       200 and 1,000 players over TCP
    python bench/idle.py --way websocket --players 500

The server is a process of its own on a new store. First, tables of For Sale with one seat too many are created and 200
players connect, so that the memory that a server needs anyway is not counted. Then the players connect and take their
seats ("seated"), or do not answer the server's hello ("connected"). The growth of the process is divided by their
number: its resident memory (RSS), and the part of it that no other process shares (USS).
"""

import argparse
import asyncio
import json
import resource
import tempfile
from collections.abc import Sequence
from typing import Any

from load_bots import HOST, Seat, TcpSeat, WebSocketSeat, post
from load_processes import Server, serving

GAME = "forsale"
AT_A_TABLE = 5
"""Of six: the last seat stays free."""
FIRST = 200
"""Players that connect before the memory is read; they use memory that the start has left free."""
AT_ONCE = 16
WITHIN_S = 120.0


class IdleTable:
    """A table that never fills, as its seats see it."""

    game = GAME

    def __init__(self, table: str, says_hello: bool) -> None:
        self.table = table
        self.says_hello = says_hello
        self.greeted = 0
        self.failed: list[str] = []

    def fail(self, why: str) -> None:
        self.failed.append(why)


class IdleSeat(Seat):
    """Answers the server's hello if it is told to, and nothing after that."""

    _match: Any

    def hear(self, message: bytes) -> None:
        is_hello = message.startswith(b'{"type":"hello"')
        self._match.greeted += is_hello
        if self._match.says_hello or not is_hello:
            super().hear(message)


class IdleTcpSeat(IdleSeat, TcpSeat):
    """Over TCP."""


class IdleWebSocketSeat(IdleSeat, WebSocketSeat):
    """Over WebSocket."""


class IdlePlayers:
    """All clients that are connected to a server."""

    def __init__(self, server: Server, way: str, host: str, tokens: Sequence[str]) -> None:
        self._server, self._way, self._host, self._tokens = server, way, host, tokens
        self._seats: list[IdleSeat] = []
        self._at_once = asyncio.Semaphore(AT_ONCE)

    async def tables(self, players: int, says_hello: bool) -> list[IdleTable]:
        """For so many of them."""
        seats = [{"kind": "open"}] * (AT_A_TABLE + 1)
        body = {"game": GAME, "seats": seats, "terms": {"wait_s": 3600}}
        made = [await post(self._server.port, "/tables", self._host, body) for _ in range(players // AT_A_TABLE)]
        return [IdleTable(each["table"]["id"], says_hello) for each in made]

    async def connect(self, tables: Sequence[IdleTable]) -> None:
        """Wait until all are at their tables."""
        await asyncio.gather(*(self._one(table, token) for table in tables for token in self._tokens))
        async with asyncio.timeout(WITHIN_S):
            for table in tables:
                while not await self._is_there(table):
                    await asyncio.sleep(0.05)

    async def _one(self, table: IdleTable, token: str) -> None:
        seat = (IdleTcpSeat if self._way == "tcp" else IdleWebSocketSeat)(table, token)  # type: ignore[arg-type]
        self._seats.append(seat)
        port = self._server.tcp_port if self._way == "tcp" else self._server.port
        async with self._at_once:
            await asyncio.get_running_loop().create_connection(lambda: seat, HOST, port)

    async def _is_there(self, table: IdleTable) -> bool:
        assert not table.failed, f"a player was refused: {table.failed[0]}"
        if table.greeted < AT_A_TABLE or not table.says_hello:
            return table.greeted == AT_A_TABLE
        seats = json.loads(await self._server.read(f"/api/matches/{table.table}"))["seats"]
        return sum(seat["name"] is not None for seat in seats) == AT_A_TABLE

    def leave(self) -> None:
        for seat in self._seats:
            seat.hang_up()


async def measured(way: str, players: int, says_hello: bool) -> tuple[float, float]:
    """KiB for each player: RSS and USS."""
    with tempfile.TemporaryDirectory() as folder:
        async with serving(f"sqlite:///{folder}/idle.db", PARLOUR_HELLO_S="3600") as server:
            account = {"name": "host", "password": "nobody knows"}
            host = (await post(server.port, "/accounts", "", account))["token"]
            tokens = [(await post(server.port, "/guests", "", {}))["token"] for _ in range(AT_A_TABLE)]
            everybody = IdlePlayers(server, way, host, tokens)
            first, tables = await everybody.tables(FIRST, says_hello), await everybody.tables(players, says_hello)
            await everybody.connect(first)
            before = server.process.memory_kib(), server.process.unshared_kib()
            await everybody.connect(tables)
            rss_kib, uss_kib = server.process.memory_kib(), server.process.unshared_kib()
            everybody.leave()
    return (rss_kib - before[0]) / players, (uss_kib - before[1]) / players


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--way", choices=["tcp", "websocket"], default="tcp")
    parser.add_argument("--players", default="200,1000", help="two rows of the table for each; multiples of 5")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a connection is a file
    print("| way | players | state | KiB a player (RSS) | KiB a player (USS) |\n|---|---|---|---|---|")
    for players in map(int, given.players.split(",")):
        for says_hello, state in ((False, "connected"), (True, "seated")):
            rss, uss = asyncio.run(measured(given.way, players, says_hello))
            print(f"| {given.way} | {players:,} | {state} | {rss:.1f} | {uss:.1f} |", flush=True)


if __name__ == "__main__":
    main()
