"""Watch the files of an open SQLite store, which could be deleted or replaced."""

import os
from threading import Lock

from parlour.store.failures import StoreGone

BESIDE = ("-wal", "-shm")
"""Suffixes of the write-ahead log and of the shared memory file."""


class StoreFiles:
    """Notices files that were deleted or replaced. SQLite would keep writing to the old files, and lose the data.

    The database must stay the same file from `remember` on. The other files must stay the same while one of our
    connections is open: SQLite deletes them when the last connection of all processes closes, and creates new ones.
    """

    def __init__(self, path: str) -> None:
        self._database = os.path.abspath(path)
        self._beside = [self._database + part for part in BESIDE]
        self._known: dict[str, tuple[int, int]] = {}
        self._open = 0
        """Number of open connections."""
        self._lock = Lock()

    def remember(self) -> None:
        """From now on the database must stay the same file."""
        with self._lock:
            self._note(self._database)

    def connected(self) -> None:
        """A connection was opened."""
        with self._lock:
            for path in () if self._open else self._beside:  # SQLite may have created new ones
                self._known.pop(path, None)
                self._note(path)
            self._open += 1

    def disconnecting(self) -> None:
        """A connection is about to close."""
        with self._lock:
            self._open -= 1

    def check(self) -> None:
        """Raise StoreGone if a file was deleted or replaced."""
        with self._lock:
            for path in [self._database, *self._beside] if self._open else [self._database]:
                self._check(path)

    def _check(self, path: str) -> None:
        known, found = self._known.get(path), _identity(path)
        if known is not None and found != known:
            raise StoreGone(f"{path} was {'deleted' if found is None else 'replaced'} while the store was open")
        if known is None and found is not None and path != self._database:
            self._known[path] = found  # SQLite has created it meanwhile

    def _note(self, path: str) -> None:
        if (found := _identity(path)) is not None:
            self._known[path] = found


def _identity(path: str) -> tuple[int, int] | None:
    """Device and inode of a file; None if it does not exist, StoreGone if it cannot be read."""
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as e:
        raise StoreGone(f"{path} cannot be accessed: {e.strerror}") from None
    return found.st_dev, found.st_ino
