"""Group commit: lines of many matches become durable together."""

import asyncio
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from parlour.store.schema import lines

MOST_TOGETHER = 2000


class Batch(Struct, eq=False):
    """Lines of one match, and who waits for them."""

    match: str
    first: int
    raws: Sequence[bytes]
    kept: "asyncio.Future[None]"


class Writer:
    """Takes what has gathered while the last commit was under way, and commits that; nobody waits for a timer."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._waiting: list[Batch] = []
        self._some = asyncio.Event()
        self._task = asyncio.create_task(self._run())
        self.commits = 0
        self.lines = 0

    async def keep(self, match: str, first: int, raws: Sequence[bytes]) -> None:
        """Return when they are on the disk. A failure is the caller's: nothing of them is kept then."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(Batch(match, first, raws, kept))
        self._some.set()
        await kept

    async def close(self) -> None:
        """Write what is left."""
        while self._waiting:
            await asyncio.sleep(0.001)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await self._some.wait()
            batches = self._taken()
            try:
                await self._commit(batches)
            except Exception as e:
                await self._apart(batches, e)
            else:
                _told(batches)
            if not self._waiting:
                self._some.clear()

    def _taken(self) -> list[Batch]:
        size = count = 0
        while count < len(self._waiting) and size < MOST_TOGETHER:
            size += len(self._waiting[count].raws)
            count += 1
        batches, self._waiting = self._waiting[:count], self._waiting[count:]
        return batches

    async def _commit(self, batches: Sequence[Batch]) -> None:
        rows: list[dict[str, Any]] = [
            {"match": batch.match, "n": batch.first + place, "raw": raw}
            for batch in batches
            for place, raw in enumerate(batch.raws)
        ]
        async with self._engine.begin() as connection:
            await connection.execute(insert(lines), rows)
        self.commits += 1
        self.lines += len(rows)

    async def _apart(self, batches: Sequence[Batch], error: Exception) -> None:
        """One match's trouble is not the others': each is tried alone."""
        if len(batches) == 1:
            if not batches[0].kept.done():
                batches[0].kept.set_exception(error)
            return
        for batch in batches:
            try:
                await self._commit([batch])
            except Exception as e:
                await self._apart([batch], e)
            else:
                _told([batch])


def _told(batches: Sequence[Batch]) -> None:
    for batch in batches:
        if not batch.kept.done():
            batch.kept.set_result(None)
