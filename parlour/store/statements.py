"""Statements that are built once. SQLAlchemy needs far longer to prepare one than SQLite to execute it."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import ClauseElement, Connection, Executable
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from parlour.store.schema import lines

Values: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Sequence[Sequence[Any]]
_DIALECT = sqlite.dialect(paramstyle="named")


class Statement:
    """A statement whose columns never change. It is executed as raw SQL by SQLite, so truths are read as 0 and 1."""

    def __init__(self, statement: Executable, columns: Sequence[str] | None = None) -> None:
        """`columns` are those that an insert or update sets; None: all."""
        self._statement = statement
        assert isinstance(statement, ClauseElement)
        compiled = statement.compile(dialect=_DIALECT, column_keys=columns)
        self._sql = str(compiled)
        self._constants = {name: value for name, value in compiled.params.items() if value is not None}

    def rows(self, connection: Connection, values: Values) -> Rows:
        """Execute a query, or an insert that returns something; returns all rows."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._statement, dict(values)).fetchall()
        try:
            return self.found(_driver(connection), values)
        except sqlite3.Error as e:
            raise _wrapped(e, self._sql) from e

    def execute(self, connection: Connection, values: Values | Sequence[Values]) -> None:
        """Execute a change, for one row of values or many."""
        rows = [values] if isinstance(values, Mapping) else values
        if not rows:
            return
        if connection.dialect.name != "sqlite":
            connection.execute(self._statement, dict(rows[0]) if len(rows) == 1 else [dict(row) for row in rows])
            return
        try:
            _driver(connection).executemany(self._sql, rows)
        except sqlite3.Error as e:
            raise _wrapped(e, self._sql) from e

    def found(self, connection: sqlite3.Connection, values: Values) -> list[tuple[Any, ...]]:
        """Execute it on a connection of the driver, which raises its own errors."""
        return connection.execute(self._sql, {**self._constants, **values}).fetchall()


def run_raw(connection: Connection, sql: str) -> None:
    """Execute a statement without values on SQLite."""
    try:
        _driver(connection).execute(sql)
    except sqlite3.Error as e:
        raise _wrapped(e, sql) from e


def insert_lines(connection: Connection, rows: Sequence[tuple[str, int, bytes]]) -> None:
    """Add lines: match, number and text."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql(f"INSERT INTO {lines.name} (match, n, raw) VALUES (%s, %s, %s)", [*rows])
        return
    try:
        _driver(connection).executemany(_INSERT_LINES, rows)
    except sqlite3.Error as e:
        raise _wrapped(e, _INSERT_LINES) from e


_INSERT_LINES = f"INSERT INTO {lines.name} (match, n, raw) VALUES (?, ?, ?)"


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _wrapped(error: sqlite3.Error, sql: str) -> BaseException:
    """The error of SQLAlchemy for one of the driver, without the values of the statement."""
    return DBAPIError.instance(sql, None, error, sqlite3.Error, hide_parameters=True)
