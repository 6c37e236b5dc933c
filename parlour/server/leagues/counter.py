"""Count the points of leagues. They are counted again only if a result was added or taken back."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from parlour.server.leagues.table import EntryFigures, counted
from parlour.store.league_values import Slot, StoredLeague
from parlour.store.store import Store

Figures: TypeAlias = Mapping[str, EntryFigures]
"""By entry."""
MOST_KEPT = 50
"""The number of leagues whose figures are kept."""
MUCH_S = 0.02
"""Figures that take more CPU time than this may be out of date for a while."""
SHARE = 20
"""How many times longer this pause is than the count took."""


class _Counted(Struct, frozen=True):
    mark: Any
    figures: Figures
    until: float
    """Until when the figures are good enough even if a match has been settled."""


class LeagueCounter:
    """Counts the matches of leagues in a thread, one league at a time.

    A league of thousands of matches takes a while to count, and matches may be settled many times a second. Therefore
    its figures may be some seconds old while it runs. Those of usual leagues, and of all that have ended, never are.
    """

    def __init__(self, store: Store) -> None:
        self._leagues = store.leagues
        self._kept: OrderedDict[tuple[object, ...], _Counted] = OrderedDict()
        self._one = asyncio.Lock()

    async def figures(self, league: StoredLeague, before_ms: int | None) -> Figures:
        """The figures of a league from the matches that were settled before a time; None: from all of them."""
        key = (league.id, league.state, before_ms)
        async with self._one:
            kept = self._kept.get(key)
            if kept is not None and time.monotonic() < kept.until:
                return kept.figures
            mark = await self._leagues.settled_mark(league.id, before_ms)
            if kept is None or kept.mark != mark:
                kept = await self._counted(league.id, mark, before_ms)
            self._kept[key] = kept
            self._kept.move_to_end(key)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return kept.figures

    async def _counted(self, league: str, mark: Any, before_ms: int | None) -> _Counted:
        """The mark was read before the matches, so it is never newer than they are."""
        rows = await self._leagues.settled_rows(league, before_ms)
        figures, took_s = await asyncio.to_thread(_count, rows)
        wait_s = SHARE * took_s if took_s > MUCH_S else 0.0
        return _Counted(mark, figures, time.monotonic() + wait_s)


def _count(rows: Sequence[Sequence[Any]]) -> tuple[Figures, float]:
    """The figures, and the CPU time of this thread."""
    started = time.thread_time()
    figures = counted(map(Slot.of, rows))
    return figures, time.thread_time() - started
