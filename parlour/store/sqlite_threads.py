"""SQLite in threads: each statement is one trip there and back, and what waits for the disk waits there.

Drivers that make a trip of every call make eleven of them for one question; under load most of the time goes there.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, CursorResult, Engine, Executable, Result, ScalarResult

T = TypeVar("T")


class Connected(Protocol):
    """What is asked of a connection, whichever database is at its other end."""

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[*tuple[Any, ...]]: ...
    async def scalar(self, statement: Executable) -> Any: ...
    async def scalars(self, statement: Executable) -> ScalarResult[Any]: ...
    async def run_sync(self, fn: Callable[..., T], *arg: Any) -> T:
        """Do something with the connection that knows nothing of coroutines."""


async def done_there(threads: Executor, fn: Callable[..., T], *arg: Any) -> T:
    """Do something in one of the threads; it is done when this returns, even if whoever waits is stopped."""
    trip = asyncio.get_running_loop().run_in_executor(threads, fn, *arg)
    try:
        return await asyncio.shield(trip)
    finally:
        while not trip.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([trip])


class Threaded:
    """A connection that is made with its first use; each use is one trip."""

    def __init__(self, engine: Engine, threads: Executor) -> None:
        self._engine = engine
        self._threads = threads
        self._connection: Connection | None = None
        self._results: list[Result[*tuple[Any, ...]] | ScalarResult[Any]] = []

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[*tuple[Any, ...]]:
        return await self.run_sync(Connection.execute, statement, parameters)

    async def scalar(self, statement: Executable) -> Any:
        return await self.run_sync(Connection.scalar, statement)

    async def scalars(self, statement: Executable) -> ScalarResult[Any]:
        return await self.run_sync(Connection.scalars, statement)

    async def run_sync(self, fn: Callable[..., T], *arg: Any) -> T:
        return await done_there(self._threads, self._there, fn, *arg)

    def _there(self, fn: Callable[..., T], *arg: Any) -> T:
        if self._connection is None:
            self._connection = self._engine.connect()
        found = fn(self._connection, *arg)
        if isinstance(found, Result | ScalarResult):
            self._results.append(found)
        return found

    async def commit(self) -> None:
        """What was done is on the disk; and that was all."""
        if self._connection is not None:
            self._close_results()
            await self.run_sync(_committed)
            self._connection = None

    async def undo(self) -> None:
        if self._connection is not None:
            self._close_results()
            await self.run_sync(Connection.close)

    def release(self) -> None:
        """For who has only read."""
        if self._connection is not None:
            self._close_results()
            self._connection.close()

    def _close_results(self) -> None:
        """A statement with rows left to fetch, because its reader was cancelled, would keep the connection at an old
        snapshot. The next writer on this connection would be refused."""
        for result in self._results:
            result.close()


def _committed(connection: Connection) -> None:
    connection.commit()
    connection.close()


@asynccontextmanager
async def reading(engine: Engine, threads: Executor) -> AsyncIterator[Connected]:
    """All that is read in the block is of one moment."""
    connection = Threaded(engine, threads)
    try:
        yield connection
    finally:
        connection.release()


@asynccontextmanager
async def writing(engine: Engine, threads: Executor) -> AsyncIterator[Connected]:
    """What is done in the block is on the disk after it; an exception undoes it."""
    connection = Threaded(engine, threads)
    try:
        yield connection
        await connection.commit()
    finally:
        await connection.undo()
