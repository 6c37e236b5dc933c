"""Group commit of the lines of many matches."""

import asyncio
from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from sqlalchemy import Connection
from sqlalchemy.exc import InterfaceError, OperationalError

from parlour.store.database import Database
from parlour.store.failures import StoreGone
from parlour.store.schema import lines

MOST_TOGETHER = 2000


class Closed(StoreGone):
    """The store is closed."""


class Batch(Struct, eq=False):
    """Lines of one match, and the future that waits for them."""

    match: str
    first: int
    raws: Sequence[bytes]
    kept: "asyncio.Future[None]"


class Writer:
    """Commits all lines that arrived during the previous commit together. There is no timer."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[Batch] = []
        self._some = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run())
        self.commits = 0
        self.lines = 0

    async def keep(self, match: str, first: int, raws: Sequence[bytes]) -> None:
        """Store lines; they are durable when this returns. All of them are stored or none. After a lost connection
        either is possible, so read the store to find out."""
        if self._closing:
            raise Closed("the store is closed")
        if not raws:
            return
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(Batch(match, first, raws, kept))
        self._some.set()
        await kept

    @property
    def waiting(self) -> int:
        """The number of lines that wait for the next commit."""
        return sum(len(batch.raws) for batch in self._waiting)

    async def close(self) -> None:
        """Write the remaining lines and stop."""
        self._closing = True
        self._some.set()
        await self._task

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            await self._some.wait()
            if self._waiting:
                await self._keep(self._taken())
            if not self._waiting and not self._closing:
                self._some.clear()

    def _taken(self) -> list[Batch]:
        size = count = 0
        while count < len(self._waiting) and size < MOST_TOGETHER:
            size += len(self._waiting[count].raws)
            count += 1
        batches, self._waiting = self._waiting[:count], self._waiting[count:]
        return batches

    async def _keep(self, batches: Sequence[Batch]) -> None:
        """Commit all batches together; if a batch is invalid, one after the other."""
        try:
            await self._commit(batches)
        except (OperationalError, InterfaceError, StoreGone) as e:  # the database failed, not a batch
            _tell(batches, e)
        except Exception as e:
            if len(batches) > 1:
                await self._keep_apart(batches)
            else:
                _tell(batches, e)
        else:
            _tell(batches, None)

    async def _keep_apart(self, batches: Sequence[Batch]) -> None:
        """Commit the batches separately. If one fails, later batches of the same match fail too."""
        failed: dict[str, BaseException] = {}
        for batch in batches:
            if batch.match in failed:
                _tell([batch], failed[batch.match])
                continue
            await self._keep([batch])
            if not batch.kept.cancelled() and (error := batch.kept.exception()) is not None:
                failed[batch.match] = error

    async def _commit(self, batches: Sequence[Batch]) -> None:
        rows = [(batch.match, batch.first + place, raw) for batch in batches for place, raw in enumerate(batch.raws)]
        await self._database.do(partial(_insert, rows))
        self.commits += 1
        self.lines += len(rows)


def _insert(rows: list[tuple[str, int, bytes]], connection: Connection) -> None:
    """Raw SQL, which is faster: the statement never changes and the values need no conversion."""
    places = "?, ?, ?" if connection.dialect.name == "sqlite" else "%s, %s, %s"
    connection.exec_driver_sql(f"INSERT INTO {lines.name} (match, n, raw) VALUES ({places})", rows)


def _tell(batches: Sequence[Batch], error: BaseException | None) -> None:
    for batch in batches:
        if batch.kept.done():  # the waiting task was cancelled
            continue
        if error is None:
            batch.kept.set_result(None)
        else:
            batch.kept.set_exception(error)
