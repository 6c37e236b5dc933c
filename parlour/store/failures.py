"""Distinguish failures of the database from our own bugs."""

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, InterfaceError, OperationalError, StatementError
from sqlalchemy.exc import TimeoutError as NoConnection

OF_QUERY = ("40", "54")
"""Classes of PostgreSQL's errors that concern one transaction: a deadlock, or a statement that is too large."""


class StoreGone(OSError):
    """The store must not be used any more: its files were deleted or replaced, or its lock was lost."""


def is_store_failure(error: BaseException) -> bool:
    """Whether the database failed, rather than the query."""
    if isinstance(error, DBAPIError):
        return not isinstance(error, IntegrityError | DataError)
    return isinstance(error, StoreGone | NoConnection)


def is_of_database(error: BaseException) -> bool:
    """Whether the database failed in such a way that other statements fail, too."""
    if isinstance(error, StoreGone | NoConnection):
        return True
    kind = kind_of(error)
    return isinstance(error, OperationalError | InterfaceError) and kind != "SQLITE_ERROR" and kind[:2] not in OF_QUERY


def has_nul(error: BaseException) -> bool:
    """Whether a text has a NUL character, which PostgreSQL does not store."""
    return isinstance(error, DataError) and "NUL" in words_of(error)


def kind_of(error: BaseException) -> str:
    """The database's name for the failure, such as SQLITE_FULL or 53100."""
    told = _told(error)
    return getattr(told, "sqlite_errorname", None) or getattr(told, "sqlstate", None) or type(told).__name__


def words_of(error: BaseException) -> str:
    """The database's error message in one line, without the statement and its values."""
    told = _told(error)
    main: str | None = getattr(getattr(told, "diag", None), "message_primary", None)
    return " ".join((main or str(told) or type(told).__name__).split())


def _told(error: BaseException) -> BaseException:
    """The driver's exception."""
    return error.orig if isinstance(error, StatementError) and error.orig is not None else error
