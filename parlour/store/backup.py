"""Back up a store while it is in use."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path


def back_up(file: Path, to: Path) -> None:
    """Copy an SQLite store. The new file appears only when it is complete, and only its owner can read it."""
    unfinished = to.with_name(to.name + ".part")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        _copy(file, unfinished)
    except sqlite3.Error as e:
        raise OSError(f"{file} cannot be copied: {e}") from None
    else:
        os.link(unfinished, to)  # unlike a rename, this never overwrites a file
    finally:
        unfinished.unlink()
    _sync(to.parent)


def _copy(file: Path, to: Path) -> None:
    where = f"{file.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(where, uri=True)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")  # so that everything is in one file
        if (said := target.execute("PRAGMA quick_check").fetchone()[0]) != "ok":
            raise OSError(f"{file} is damaged: {said}")
    _sync(to)


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
