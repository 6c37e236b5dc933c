"""The lock on a store: one server at a time.

For SQLite it is a lock file beside the database. The operating system releases the lock when the process ends for any
reason, so a leftover file locks nobody out. For PostgreSQL it is an advisory lock of a separate session.
"""

import asyncio
import fcntl
import os
import socket
from typing import Any, Protocol

import psycopg
from sqlalchemy import URL, Connection, text

from parlour.store.failures import words_of

LOOKS_S = 2.0
"""How often a server checks that its lock file still exists."""
PING_S = 5.0
"""How often a server asks PostgreSQL whether it still has the lock."""
PONG_S = 15.0
"""Timeout of that query."""
FREED_S = 3.0
"""How long a new server waits for PostgreSQL to notice that the last one has ended."""
SERVING = 7061727
"""First key of the advisory lock of a server; the second key is the schema of the tables."""
_KEYS = f"{SERVING}, hashtext(coalesce(current_schema(), ''))"
_HELD = f"locktype = 'advisory' AND classid = {SERVING} AND objsubid = 2 AND granted"
_ALIVE = ("tcp_keepalives_idle = 10", "tcp_keepalives_interval = 5", "tcp_keepalives_count = 3")
"""With these, PostgreSQL releases the lock of a vanished machine within half a minute instead of two hours."""


class StoreInUse(Exception):
    """Another server has the store."""


class StoreLock(Protocol):
    """Held until it is released or lost."""

    async def lost(self) -> str:
        """Wait until the lock is lost; returns the reason."""

    async def release(self) -> None: ...


class FileLock:
    """A locked file. It is never deleted; otherwise two servers could each lock a file of that name."""

    def __init__(self, path: str, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def take(cls, database: str) -> "FileLock":
        """Lock the database in a file, also through symbolic links; StoreInUse if it is locked."""
        path = os.path.realpath(database) + ".lock"
        while True:
            descriptor = _opened(path, database)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(path, descriptor):
                    os.ftruncate(descriptor, 0)
                    os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
                    return cls(path, descriptor)
            except BlockingIOError:
                holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
                os.close(descriptor)
                raise StoreInUse(_in_use(f"process {holder}" if holder else "")) from None
            except OSError:
                os.close(descriptor)
                raise
            os.close(descriptor)  # the file was deleted before we had the lock

    async def lost(self) -> str:
        try:
            while _is_at(self._path, self._descriptor):
                await asyncio.sleep(LOOKS_S)
        except OSError as e:  # another server may have the lock by now
            return f"the lock file {self._path} cannot be accessed: {e.strerror}"
        return f"the lock file {self._path} was deleted or replaced"

    async def release(self) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._descriptor)


def _opened(path: str, database: str) -> int:
    """Open the lock file. If root creates it, it gets the owner of the database."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    if os.geteuid() == 0 and os.path.exists(database):
        owner = os.stat(database)
        os.fchown(descriptor, owner.st_uid, owner.st_gid)
    return descriptor


def _is_at(path: str, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except (FileNotFoundError, NotADirectoryError):
        return False


class SessionLock:
    """An advisory lock of PostgreSQL, held by a separate connection."""

    def __init__(self, session: "psycopg.AsyncConnection[Any]") -> None:
        self._session = session

    @classmethod
    async def take(cls, url: URL) -> "SessionLock":
        """Lock the database; StoreInUse if it is locked."""
        name = f"parlour serve, {socket.gethostname()[:30]} process {os.getpid()}"
        where: Any = url.get_dialect()().create_connect_args(url)[1]
        lock = cls(await psycopg.AsyncConnection.connect(**{**where, "application_name": name}, autocommit=True))
        try:
            await lock._take()
        except BaseException:
            await lock.release()
            raise
        return lock

    async def _take(self) -> None:
        for setting in _ALIVE:
            await self._session.execute(f"SET {setting}".encode())
        until = asyncio.get_running_loop().time() + FREED_S
        while not await self._asked(f"SELECT pg_try_advisory_lock({_KEYS})"):
            if asyncio.get_running_loop().time() > until:
                raise StoreInUse(_in_use(await self._holder()))
            await asyncio.sleep(0.1)

    async def _holder(self) -> str:
        """The application name of the server that has the lock."""
        here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        query = f"SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE {_HELD} AND {here}"
        return await self._asked(query) or ""

    async def lost(self) -> str:
        """Notices a closed connection at once, and a dead one when a query times out."""
        try:
            while True:
                async for _ in self._session.notifies(timeout=PING_S):
                    pass
                async with asyncio.timeout(PONG_S):
                    if not await self._asked(f"SELECT 1 FROM pg_locks WHERE {_HELD} AND pid = pg_backend_pid()"):
                        return "PostgreSQL has released the lock"
        except TimeoutError:
            return "PostgreSQL does not answer"
        except (psycopg.Error, OSError) as e:
            return words_of(e)

    async def _asked(self, query: str) -> Any:
        row = await (await self._session.execute(query.encode())).fetchone()
        return None if row is None else row[0]

    async def release(self) -> None:
        await self._session.close()


def _in_use(holder: str) -> str:
    return f"in use by another server ({holder})" if holder else "in use by another server"


async def lock_store(url: URL) -> StoreLock:
    """Lock a store for one server; StoreInUse if another has it, psycopg.Error or OSError if it cannot be reached."""
    return FileLock.take(url.database or "") if url.get_backend_name() == "sqlite" else await SessionLock.take(url)


def is_served(connection: Connection) -> bool:
    """Whether a server has this PostgreSQL store. If not, none can take it before the transaction ends."""
    return not connection.scalar(text(f"SELECT pg_try_advisory_xact_lock({_KEYS})"))
