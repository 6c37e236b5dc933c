"""Figures of a store, for administrators."""

import os
import shutil
import time

from msgspec import Struct
from sqlalchemy import Connection, func, select

from parlour.store.database import Database
from parlour.store.schema import accounts, matches
from parlour.store.sqlite_files import BESIDE

FRESH_S = 5.0
"""Figures are read again only after this time, because counting a large store takes a while."""
KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


class StoreFigures(Struct, frozen=True):
    """The size of a store, and what is in it."""

    kind: str
    """SQLite or PostgreSQL."""
    size_bytes: int
    free_bytes: int | None
    """Free space on the disk of the store; null if another machine may have it."""
    accounts: int
    guests: int
    matches: int
    """All that are stored, also tables and finished matches."""


class Figures:
    """Reads the figures of a store, and keeps them for a few seconds."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._last: tuple[float, StoreFigures] | None = None

    async def read(self) -> StoreFigures:
        now = time.monotonic()
        if self._last is None or now - self._last[0] > FRESH_S:
            self._last = (now, await self._database.fetch(_figures))
        return self._last[1]


def _figures(connection: Connection) -> StoreFigures:
    size, free = _sqlite_sizes(connection) if connection.dialect.name == "sqlite" else _postgres_sizes(connection)
    living = select(func.count()).select_from(accounts).where(accounts.c.state != "deleted")
    return StoreFigures(
        KINDS[connection.dialect.name],
        size,
        free,
        connection.scalar(living.where(accounts.c.password.is_not(None))) or 0,
        connection.scalar(living.where(accounts.c.password.is_(None))) or 0,
        connection.scalar(select(func.count()).select_from(matches)) or 0,
    )


def _sqlite_sizes(connection: Connection) -> tuple[int, int | None]:
    """The size of the files, and the free space beside them."""
    file: str = connection.exec_driver_sql("PRAGMA database_list").all()[0][2]
    files = [path for path in (file, *(file + part for part in BESIDE)) if os.path.exists(path)]
    return sum(map(os.path.getsize, files)), shutil.disk_usage(os.path.dirname(file)).free


def _postgres_sizes(connection: Connection) -> tuple[int, int | None]:
    return int(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one()), None
