"""Whether a server can do its work."""

import asyncio

from parlour.store.failures import StoreGone
from parlour.store.store import Store

READY_S = 5.0
"""How long the store may take to store something."""


class Readiness:
    """Tries to write to the store; those who ask at the same time are told the same."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._trying: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """Raise whatever is wrong."""
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._store.ready())
        trying = self._trying
        done, _ = await asyncio.wait([trying], timeout=READY_S)
        if not done:
            raise StoreGone(f"the store has not answered for {READY_S:g} s")
        trying.result()
