"""The database of the store: SQLite or PostgreSQL, with the same SQL for both."""

import asyncio
import os
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from functools import partial
from importlib.resources import files
from threading import Lock
from typing import Any, TypeVar

import psycopg
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, Executable, PoolProxiedConnection, Row, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from parlour.store.batcher import Batcher
from parlour.store.failures import StoreGone, words_of
from parlour.store.lock import FileLock, StoreInUse, StoreLock, is_served, lock_store
from parlour.store.sqlite_files import StoreFiles
from parlour.store.statements import Rows, Statement, Values, run_raw

T = TypeVar("T")

DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}

BUSY_S = 10.0
PRAGMAS = (f"busy_timeout={round(BUSY_S * 1000)}", "synchronous=FULL", "foreign_keys=ON")
"""synchronous=FULL: committed data is on the disk."""

SQLITE_THREADS = 4
POSTGRES_THREADS = 12
"""How many read at once, each with a connection."""

ALIVE = {"keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "30000"}
"""With these parameters of PostgreSQL, a query to a vanished machine fails within half a minute, not after hours."""

READ_S = 30
"""How long a query of PostgreSQL may read, such as from a table that an administrator has locked."""
LOCK_S = 30
"""How long a write to PostgreSQL waits for somebody else's lock. All other writes wait with it."""

MIGRATING = 7061726
"""The advisory lock of PostgreSQL for changing the tables."""


_migration_lock = Lock()
"""Alembic has global state, so only one thread may migrate."""


class BadUrl(ValueError):
    """The URL names no database that can be used."""


class NewerStore(BadUrl):
    """A store whose tables were made by a newer release. This release must not write to it."""


class Database(ABC):
    """Reads run concurrently in threads, each on one snapshot. Writes are atomic."""

    def __init__(self, reads: Engine, threads: int) -> None:
        self._reads = reads
        self._threads = ThreadPoolExecutor(threads, "store")
        self._why: str | None = None
        """Why all access is refused."""
        self.writer = Batcher(self._transaction)
        """Writes everything: lines of matches, and jobs."""

    async def fetch(self, work: Callable[[Connection], T]) -> T:
        """The result of a function that reads. Its queries all see the same snapshot. If the caller is cancelled, the
        function is not called any more, or runs to its end in its thread."""
        self.check()
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._fetch, work)

    def _fetch(self, work: Callable[[Connection], T]) -> T:
        self.check()
        with self._reads.connect() as connection:
            connection.begin()  # raw statements do not begin the transaction
            return work(connection)

    async def rows(self, query: Executable) -> Sequence[Row[*tuple[Any, ...]]]:
        """The rows of a query."""
        return await self.fetch(lambda connection: connection.execute(query).all())

    async def values(self, query: Executable) -> Sequence[Any]:
        """The rows of a query for one column."""
        return await self.fetch(lambda connection: connection.scalars(query).all())

    async def lookup(self, values: Values, *queries: Statement) -> Sequence[Rows]:
        """The rows of queries that find few rows by a key, on the same snapshot."""
        return await self.fetch(lambda connection: [query.rows(connection, values) for query in queries])

    def fence(self, why: str) -> None:
        """Refuse all reads and writes from now on with StoreGone, for this reason."""
        self._why = why

    def check(self) -> None:
        if self._why is not None:
            raise StoreGone(self._why)

    async def close(self) -> None:
        """Finish pending writes, and close all connections after running queries have finished."""
        await self.writer.close()
        self.fence("the store is closed")
        await asyncio.to_thread(self._close_connections)

    def _close_connections(self) -> None:
        self._threads.shutdown()
        self._reads.dispose()

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[Connection]:
        """A block that is durable when it ends, and rolled back by an exception."""


