"""Statements that are built once. SQLAlchemy needs far longer to prepare one than SQLite to execute it."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import ClauseElement, Connection, Executable
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from parlour.store.schema import lines

T = TypeVar("T")
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
        return _raw(connection, self._sql, lambda driver: self.found(driver, values))

    def execute(self, connection: Connection, values: Values | Sequence[Values]) -> None:
        """Execute a change, for one row of values or many."""
        rows = [values] if isinstance(values, Mapping) else values
        if not rows:
            return
        if connection.dialect.name != "sqlite":
            connection.execute(self._statement, dict(rows[0]) if len(rows) == 1 else [dict(row) for row in rows])
            return
        _raw(connection, self._sql, lambda driver: driver.executemany(self._sql, rows))

    def found(self, connection: sqlite3.Connection, values: Values) -> list[tuple[Any, ...]]:
        """Execute it on a connection of the driver, which raises its own errors."""
        return connection.execute(self._sql, {**self._constants, **values}).fetchall()


def run_raw(connection: Connection, sql: str) -> None:
    """Execute a statement without values on SQLite."""
    _raw(connection, sql, lambda driver: driver.execute(sql))


def insert_lines(connection: Connection, rows: Sequence[tuple[str, int, bytes]]) -> None:
    """Add lines: match, number and text."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql(f"INSERT INTO {lines.name} (match, n, raw) VALUES (%s, %s, %s)", [*rows])
        return
    _raw(connection, _INSERT_LINES, lambda driver: driver.executemany(_INSERT_LINES, rows))


_INSERT_LINES = f"INSERT INTO {lines.name} (match, n, raw) VALUES (?, ?, ?)"


def _raw(connection: Connection, sql: str, call: Callable[[sqlite3.Connection], T]) -> T:
    """Call a function with the driver's connection. Its errors become those of SQLAlchemy, without values."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    try:
        return call(driver)
    except sqlite3.Error as e:
        raise DBAPIError.instance(sql, None, e, sqlite3.Error, hide_parameters=True) from e
