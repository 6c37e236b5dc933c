"""The load bench: an arena under many matches of For Sale and Dominion at once, all of whose players are sockets.

    python bench/load.py                                  10, 100, 500 and 1,000 matches, as fast as it goes
    python bench/load.py --matches 500 --rate 2000        the same at a pace: so many moves a second are offered
    python bench/load.py --way tcp --store postgresql://USER@HOST/NAME
    python bench/load.py --matches 100 --seconds 5 --against ../before --turns 4

The server is a process of its own, as anybody starts it, on a new store; the bots are in another. A match that ends is
followed by another at once, so that their number holds. All is counted from when they have begun, for so many seconds.
At the end the server is stopped, and what it has kept is checked.

With `--against` the server of another checkout is measured by turns with this one, so that other load on the machine
affects both alike. Each pair of turns gives one ratio of their CPU time per move: below 1 this checkout is faster.
"""

import argparse
import asyncio
import os
import resource
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from load_bots import SEATS, Orders, post
from load_processes import ROOT, Clients, Server, serving
from msgspec import Struct
from speed import yardstick

from parlour.games import game
from parlour.store.check import check
from parlour.store.store import Store

BEGIN_WITHIN_S = 600.0
LOOKS_S = 1.0


# What is measured


class Row(Struct):
    """One line of the table."""

    way: str
    matches: int
    rate: int | None
    """Moves a second that were offered; None: as fast as it goes."""
    seconds: float
    held: float
    """Matches under way, as the server counts them, on the average."""
    finished: int
    moves: int
    """As the server counts them, when they are durable."""
    taken: int
    """As the bots know it."""
    p50_ms: float
    p99_ms: float
    most_ms: float
    server_cpu_s: float
    bots_cpu_s: float
    commits: int
    kib_a_match: float
    load: float
    """Of the machine: how many wanted its processors, at the end."""
    yardstick: float
    """Empty calls a CPU-second of Python, in the middle of it all."""
    refused: dict[str, int]
    faults: int

    @property
    def us_a_move(self) -> float:
        """CPU time of the server for a durable move, with all that goes with it: new matches, too."""
        return 1e6 * self.server_cpu_s / max(1, self.moves)

    @property
    def cells(self) -> list[str]:
        seconds = self.seconds
        return [
            self.way,
            f"{self.matches:,}",
            "all it can" if self.rate is None else f"{self.rate:,}/s",
            f"{self.held:,.0f}",
            f"{self.finished:,}",
            f"{self.moves / seconds:,.0f}",
            f"{self.taken / seconds:,.0f}",
            f"{self.p50_ms:.1f}",
            f"{self.p99_ms:.1f}",
            f"{self.most_ms:.0f}",
            f"{self.server_cpu_s / seconds:.2f}",
            f"{self.bots_cpu_s / seconds:.2f}",
            f"{self.moves / self.server_cpu_s:,.0f}",
            f"{self.us_a_move:,.0f}",
            f"{self.moves / max(1, self.commits):.1f}",
            f"{self.kib_a_match:,.0f}",
            f"{self.load:.1f}",
            f"{self.yardstick / 1e6:.1f} M",
        ]


HEADS = [
    "way",
    "matches",
    "offered",
    "held",
    "finished",
    "durable moves/s",
    "seen by bots",
    "p50 ms",
    "p99 ms",
    "max ms",
    "server cores",
    "bots cores",
    "moves a CPU-second",
    "us a move",
    "moves a commit",
    "KiB a match",
    "load",
    "yardstick",
]


class Terms(Struct, frozen=True):
    """How a row is measured."""

    way: Any
    games: tuple[str, ...]
    seconds: float
    rate: int | None
    processes: int


async def measured(server: Server, matches: int, terms: Terms) -> Row:
    """Hold so many matches, and count for a while."""
    idle_kib = server.process.memory_kib()
    host = await _account(server)
    players = tuple([await _guest(server) for _ in range(max(SEATS.values()))])
    think_s = 0.0 if terms.rate is None else matches / terms.rate
    games = [terms.games[number % len(terms.games)] for number in range(matches)]
    clients = [
        await Clients.start(Orders(server.port, server.tcp_port, terms.way, tuple(own), think_s, host, players))
        for place in range(terms.processes)
        if (own := games[place :: terms.processes])
    ]
    try:
        await _begun(clients, matches)
        return await _counted(server, clients, matches, terms, idle_kib)
    finally:
        await asyncio.gather(*(each.stop() for each in clients))


