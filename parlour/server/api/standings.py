"""The API route for standings."""

import time
from typing import Annotated

from litestar import get
from litestar.params import QueryParameter
from msgspec import Struct

from parlour.protocol.records import now_ms
from parlour.server.api.lookups import found_game
from parlour.server.api.requests import Routes, refusals
from parlour.store.standings import PlayerRecord
from parlour.store.store import Store
from parlour.store.tidy import DAY_MS

MOST = 20
"""How many accounts are listed."""
FRESH_S = 5.0
"""How long an answer is used again, because anybody can ask."""


class Standings(Struct, frozen=True):
    """Counts of the last days, not ratings: they say nothing about how strong the opponents were."""

    game: str
    days: int
    standings: tuple[PlayerRecord, ...]


class StandingsRoute(Routes):
    """Counts matches and wins of accounts."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[str, int], tuple[float, Standings]] = {}

    @get("/standings", responses=refusals(400, 404, 503))
    async def standings(
        self,
        name: Annotated[str, QueryParameter(name="game", max_length=40)],
        days: Annotated[int, QueryParameter(ge=1, le=366)] = 7,
    ) -> Standings:
        """The accounts with the most wins in a game in the last days."""
        found_game(name)
        return await self._counted(name, days)

    async def _counted(self, game: str, days: int) -> Standings:
        at, known = self._known.get((game, days), (0.0, None))
        if known is not None and time.monotonic() < at + FRESH_S:
            return known
        found = await self._store.standings(game, now_ms() - days * DAY_MS, MOST)
        made = Standings(game, days, tuple(found))
        self._known[game, days] = (time.monotonic(), made)
        return made
