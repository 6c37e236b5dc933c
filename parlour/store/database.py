"""The one database behind the store: SQLite at home, PostgreSQL when it grows. The same SQL for both."""

from importlib.resources import files
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}


class BadUrl(ValueError):
    """Not an address of a database that we can use."""


async def opened(url: str) -> AsyncEngine:
    """An engine whose tables are those of this version."""
    engine = create_async_engine(_with_driver(url), pool_pre_ping=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    async with engine.begin() as connection:
        await connection.run_sync(_migrate)
    return engine


def _with_driver(url: str) -> Any:
    """`sqlite:///arena.db` or `postgresql://user:password@host/name`."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise BadUrl(f"{url!r} is not the URL of a database") from None
    if parsed.drivername not in DRIVERS:
        raise BadUrl(f"{parsed.drivername}: a store is kept in {' or '.join(sorted(DRIVERS))}")
    return parsed.set(drivername=DRIVERS[parsed.drivername])


def _set_up_sqlite(connection: Any, record: Any) -> None:
    """What is committed is on the disk, and readers do not wait for the writer."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(files("parlour.store") / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
