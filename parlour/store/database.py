"""The one database behind the store: SQLite at home, PostgreSQL when it grows. The same SQL for both."""

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.resources import files
from threading import Lock
from typing import Any, Protocol, TypeVar

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from parlour.store.jobs import Job, Jobs, do_all
from parlour.store.threaded import Connected, done_there, reading, writing

T = TypeVar("T")

DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}

BUSY_S = 10.0
PRAGMAS = (f"busy_timeout={round(BUSY_S * 1000)}", "synchronous=FULL", "foreign_keys=ON")
"""What is committed is on the disk."""

MOST_WRITING = 10
"""At once, so that readers always find a connection."""

MOST_READING = 16
THREADS = 4
"""Of these a writer has one; it may be waiting for another program that writes."""

MIGRATING = 7061726
"""Who holds this lock of PostgreSQL changes the tables; others wait."""


_one_migrates = Lock()
"""Alembic keeps what it works on where all threads see it."""


class BadUrl(ValueError):
    """Not an address of a database that we can use."""


class NewerStore(BadUrl):
    """A store whose tables a newer release has made: this one could only spoil it."""


class Database(Protocol):
    """Reads go side by side, each from one moment; a write is whole or not at all."""

    def read(self) -> AbstractAsyncContextManager[Connected]:
        """Ask in the block as often as you like: it is all of one moment."""

    def write(self) -> AbstractAsyncContextManager[Connected]:
        """What is done in the block is on the disk after it; an exception undoes it."""

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Write whatever that does, whole or not at all; if it fails, it may be tried once more."""

    async def close(self) -> None:
        """Let go of it; whoever is at work is waited for."""


class File:
    """SQLite. It has one writer at a time: who waits for its turn here is served in order, and need not try again."""

    def __init__(self, url: URL) -> None:
        self._reads = create_engine(url, pool_size=MOST_READING + 1)
        event.listen(self._reads, "connect", _set_up_sqlite)
        event.listen(self._reads, "begin", _begin_sqlite)
        self._writes = self._reads.execution_options(writes=True)
        self._threads = ThreadPoolExecutor(THREADS, "store")
        self._reading, self._writing = asyncio.Semaphore(MOST_READING), asyncio.Semaphore(1)
        self._jobs = Jobs(self._do_together)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Connected]:
        async with self._reading, reading(self._reads, self._threads) as connection:
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Connected]:
        async with self._writing, writing(self._writes, self._threads) as connection:
            yield connection

    async def do(self, work: Callable[[Connection], T]) -> T:
        return await self._jobs.done(work)

    async def _do_together(self, jobs: Sequence[Job]) -> None:
        async with self._writing:
            await done_there(self._threads, do_all, self._writes, jobs)

    async def close(self) -> None:
        await asyncio.to_thread(self._reads.dispose)
        self._threads.shutdown()


class Served:
    """PostgreSQL. A connection may be lost between two questions, and is then made anew."""

    def __init__(self, url: URL) -> None:
        self._engine = create_async_engine(url, pool_pre_ping=True)
        self._writing = asyncio.Semaphore(MOST_WRITING)

    def read(self) -> AbstractAsyncContextManager[Connected]:
        return self._engine.connect()

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Connected]:
        async with self._writing, self._engine.begin() as connection:
            yield connection

    async def do(self, work: Callable[[Connection], T]) -> T:
        async with self.write() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        await self._engine.dispose()


async def opened(url: str) -> Database:
    """A database whose tables are those of this version; BadUrl, if there is none to be had."""
    parsed = _with_driver(url)
    if parsed.get_backend_name() == "sqlite":
        _make_private(parsed.database or "")
        database: Database = File(parsed)
    else:
        database = Served(parsed)
    try:
        async with database.write() as connection:
            await connection.run_sync(_migrate)
    except DBAPIError as e:
        await database.close()
        raise BadUrl(f"{shown(url)} cannot be opened: {' '.join(str(e.orig).split())}") from None
    except NewerStore as e:
        await database.close()
        raise NewerStore(f"{shown(url)} {e}") from None
    return database


def shown(url: str) -> str:
    """The address without its password."""
    return make_url(url).render_as_string(hide_password=True)


def file_of(url: str) -> str | None:
    """Where the file of an SQLite store is; None for another database."""
    parsed = _with_driver(url)
    return parsed.database if parsed.get_backend_name() == "sqlite" else None


def _with_driver(url: str) -> URL:
    """`sqlite:///arena.db` or `postgresql://user:password@host/name`."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise BadUrl("that is not the URL of a database; write sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    if parsed.drivername not in DRIVERS:
        raise BadUrl(f"{parsed.drivername}: a store is kept in {' or '.join(sorted(DRIVERS))}")
    if parsed.drivername == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise BadUrl("sqlite: a store that is in no file keeps nothing; write sqlite:///FILE")
    return parsed.set(drivername=DRIVERS[parsed.drivername])


def _make_private(path: str) -> None:
    """The seeds of matches that go on are in there; SQLite gives the files beside it the same rights."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as e:
        raise BadUrl(f"{path} cannot be opened: {e.strerror}") from None


def _set_up_sqlite(connection: Any, record: Any) -> None:
    """Transactions begin where we say, and not before the first change: a migration too is whole or not at all."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    _log_ahead(cursor, time.monotonic() + BUSY_S)
    cursor.close()


def _log_ahead(cursor: Any, until: float) -> None:
    """Readers do not wait for the writer. Who makes a new file so refuses others at once, and they try again."""
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as e:
            if "locked" not in str(e) or time.monotonic() > until:
                raise
        time.sleep(0.02)


def _begin_sqlite(connection: Connection) -> None:
    """Who is going to write waits for its turn now; later it could only be refused."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def _migrate(connection: Connection) -> None:
    """Others who want to do the same wait, here or in another program."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
        _upgrade(connection)
    else:
        with _one_migrates:
            _upgrade(connection)


def _upgrade(connection: Connection, to: str = "head") -> None:
    config = Config()
    config.set_main_option("script_location", str(files("parlour.store") / "migrations"))
    config.attributes["connection"] = connection
    _check_revision(connection, ScriptDirectory.from_config(config))
    command.upgrade(config, to)


def _check_revision(connection: Connection, known: ScriptDirectory) -> None:
    """NewerStore, if the tables are of a revision that this release has never heard of."""
    ours = {script.revision for script in known.walk_revisions()}
    for found in MigrationContext.configure(connection).get_current_heads():
        if found not in ours:
            raise NewerStore(
                f"was written by a newer release of Parlour: its tables are of revision {found}, and this release "
                f"knows revisions up to {known.get_current_head()}. Use that release; nothing was changed"
            )
