"""The files of an SQLite store, which somebody may delete or replace while it is open."""

import os
from threading import Lock

from parlour.store.failures import StoreGone

BESIDE = ("-wal", "-shm")
"""The files beside the database, with the latest changes and with what its connections agree on."""


class StoreFiles:
    """Notices files that were deleted or replaced. SQLite goes on writing to them, and all of that is lost in the end.

    The database stays the same file from `remember` on. The files beside it stay the same as long as one of our
    connections is open: when the last one of all programs closes, SQLite deletes them, and the next one makes new ones.
    """

    def __init__(self, path: str) -> None:
        self._database = os.path.abspath(path)
        self._beside = [self._database + part for part in BESIDE]
        self._known: dict[str, tuple[int, int]] = {}
        self._open = 0
        """How many connections there are."""
        self._lock = Lock()

    def remember(self) -> None:
        """From now on the database must stay the file that it is."""
        with self._lock:
            self._note(self._database)

    def connected(self) -> None:
        """There is one connection more, which has its files open."""
        with self._lock:
            if not self._open:
                self._forget_beside()
            self._open += 1

    def disconnecting(self) -> None:
        """One connection is about to close."""
        with self._lock:
            self._open -= 1

    def check(self) -> None:
        """StoreGone if a file that must stay the same was deleted or replaced."""
        with self._lock:
            for path in [self._database, *self._beside] if self._open else [self._database]:
                self._check(path)

    def _check(self, path: str) -> None:
        known, found = self._known.get(path), _identity(path)
        if known is not None and found != known:
            raise StoreGone(f"{path} was {'deleted' if found is None else 'replaced'} while the store was open")
        if known is None and found is not None and path != self._database:
            self._known[path] = found  # SQLite has made it meanwhile

    def _forget_beside(self) -> None:
        for path in self._beside:
            self._known.pop(path, None)
            self._note(path)

    def _note(self, path: str) -> None:
        if (found := _identity(path)) is not None:
            self._known[path] = found


def _identity(path: str) -> tuple[int, int] | None:
    """Which file it is; None: there is none. StoreGone if that cannot be found out."""
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as e:
        raise StoreGone(f"{path} cannot be looked at: {e.strerror}") from None
    return found.st_dev, found.st_ino
