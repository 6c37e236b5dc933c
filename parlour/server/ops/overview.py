"""The state of a server at a glance, for its administrators."""

import os
import time
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import asdict

import parlour
from parlour.server.ops.health import Readiness
from parlour.server.ops.limits import LimitInfo, Use, limits
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.store.failures import is_store_failure, words_of
from parlour.store.figures import StoreFigures
from parlour.store.store import Store
from parlour.tables.arena import Arena

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

    def __init__(
        self,
        store: Store,
        arena: Arena,
        metrics: Metrics,
        settings: Settings,
        readiness: Readiness,
        uses: Mapping[str, Use],
    ) -> None:
        """`uses`: by setting, the use of limits that is measured elsewhere."""
        self._store = store
        self._arena = arena
        self._metrics = metrics
        self._settings = settings
        self._readiness = readiness
        self._uses = {**uses, "connections": self._connections_used, "watchers_per_match": self._watchers_used}
        self._since = time.monotonic()

    async def look(self) -> Overview:
        """The state now. A store that fails is reported, and everything else as usual."""
        health = await self._health()
        return Overview(
            parlour.__version__,
            round(time.monotonic() - self._since),
            health,
            MatchCounts(len(self._arena.playing), len(self._arena.open)),
            self._connections(),
            await _store(self._store) if health.is_ready else None,
            _memory_bytes(),
            await limits(self._settings, self._uses),
        )

    async def _health(self) -> Health:
        try:
            await self._readiness.check()
        except Exception as e:
            return Health(False, words_of(e) if is_store_failure(e) else type(e).__name__)
        return Health(True, None)

    def _connections(self) -> dict[str, int]:
        [family] = self._metrics.connections.collect()
        return {sample.labels["way"]: round(sample.value) for sample in family.samples if sample.value > 0}

    async def _connections_used(self) -> int:
        open = self._connections()
        over_web = sum(count for way, count in open.items() if way.startswith(OVER_WEB))
        return max(over_web, sum(open.values()) - over_web)

    async def _watchers_used(self) -> int:
        return max(self._metrics.watchers.values(), default=0)


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
