"""Group commit: writes that arrive at the same time share one transaction and one disk flush."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from sqlalchemy import Connection, Engine

T = TypeVar("T")


class Job(Struct, eq=False):
    """A write, and its result."""

    work: Callable[[Connection], Any]
    is_told: "asyncio.Future[None]"
    result: Any = None
    error: Exception | None = None


Together: TypeAlias = Callable[[Sequence[Job]], Awaitable[None]]


class Jobs:
    """Queues writes. All that arrive during a transaction form the next one."""

    def __init__(self, do_together: Together) -> None:
        self._do_together = do_together
        self._waiting: list[Job] = []
        self._doing: asyncio.Task[None] | None = None

    async def done(self, work: Callable[[Connection], T]) -> T:
        """Write; durable when this returns. A cancellation during the write takes effect after it."""
        job = Job(work, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._doing is None or self._doing.done():
            self._doing = asyncio.create_task(self._do())
        try:
            await asyncio.shield(job.is_told)
        finally:
            await self._given_up(job)
        if job.error is not None:
            raise job.error
        result: T = job.result
        return result

    async def _given_up(self, job: Job) -> None:
        if job in self._waiting:
            self._waiting.remove(job)
            return
        while not job.is_told.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([job.is_told])

    async def _do(self) -> None:
        while self._waiting:
            jobs, self._waiting = self._waiting, []
            try:
                await self._do_together(jobs)
            except Exception as e:
                for job in jobs:
                    job.error = e
            finally:
                for job in jobs:
                    job.is_told.set_result(None)


def do_all(engine: Engine, jobs: Sequence[Job]) -> None:
    """Run all jobs in one transaction. If that fails, run each in its own."""
    try:
        with engine.begin() as connection:
            for job in jobs:
                job.result = job.work(connection)
    except Exception as e:
        if len(jobs) == 1:
            jobs[0].error = e
            return
        for job in jobs:
            do_all(engine, [job])
