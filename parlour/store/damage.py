"""Find damage in the database of a store, without changing it."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine, create_engine, inspect, text
from sqlalchemy.exc import DBAPIError

from parlour.store.database import BadUrl, file_of, newest_revision, with_driver, without_password
from parlour.store.failures import words_of
from parlour.store.schema import metadata

VERSION = "alembic_version"
FIRST = {"accounts", "tokens", "matches", "seeds", "seats", "lines"}
"""The tables that stores of all releases have."""
MOST_TOLD = 20


async def damage(url: str) -> list[str]:
    """One line for each problem; BadUrl if there is no database."""
    return await asyncio.to_thread(_damage, url)


def _damage(url: str) -> list[str]:
    file = file_of(url)
    try:
        return (_of_file(Path(file)) if file is not None else []) or _of_tables(create_engine(with_driver(url)))
    except DBAPIError as e:
        raise BadUrl(f"{without_password(url)} cannot be opened: {words_of(e)}") from None


def _of_file(file: Path) -> list[str]:
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute(f"PRAGMA integrity_check({MOST_TOLD})").fetchall()
    except sqlite3.Error as e:
        return [words_of(e)]
    return [] if rows == [("ok",)] else [" ".join(str(row[0]).split()) for row in rows]


def _of_tables(engine: Engine) -> list[str]:
    """Missing tables. Stores of earlier releases have fewer; the others are added when they are opened."""
    try:
        with engine.connect() as connection:
            there = {*inspect(connection).get_table_names()}
            if not there:
                return ["it is empty: there are no tables"]
            revision = connection.scalar(text(f"SELECT version_num FROM {VERSION}")) if VERSION in there else None
    finally:
        engine.dispose()
    wanted = {*metadata.tables} if revision == newest_revision() else FIRST
    return [f"the table {name} is missing" for name in sorted({VERSION, *wanted} - there)]