class SqliteDatabase(Database):
    """An SQLite file. It allows one writer at a time, so one thread writes everything on one connection."""

    def __init__(self, url: URL, *, is_lasting: bool = True) -> None:
        """`is_lasting`: False if the store is deleted at the end and need not survive a power failure."""
        super().__init__(create_engine(url, pool_size=SQLITE_THREADS + 2, hide_parameters=True), SQLITE_THREADS)
        self.files = StoreFiles(url.database or "")
        event.listen(self._reads, "do_connect", lambda *_: self.files.check())  # SQLite would create a deleted file
        event.listen(self._reads, "connect", _set_up_sqlite)
        if not is_lasting:
            event.listen(self._reads, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
        event.listen(self._reads, "connect", lambda *_: self.files.connected())
        event.listen(self._reads, "close", lambda *_: self.files.disconnecting())
        event.listen(self._reads, "begin", self._begin)
        self._writes = self._reads.execution_options(writes=True)
        self._writing: Connection | None = None
        """The connection of the writing thread."""
        self._lookup_connection: PoolProxiedConnection | None = None
        """The connection with which the event loop's thread reads."""
        self._opening = Lock()

    async def lookup(self, values: Values, *queries: Statement) -> Sequence[Rows]:
        """Read in the event loop's thread: that takes microseconds, and a hundred times as long in another thread. If
        the read fails, or would have to wait for another process, it is tried again in a thread."""
        self.check()
        self.files.check()
        if self._lookup_connection is not None:
            try:
                return _lookup(self._lookup_connection, values, queries)
            except sqlite3.Error:
                self._lookup_connection.invalidate()
                self._lookup_connection = None
        return await self.fetch(lambda connection: self._lookup_in_thread(connection, values, queries))

    def _lookup_in_thread(self, connection: Connection, values: Values, queries: Sequence[Statement]) -> Sequence[Rows]:
        """Read in a thread, and open the connection with which the event loop reads the next time."""
        found = [query.rows(connection, values) for query in queries]
        with self._opening, suppress(SQLAlchemyError, StoreGone):  # the next read tries again
            if self._lookup_connection is None:  # only this sets it, and only the event loop clears it
                self._lookup_connection = self._opened_for_lookups()
        return found

    def _opened_for_lookups(self) -> PoolProxiedConnection:
        opened = self._reads.raw_connection()
        for pragma in ("busy_timeout=0", "query_only=ON"):
            opened.cursor().execute(f"PRAGMA {pragma}")
        return opened

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        if self._writing is None:
            self._writing = self._writes.connect()
        with self._writing.begin():
            yield self._writing
            self.check()

    def _begin(self, connection: Connection) -> None:
        """Begin a transaction. A writer takes the write lock at once, because SQLite refuses it later."""
        self.check()
        self.files.check()
        run_raw(connection, "BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")

    def _close_connections(self) -> None:
        self._threads.shutdown()
        for connection in (self._writing, self._lookup_connection):
            if connection is not None:
                connection.close()
        super()._close_connections()


class PostgresDatabase(Database):
    """A PostgreSQL database. A connection that is lost between two transactions is replaced."""

    def __init__(self, url: URL) -> None:
        url = url.set(query={**ALIVE, **url.query})
        parts: dict[str, Any] = {"pool_pre_ping": True, "hide_parameters": True}
        reads = create_engine(url, pool_size=POSTGRES_THREADS, isolation_level="REPEATABLE READ", **parts)
        event.listen(reads, "connect", lambda connection, _: _limit(connection, "statement_timeout", READ_S))
        super().__init__(reads, POSTGRES_THREADS)
        self._writes = create_engine(url, pool_size=1, **parts)
        event.listen(self._writes, "connect", lambda connection, _: _limit(connection, "lock_timeout", LOCK_S))

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        self.check()
        with self._writes.begin() as connection:
            yield connection
            self.check()

    def _close_connections(self) -> None:
        self._writes.dispose()
        super()._close_connections()


def _lookup(connection: PoolProxiedConnection, values: Values, queries: Sequence[Statement]) -> Sequence[Rows]:
    """Run the queries on one snapshot; raises errors of the driver."""
    driver = connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    if len(queries) == 1:
        return [queries[0].found(driver, values)]
    driver.execute("BEGIN")
    try:
        return [query.found(driver, values) for query in queries]
    finally:
        driver.execute("COMMIT")


async def locked(url: str) -> StoreLock:
    """Lock a store for one server; StoreInUse if another has it, BadUrl if it cannot be opened."""
    try:
        return await lock_store(with_driver(url))
    except StoreInUse as e:
        raise StoreInUse(f"{without_password(url)} is {e}") from None
    except (psycopg.Error, OSError) as e:
        words = (e.strerror or "") if isinstance(e, OSError) else words_of(e)
        raise BadUrl(f"{without_password(url)} cannot be opened: {words}") from None


async def opened(url: str, lock: StoreLock | None = None, *, is_lasting: bool = True) -> Database:
    """Open a database and bring its tables up to date; BadUrl if it cannot be opened.

    Without `lock`, the tables are changed only if no server has the store; otherwise StoreInUse."""
    parsed = with_driver(url)
    database = _new_database(parsed, is_lasting)
    try:
        await _bring_up_to_date(database, parsed, lock)
    except DBAPIError as e:
        raise BadUrl(f"{without_password(url)} cannot be opened: {words_of(e)}") from None
    except NewerStore as e:
        raise NewerStore(f"{without_password(url)} {e}") from None
    except StoreInUse as e:
        raise StoreInUse(f"{without_password(url)} must be brought up to date, but is {e}; stop that first") from None
    return database


async def _bring_up_to_date(database: Database, parsed: URL, lock: StoreLock | None) -> None:
    """Migrate the tables if they are old. If that fails or is cancelled, the database is closed."""
    try:
        with ExitStack() as held:  # until the change is committed
            await database.writer.do(partial(_migrate, parsed, held if lock is None else None))
        if isinstance(database, SqliteDatabase):
            database.files.remember()
    except BaseException:
        await database.close()
        raise


def _new_database(parsed: URL, is_lasting: bool) -> Database:
    if parsed.get_backend_name() == "sqlite":
        _make_private(parsed.database or "")
        return SqliteDatabase(parsed, is_lasting=is_lasting)
    return PostgresDatabase(parsed)


def without_password(url: str) -> str:
    """The URL without its password."""
    return make_url(url).render_as_string(hide_password=True)


def file_of(url: str) -> str | None:
    """The file of an SQLite store; None for another database."""
    parsed = with_driver(url)
    return parsed.database if parsed.get_backend_name() == "sqlite" else None


def with_driver(url: str) -> URL:
    """Parse `sqlite:///arena.db` or `postgresql://user:password@host/name`, and choose the driver."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise BadUrl("that is not the URL of a database; write sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    if parsed.drivername not in DRIVERS:
        raise BadUrl(f"{parsed.drivername}: unknown database; use {' or '.join(sorted(DRIVERS))}")
    if parsed.drivername == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise BadUrl("sqlite: a store must be a file; write sqlite:///FILE")
    if parsed.drivername == "sqlite" and "uri" in parsed.query:
        raise BadUrl("sqlite: the parameter uri is not supported; write sqlite:///FILE")
    return parsed.set(drivername=DRIVERS[parsed.drivername])


def _make_private(path: str) -> None:
    """Create the file readable by its owner only, because it contains seeds of running matches. SQLite gives its other
    files the same permissions."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as e:
        raise BadUrl(f"{path} cannot be opened: {e.strerror}") from None


def _set_up_sqlite(connection: Any, record: Any) -> None:
    """Disable the driver's implicit transactions, so that a migration is atomic too."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    _switch_to_wal(cursor, time.monotonic() + BUSY_S)
    cursor.close()


def _limit(connection: Any, what: str, seconds: int) -> None:
    """Have PostgreSQL end queries that take too long. A thread that waits for one can be stopped in no other way."""
    connection.execute(f"SET {what} = '{seconds}s'")
    connection.commit()


def _switch_to_wal(cursor: Any, until: float) -> None:
    """Switch to WAL, in which readers do not wait for the writer. Retry while another process creates the file."""
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as e:
            if "locked" not in str(e) or time.monotonic() > until:
                raise
        time.sleep(0.02)


def _migrate(parsed: URL, held: ExitStack | None, connection: Connection) -> None:
    """Bring the tables up to date. Other threads and processes wait. `held`: gets a lock if the store is changed."""
    with _migration_lock:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
        if not _is_up_to_date(connection):
            if held is not None:
                _lock(parsed, held, connection)
            _upgrade(connection)


def _lock(parsed: URL, held: ExitStack, connection: Connection) -> None:
    """Raises StoreInUse if a server uses the tables."""
    if connection.dialect.name == "sqlite":
        held.enter_context(closing(FileLock.take(parsed.database or "")))
    elif is_served(connection):
        raise StoreInUse("in use by another server")


def _is_up_to_date(connection: Connection) -> bool:
    """Raises NewerStore if this release does not know the revision of the tables."""
    scripts = ScriptDirectory.from_config(_config())
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None and revision not in {script.revision for script in scripts.walk_revisions()}:
        raise NewerStore(
            f"was written by a newer release of Parlour: its tables are of revision {revision}, and this release "
            f"knows revisions up to {scripts.get_current_head()}. Use that release; nothing was changed"
        )
    return revision == scripts.get_current_head()


def newest_revision() -> str | None:
    """The revision of the tables of this release."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def _upgrade(connection: Connection, to: str = "head") -> None:
    command.upgrade(_config(connection), to)


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("parlour.store") / "migrations"))
    config.attributes["connection"] = connection
    return config
