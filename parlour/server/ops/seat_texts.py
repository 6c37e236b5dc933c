"""Store the stderr and the notes of seats."""

import asyncio

from parlour.server.ops.logs import RepeatedWork
from parlour.store.store import Store
from parlour.tables.seat_log import SeatLogs

SAVE_S = 2.0
"""How often new texts are stored."""


class TextKeeper:
    """Stores new texts every few seconds, when a reader asks for them, and when the server stops."""

    def __init__(self, store: Store, logs: SeatLogs) -> None:
        self._store = store
        self._logs = logs
        self._one = asyncio.Lock()
        self._saving = RepeatedWork("seat texts")

    async def save(self) -> None:
        """Store all new texts. If that fails, they are kept for the next time. A cancellation takes effect after it:
        the store may have the texts already, and would get them twice."""
        saving = asyncio.ensure_future(self._save())
        try:
            await asyncio.shield(saving)
        finally:
            await asyncio.gather(saving, return_exceptions=True)

    async def _save(self) -> None:
        async with self._one:
            if texts := self._logs.take_unsaved():
                try:
                    await self._store.texts.save(texts)
                except BaseException:
                    self._logs.pending = texts + self._logs.pending
                    raise
            if calls := self._logs.calls:
                self._logs.calls = []
                try:
                    await self._store.models.save(calls)
                except BaseException:
                    self._logs.calls = calls + self._logs.calls
                    raise

    async def run(self) -> None:
        """Save until cancelled."""
        while True:
            await asyncio.sleep(SAVE_S)
            await self.try_to_save()

    async def try_to_save(self) -> None:
        """Save; an error is logged, and a repeated one only once."""
        with self._saving.going_on():
            await self.save()