async def _account(server: Server) -> str:
    body = {"name": "host", "password": secrets.token_urlsafe()}
    token: str = (await post(server.port, "/accounts", "", body))["token"]
    return token


async def _guest(server: Server) -> str:
    token: str = (await post(server.port, "/guests", "", {}))["token"]
    return token


async def _begun(clients: Sequence[Clients], matches: int) -> None:
    """Wait until there was a match at every place; those that have ended are being replaced."""
    began = time.monotonic()
    while (begun := sum(len(each.tally.begun) for each in clients)) < matches:
        assert time.monotonic() - began < BEGIN_WITHIN_S, f"only {begun} of {matches} matches could be begun"
        _progress(f"{begun} of {matches} matches have begun; refused: {_refused(clients) or 'nobody'}")
        await asyncio.sleep(LOOKS_S / 4)


async def _counted(server: Server, clients: Sequence[Clients], matches: int, terms: Terms, idle_kib: int) -> Row:
    for each in clients:
        each.count()
    before, began, cpu_s = await server.figures(), time.monotonic(), _cpu_s(server, clients)
    held, kib, calls = [], [], []
    while (past_s := time.monotonic() - began) < terms.seconds:
        await asyncio.sleep(min(LOOKS_S, terms.seconds - past_s))
        now = await server.figures()
        held.append(now["parlour_matches"])
        kib.append(server.process.memory_kib())
        count, cpu = yardstick(0)
        calls.append(count / cpu)
        moves = now["parlour_moves_total"] - before["parlour_moves_total"]
        past_s = time.monotonic() - began
        _progress(f"{past_s:.0f} s: {held[-1]:g} matches held, {moves / past_s:,.0f} moves a second")
    for each in clients:
        each.report()
    tallies = await asyncio.gather(*(each.reported for each in clients))
    seconds, after, cpu_after_s = time.monotonic() - began, await server.figures(), _cpu_s(server, clients)
    waits_us = sorted(wait for tally in tallies for wait in tally.waits_us)
    return Row(
        way=terms.way,
        matches=matches,
        rate=terms.rate,
        seconds=seconds,
        held=sum(held) / len(held),
        finished=sum(tally.finished for tally in tallies),
        moves=round(after["parlour_moves_total"] - before["parlour_moves_total"]),
        taken=sum(tally.moves for tally in tallies),
        p50_ms=_at(waits_us, 0.5),
        p99_ms=_at(waits_us, 0.99),
        most_ms=_at(waits_us, 1.0),
        server_cpu_s=cpu_after_s[0] - cpu_s[0],
        bots_cpu_s=cpu_after_s[1] - cpu_s[1],
        commits=round(after["parlour_store_commits_total"] - before["parlour_store_commits_total"]),
        kib_a_match=(max(kib) - idle_kib) / matches,
        load=os.getloadavg()[0],
        yardstick=median(calls),
        refused=_refused(clients),
        faults=sum(tally.faults for tally in tallies),
    )


def _at(waits_us: Sequence[int], share: float) -> float:
    return waits_us[min(len(waits_us) - 1, int(share * len(waits_us)))] / 1000 if waits_us else 0.0


def _cpu_s(server: Server, clients: Sequence[Clients]) -> tuple[float, float]:
    return server.process.cpu_s(), sum(each.process.cpu_s() for each in clients)


def _refused(clients: Sequence[Clients]) -> dict[str, int]:
    return dict(sum((Counter(each.tally.refused) for each in clients), Counter()))


