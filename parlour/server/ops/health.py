"""Readiness check of a server."""

import asyncio

from parlour.store.failures import StoreGone
from parlour.store.store import Store

READY_S = 5.0
"""Timeout of the test write."""


class Readiness:
    """Tests writing to the store. Simultaneous checks share one test."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._trying: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """Raise the error of the store, if it fails."""
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._store.ready())
        trying = self._trying
        done, _ = await asyncio.wait([trying], timeout=READY_S)
        if not done:
            raise StoreGone(f"the store has not answered for {READY_S:g} s")
        trying.result()
