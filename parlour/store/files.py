"""The files of an SQLite store, which somebody may delete or replace while it is open."""

import os

from parlour.store.failures import StoreGone

PARTS = ("", "-wal", "-shm")
"""The database, and the files beside it with the latest changes and with what its users agree on."""


class StoreFiles:
    """Which files they were when the store was opened. SQLite goes on writing to files that are not there any more,
    and all of that is lost in the end."""

    def __init__(self, path: str) -> None:
        self._paths = [os.path.abspath(path) + part for part in PARTS]
        self._known: dict[str, tuple[int, int]] = {}

    def remember(self) -> None:
        """These are the ones."""
        self._known = {path: found for path in self._paths if (found := _identity(path)) is not None}

    def check(self) -> None:
        """StoreGone if one of them is another by now, or is not there."""
        for path, known in self._known.items():
            if (found := _identity(path)) != known:
                raise StoreGone(f"{path} was {'deleted' if found is None else 'replaced'} while the store was open")


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino
