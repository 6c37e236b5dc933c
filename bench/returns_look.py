"""What is left after the soak of returns: matches, acknowledged answers, tasks, timers, and bugs that were told."""

import asyncio
import contextlib
import gc
import logging
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from kill import Log, by_game, missing, told_otherwise, verdict
from msgspec import Struct
from returns_ways import Painter

from parlour.client import Finished
from parlour.games import game
from parlour.protocol.records import StoredMatch
from parlour.referee.transcript import Line, read_record
from parlour.store.check import check
from parlour.store.store import Store

LIMIT_S = 120.0
"""The time limit for an answer. No client needs it; a late one was not asked."""
SETTLES_S = 30.0
TIMERS = ("Arena.", "SeatKeeper.", "Shell.", "IdleTimeout.")
"""Functions of matches, tables and connections. At the end no timer may be left that calls one of them."""


class Summary(Struct):
    """What came of it."""

    seed: int
    seconds: float = 0.0
    cuts: int = 0
    stops: int = 0
    states: Counter[str] = msgspec.field(default_factory=Counter)
    matches: Counter[str] = msgspec.field(default_factory=Counter)
    lines: int = 0
    acknowledged: int = 0
    seen: int = 0
    """Messages that watchers have seen."""
    dead: int = 0
    """Seats whose owners were away for too long."""
    troubles: list[str] = msgspec.field(default_factory=list)

    def __str__(self) -> str:
        games, dropped = by_game(self.matches), self.states["dropped"]
        told = [
            f"seed {self.seed}: {self.cuts:,} connections cut in {self.seconds:.0f} s, {self.stops} stops",
            f"matches finished: {games}; tables dropped: {dropped}; seats lost: {self.dead}",
            f"lines kept: {self.lines:,}; acknowledged: {self.acknowledged:,}; seen by watchers: {self.seen:,}",
        ]
        return verdict(told, self.troubles, "nobody was forgotten")


class Known(Struct):
    """What clients know for certain, and what they wonder about."""

    logs: list[Log] = msgspec.field(default_factory=list)
    painters: list[Painter] = msgspec.field(default_factory=list)
    finished: dict[str, Finished] = msgspec.field(default_factory=dict)
    odd: set[str] = msgspec.field(default_factory=set)
    """Matches that somebody may miss who has a seat: it has two connections, or its token was revoked."""
    missed: set[str] = msgspec.field(default_factory=set)
    """Matches that were over before somebody came who had a seat."""
    seen: int = 0
    """Messages that watchers have seen."""
    troubles: list[str] = msgspec.field(default_factory=list)


@contextlib.contextmanager
def bugs(troubles: list[str]) -> Iterator[None]:
    """Collect the bugs that the server logs, and errors that no code handles."""

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            facts = getattr(record, "facts", {})
            troubles.append(f"told as a bug: {logging.Formatter().format(record)} {facts}")

    loop, told = asyncio.get_running_loop(), Told(logging.ERROR)
    logger = logging.getLogger("parlour")
    loop.set_exception_handler(lambda _, context: troubles.append(f"nobody heard of: {context}"))
    logger.addHandler(told)
    try:
        yield
    finally:
        logger.removeHandler(told)
        loop.set_exception_handler(None)


async def left_over(before: set["asyncio.Task[Any]"]) -> list[str]:
    """Tasks, and timers of matches and tables, that have outlived the server."""
    end = time.monotonic() + SETTLES_S
    while (left := asyncio.all_tasks() - before) and time.monotonic() < end:
        await asyncio.sleep(0.05)
    gc.collect()
    await asyncio.sleep(0.05)
    timers = [str(handle) for handle in getattr(asyncio.get_running_loop(), "_scheduled", ()) if not handle.cancelled()]
    return [
        *[f"a task is left: {task}" for task in left],
        *[f"a timer is left: {timer}" for timer in timers if any(name in timer for name in TIMERS)],
    ]


async def look(store: Store, known: Known, summary: Summary) -> None:
    """Every match of the store, and what every client knows."""
    logs: dict[str, list[Log]] = {}
    for log in known.logs:
        logs.setdefault(log.match, []).append(log)
    kept = set[str]()
    async for match in store.each_match():
        lines = await store.lines(match.id)
        troubles = [*await check(store, match, game), *_not_over(match)]
        if not troubles and lines:
            troubles += missing(match, lines, await store.seed(match.id), logs.pop(match.id, []))
            troubles += told_otherwise(match, known.finished.get(match.id))
            troubles += _late(match, lines)
        if match.game == "colorfight":
            kept |= {words for line in lines for words in line.decode().split('"')}
        summary.states[match.state] += 1
        summary.matches[match.game] += match.state == "over" and any(seat.account for seat in match.seats)
        summary.lines += len(lines)
        dead = sum(b'"dead"' in line for line in lines)
        if match.id in known.missed - known.odd and not dead:
            troubles.append("it was over before somebody came who had a seat")
        summary.dead += dead
        summary.troubles += [f"{match.game} {match.id}: {trouble}" for trouble in troubles]
    taken = [words for painter in known.painters for words in painter.taken]
    summary.acknowledged = sum(len(log.acknowledged) for log in known.logs) + len(taken)
    summary.troubles += [f"the list {words!r} was taken and is not kept" for words in taken if words not in kept]
    summary.troubles += [f"{id}: somebody has played in it, and it is not there" for id in logs if id]


def _not_over(match: StoredMatch) -> list[str]:
    """Except tables without clients, and the public room."""
    waits = match.state in ("open", "running") and any(seat.account or seat.secret for seat in match.seats)
    return [f"it is {match.state} and should be over"] if waits else []


def _late(match: StoredMatch, lines: list[bytes]) -> list[str]:
    """Who had a minute to answer and has not, was not asked, or not heard."""
    if msgspec.json.decode(match.terms)["limit_s"] != LIMIT_S:
        return []
    records = [read_record(line, 1) for line in lines]
    late = [record for record in records if isinstance(record, Line) and record.fault and record.fault.kind == "late"]
    return [f"seat {record.by} was late in line {record.n}" for record in late]
