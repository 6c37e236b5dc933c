"""The state of a server at a glance, for its administrators."""

import os
import time
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import asdict

import parlour
from parlour.server.api.table_limits import TableLimits
from parlour.server.ops.health import Readiness
from parlour.server.ops.limit_use import LimitInfo, limits
from parlour.server.venue import Premises
from parlour.store.failures import is_store_failure, words_of
from parlour.store.figures import StoreFigures
from parlour.store.store import Store

OVER_WEB = ("websocket", "watch", "events")
"""How the names of ways over the web port begin."""


class Health(Struct, frozen=True):
    """Whether the store takes a test write."""

    is_ready: bool
    why: str | None
    """Why not."""


class MatchCounts(Struct, frozen=True):
    running: int
    open: int
    """Tables that wait for players."""


class StoreInfo(StoreFigures, frozen=True):
    """The figures of the store, and what the server writes to it."""

    lines_written: int
    """Since the server started."""
    waiting: int
    """Lines of matches that are being written."""


class Overview(Struct, frozen=True):
    """The state of the server."""

    version: str
    uptime_s: int
    health: Health
    matches: MatchCounts
    connections: dict[str, int]
    """By way, the open ones. Requests that are answered at once are not counted."""
    store: StoreInfo | None
    """null if the store fails."""
    memory_bytes: int | None
    """Of this process; null if the system does not tell."""
    limits: tuple[LimitInfo, ...]


class Observatory:
    """Collects the state of a server."""

    def __init__(self, premises: Premises, readiness: Readiness, tables: TableLimits) -> None:
        self._premises = premises
        self._readiness = readiness
        self._tables = tables
        self._since = time.monotonic()

    async def look(self) -> Overview:
        """The state now. A store that fails is reported, and everything else as usual."""
        health, arena, connections = await self._health(), self._premises.arena, self._connections()
        return Overview(
            parlour.__version__,
            round(time.monotonic() - self._since),
            health,
            MatchCounts(len(arena.playing), len(arena.open)),
            connections,
            await _store(self._premises.store) if health.is_ready else None,
            _memory_bytes(),
            limits(self._premises.settings, await self._uses(connections)),
        )

    async def _health(self) -> Health:
        try:
            await self._readiness.check()
        except Exception as e:
            return Health(False, words_of(e) if is_store_failure(e) else type(e).__name__)
        return Health(True, None)

    def _connections(self) -> dict[str, int]:
        [family] = self._premises.metrics.connections.collect()
        return {sample.labels["way"]: round(sample.value) for sample in family.samples if sample.value > 0}

    async def _uses(self, connections: Mapping[str, int]) -> dict[str, int]:
        """By setting, how far its limit is used."""
        watchers = self._premises.metrics.watchers
        over_web = sum(count for way, count in connections.items() if way.startswith(OVER_WEB))
        return {
            "connections": max(over_web, sum(connections.values()) - over_web),
            "watchers_per_match": watchers.of(watchers.busiest()),
            "tries_a_minute": self._premises.tries.most_used(),
            "wrong_logins_a_minute": self._premises.logins.most_used(),
            "guests_a_minute": self._premises.guests.most_used(),
            "tables_per_account": await self._tables.most_used(by_guests=False),
            "tables_per_guest": await self._tables.most_used(by_guests=True),
        }


async def _store(store: Store) -> StoreInfo:
    found = asdict(await store.figures.read())
    return StoreInfo(**found, lines_written=store.writer.lines, waiting=store.writer.waiting)


def _memory_bytes() -> int | None:
    """The resident memory of this process."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None
