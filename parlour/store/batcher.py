"""Group commit: lines and jobs that arrive at the same time share one transaction and one disk flush."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from sqlalchemy import Connection

from parlour.store.failures import StoreGone, is_of_database
from parlour.store.statements import insert_lines

T = TypeVar("T")

MOST_TOGETHER = 2000
"""A transaction takes no more entries once it has this many lines."""


class Closed(StoreGone):
    """The store is closed."""


class NewLines(Struct, eq=False):
    """Lines of one match, and the future that waits for them."""

    match: str
    first: int
    raws: Sequence[bytes]
    done: "asyncio.Future[None]"
    since: float
    """When they arrived, by `perf_counter`."""
    error: Exception | None = None

    def rows(self) -> list[tuple[str, int, bytes]]:
        return [(self.match, n, raw) for n, raw in enumerate(self.raws, self.first)]


class Job(Struct, eq=False):
    """A function that writes, its result, and the future that waits for it."""

    work: Callable[[Connection], Any]
    done: "asyncio.Future[Any]"
    error: Exception | None = None
    result: Any = None
    is_finished: bool = False


Entry: TypeAlias = NewLines | Job
Transaction: TypeAlias = Callable[[], AbstractContextManager[Connection]]
"""A block that is durable when it ends, and rolled back by an exception. It is used by one thread only."""
Listener: TypeAlias = Callable[[Sequence[NewLines]], None]
"""Called once for each commit, with all lines that have become durable."""


class Batcher:
    """Writes everything that arrived during a transaction in the next one, in one thread. There is no timer.

    The queue belongs to the event loop. The thread gets a whole batch, and wakes the loop once when it is finished."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._waiting: list[Entry] = []
        self._batches: SimpleQueue[list[Entry] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._closing = False
        self.listeners: list[Listener] = []
        self.commits = 0
        """Transactions with lines."""
        self.lines = 0

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        """The event loop, which is looked up once, because Python 3.11 makes a system call for it."""
        return asyncio.get_running_loop()

    def keep(self, match: str, first: int, raws: Sequence[bytes]) -> "asyncio.Future[None]":
        """Store lines; they are durable when the future is done. All of them are stored or none, even if the waiting
        task is cancelled. After a lost connection either is possible, so read the store to find out."""
        self._check()
        done: asyncio.Future[None] = self._loop.create_future()
        if raws:
            self._add(NewLines(match, first, raws, done, perf_counter()))
        else:
            done.set_result(None)
        return done

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Run a function in a transaction; durable when this returns. If another entry of the transaction fails, the
        function is called again. A cancellation during the write takes effect after it."""
        self._check()
        job = Job(work, self._loop.create_future())
        self._add(job)
        try:
            result: T = await job.done
        except asyncio.CancelledError:
            await self._give_up(job)
            raise
        return result

    @property
    def waiting(self) -> int:
        """The number of lines that wait for the next transaction."""
        return sum(len(entry.raws) for entry in self._waiting if isinstance(entry, NewLines))

    async def close(self) -> None:
        """Write the remaining entries and stop."""
        self._closing = True
        await self._idle.wait()
        if self._thread is not None:
            self._batches.put(None)
            self._thread = None

    def _check(self) -> None:
        if self._closing:
            raise Closed("the store is closed")

    def _add(self, entry: Entry) -> None:
        self._waiting.append(entry)
        if self._idle.is_set():
            self._idle.clear()
            self._loop.call_soon(self._hand_over)  # after all entries of the same loop iteration

    async def _give_up(self, job: Job) -> None:
        """Drop a job that has not begun; wait for one that has, even if the caller is cancelled again."""
        if job in self._waiting:
            self._waiting.remove(job)
            return
        if not job.is_finished:
            job.done = self._loop.create_future()  # the cancellation has ended the first one
        while not job.done.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([job.done])
        if not job.done.cancelled():
            job.done.exception()  # otherwise asyncio logs that nobody has retrieved it

    def _hand_over(self) -> None:
        """Give the next batch to the thread."""
        if not self._waiting:
            self._idle.set()
            return
        batch = self._taken()
        try:
            if self._thread is None:
                thread = Thread(target=self._run, args=[self._loop], name="store-writer", daemon=True)
                thread.start()
                self._thread = thread
            self._batches.put(batch)
        except RuntimeError as e:  # no thread can be started
            for entry in batch:
                entry.error = e
            self._loop.call_soon(self._finish, batch)

    def _taken(self) -> list[Entry]:
        size = count = 0
        for entry in self._waiting:
            if size >= MOST_TOGETHER:
                break
            size += len(entry.raws) if isinstance(entry, NewLines) else 0
            count += 1
        batch, self._waiting = self._waiting[:count], self._waiting[count:]
        return batch

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write a batch, in the thread."""
        while (batch := self._batches.get()) is not None:
            self._write(batch)
            try:
                loop.call_soon_threadsafe(self._finish, batch)
            except RuntimeError:  # the loop was closed without closing the store
                return

    def _finish(self, batch: Sequence[Entry]) -> None:
        """Report the results of a batch, then write the next one."""
        for entry in batch:
            _tell(entry)  # the waiting tasks run only after the listeners
        self._loop.call_soon(self._hand_over)
        stored = [entry for entry in batch if isinstance(entry, NewLines) and entry.error is None]
        if stored:
            self.commits += 1
            self.lines += sum(len(entry.raws) for entry in stored)
            for told in self.listeners:
                told(stored)

    def _write(self, batch: Sequence[Entry]) -> None:
        """Commit a batch. An entry that fails is left out of the next try, so that it harms no other."""
        attempt = Attempt(batch)
        while attempt.entries:
            try:
                with self._transaction() as connection:
                    attempt.run(connection)
                return
            except StopIteration as e:  # which no future takes
                attempt.blame(RuntimeError(repr(e)))
            except Exception as e:
                attempt.blame(e)


class Attempt:
    """The entries of a batch that have not failed, and which of them are being written."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self._current: Sequence[Entry] = ()
        self._apart = False
        """Write the lines of each match separately, to find those that fail."""

    def run(self, connection: Connection) -> None:
        """Write all entries in order. Consecutive lines are one statement."""
        lines: list[NewLines] = []
        for entry in self.entries:
            if isinstance(entry, NewLines):
                lines.append(entry)
                if not self._apart:
                    continue
            self._insert(connection, lines)
            lines = []
            if isinstance(entry, Job):
                self._current = (entry,)
                entry.result = entry.work(connection)
        self._insert(connection, lines)
        self._current = ()

    def _insert(self, connection: Connection, lines: Sequence[NewLines]) -> None:
        if lines:
            self._current = lines
            insert_lines(connection, [row for each in lines for row in each.rows()])

    def blame(self, error: Exception) -> None:
        """Find the entries that have failed, and leave them out."""
        current, self._current = self._current or self.entries, ()
        if len(current) == 1 and not is_of_database(error):
            self._leave_out(current[0], error)
        elif self._apart or len(self.entries) == 1 or is_of_database(error):
            for entry in self.entries:
                entry.error = error
            self.entries = ()
        else:
            self._apart = True

    def _leave_out(self, failed: Entry, error: Exception) -> None:
        """Leave out an entry; if it is lines, later lines of the same match fail, too."""
        match = failed.match if isinstance(failed, NewLines) else None
        for entry in self.entries[self.entries.index(failed) :]:
            if entry is failed or (isinstance(entry, NewLines) and entry.match == match):
                entry.error = error
        self.entries = [entry for entry in self.entries if entry.error is None]


def _tell(entry: Entry) -> None:
    if isinstance(entry, Job):
        entry.is_finished = True
    if entry.done.done():  # the task that waited was cancelled
        return
    if entry.error is not None:
        entry.done.set_exception(entry.error)
    else:
        entry.done.set_result(entry.result if isinstance(entry, Job) else None)
