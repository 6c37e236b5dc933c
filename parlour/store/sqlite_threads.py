"""SQLite in threads, with one thread switch per statement.

Async drivers switch threads for every call, eleven times for one query; under load that takes most of the time.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, CursorResult, Engine, Executable, Result, ScalarResult

T = TypeVar("T")


class Connected(Protocol):
    """The interface of a connection, for SQLite and PostgreSQL."""

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[*tuple[Any, ...]]: ...
    async def scalar(self, statement: Executable) -> Any: ...
    async def scalars(self, statement: Executable) -> ScalarResult[Any]: ...
    async def run_sync(self, fn: Callable[..., T], *arg: Any) -> T:
        """Call a synchronous function with the connection."""


async def done_there(threads: Executor, fn: Callable[..., T], *arg: Any) -> T:
    """Call a function in a thread. Returns only after it has finished, even if the caller is cancelled."""
    trip = asyncio.get_running_loop().run_in_executor(threads, fn, *arg)
    try:
        return await asyncio.shield(trip)
    finally:
        while not trip.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([trip])


class Threaded:
    """A connection that is opened at its first use; each use switches threads once."""

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

    def release(self) -> None:
        """Close after reading."""
        if self._connection is not None:
            self._close_results()
            self._connection.close()

    def _close_results(self) -> None:
        """If a reader is cancelled, its statement may have rows left. It would keep the connection at an old snapshot,
        which its next user would see."""
        for result in self._results:
            result.close()


@asynccontextmanager
async def reading(engine: Engine, threads: Executor) -> AsyncIterator[Connected]:
    """A block whose queries all see the same snapshot."""
    connection = Threaded(engine, threads)
    try:
        yield connection
    finally:
        connection.release()
