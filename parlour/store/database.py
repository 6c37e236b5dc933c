"""The one database behind the store: SQLite at home, PostgreSQL when it grows. The same SQL for both."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000")
"""What is committed is on the disk, and readers do not wait for the writer."""

MOST_WRITING = 10
"""At once, so that readers always find a connection."""

MIGRATING = 7061726
"""Who holds this lock of PostgreSQL changes the tables; others wait."""


class BadUrl(ValueError):
    """Not an address of a database that we can use."""


class Database:
    """Reads go side by side, each from one moment; a write is whole or not at all."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.is_sqlite = engine.dialect.name == "sqlite"
        self._reads = engine
        self._writes = engine.execution_options(writes=True)
        self._turn = asyncio.Semaphore(1 if self.is_sqlite else MOST_WRITING)
        """SQLite has one writer at a time; who waits here is served in order, and need not try again and again."""

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        async with self._reads.connect() as connection:
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """What is done in the block is on the disk after it; an exception undoes it."""
        async with self._turn, self._writes.begin() as connection:
            yield connection

    async def close(self) -> None:
        await self._reads.dispose()


async def opened(url: str) -> Database:
    """A database whose tables are those of this version; BadUrl, if there is none to be had."""
    parsed = _with_driver(url)
    engine = create_async_engine(parsed, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":
        _make_private(parsed.database or "")
        event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
    database = Database(engine)
    try:
        async with database.write() as connection:
            await connection.run_sync(_migrate)
    except DBAPIError as e:
        await database.close()
        raise BadUrl(f"{shown(url)} cannot be opened: {' '.join(str(e.orig).split())}") from None
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
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Who is going to write waits for its turn now; later it could only be refused."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
    config = Config()
    config.set_main_option("script_location", str(files("parlour.store") / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