def _progress(words: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{words}", end="", file=sys.stderr, flush=True)


# What is left of it


async def looked_at(url: str, most: int) -> tuple[int, int, list[str]]:
    """How many matches the store has, how many of them were checked, and what is wrong with these."""
    store = await Store.open(url)
    try:
        count, checked, troubles = await store.count_matches(), 0, list[str]()
        step = max(1, count // most)
        number = 0
        async for match in store.each_match():
            if number % step == 0:
                checked += 1
                troubles += [f"{match.id}: {trouble}" for trouble in await check(store, match, game)]
                _progress(f"{checked} matches of the store are checked")
            number += 1
        return count, checked, troubles
    finally:
        await store.close()


class Report:
    """The table, and what is wrong with any row of it."""

    def __init__(self, terms: Terms, url: str | None, most_checked: int) -> None:
        self._terms = terms
        self._url = url
        self._most_checked = most_checked
        self.notes: list[str] = []
        self.troubles: list[str] = []
        print("| " + " | ".join(HEADS) + " |\n" + "|---" * len(HEADS) + "|", flush=True)

    async def row(self, size: int, checkout: Path) -> Row:
        """Measure and print one, and check the store."""
        with tempfile.TemporaryDirectory() as folder:
            store = f"sqlite:///{folder}/load.db" if self._url is None else self._url
            async with serving(store, checkout) as server:
                row = await measured(server, size, self._terms)
            if checkout != ROOT:
                row.way += f", {checkout.name}"
            _progress("")
            print("| " + " | ".join(row.cells) + " |", flush=True)
            count, checked, wrong = await looked_at(store, self._most_checked)
        _progress("")
        self.notes.append(
            f"{size} matches at once: {checked} of {count} matches in the store checked, {len(wrong)} wrong"
        )
        self.troubles += wrong
        if row.refused or row.faults:
            self.troubles.append(f"{size} matches: refused {row.refused}, {row.faults} faults")
        return row

    async def turns(self, size: int, other: Path, turns: int) -> None:
        """Measure both checkouts, which take turns in going first."""
        cost: dict[Path, list[float]] = {ROOT: [], other: []}
        for turn in range(turns):
            for checkout in (ROOT, other) if turn % 2 else (other, ROOT):
                cost[checkout].append((await self.row(size, checkout)).us_a_move)
        here, there = cost[ROOT], cost[other]
        ratios = [ours / theirs for ours, theirs in zip(here, there, strict=True)]
        self.notes.append(
            f"{size} matches at once: {median(here):,.0f} us a move, {median(there):,.0f} in {other.name}; "
            f"ratio {median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}"
        )


async def bench(report: Report, sizes: Sequence[int], against: Path | None, turns: int) -> list[str]:
    """Measure and print; gives what is wrong."""
    for size in sizes:
        if against is None:
            await report.row(size, ROOT)
        else:
            await report.turns(size, against, turns)
    print("\n".join(["", *report.notes, *report.troubles]))
    return report.troubles


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", default="10,100,500,1000", help="at once; one row of the table for each")
    parser.add_argument("--games", default="forsale,dominion", help=f"of {', '.join(SEATS)}, as many of each")
    parser.add_argument("--seconds", type=float, default=30.0, help="to count for, once all matches have begun")
    parser.add_argument("--rate", type=int, help="moves a second that are offered; else each bot answers at once")
    parser.add_argument("--way", choices=["websocket", "tcp"], default="websocket")
    parser.add_argument("--processes", type=int, default=1, help="with bots in them")
    parser.add_argument("--store", metavar="URL", help="an empty one; else SQLite in a temporary file")
    parser.add_argument("--check", type=int, default=200, help="at most about so many matches of the store")
    parser.add_argument(
        "--against", metavar="PATH", type=Path, help="another checkout, measured by turns with this one"
    )
    parser.add_argument("--turns", type=int, default=3, help="of each checkout, with --against (default: 3)")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a connection is a file; processes of ours inherit it
    sizes = [int(size) for size in given.matches.split(",")]
    terms = Terms(given.way, tuple(given.games.split(",")), given.seconds, given.rate, given.processes)
    if given.store is not None and (len(sizes) > 1 or given.against):
        parser.error("a store that is not made anew is good for one number of matches")
    against = given.against and given.against.resolve()
    report = Report(terms, given.store, given.check)
    sys.exit(bool(asyncio.run(bench(report, sizes, against, given.turns))))


if __name__ == "__main__":
    main()
