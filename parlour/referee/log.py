"""Logs keep the lines of a match: in memory, in a file, or (elsewhere) in a database.

A line is written before any player is told what it says.
"""

import contextlib
import fcntl
import os
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import IO, Any, Protocol

from parlour.referee.match import Match
from parlour.referee.transcript import Reveal, read_record, split


class Log(Protocol):
    """Keeps the lines of one match."""

    def write(self, lines: Sequence[bytes]) -> Awaitable[None] | None:
        """Write these lines. None: they are written already. Otherwise the caller awaits the result before it tells any
        player what the lines say, and writes later lines only after that."""

    def end(self, match: Match[Any]) -> Awaitable[None] | None:
        """Write the seed and complete the log of a match that is over. Calling it again changes nothing."""


async def done(kept: Awaitable[None] | None) -> None:
    """Wait for a write, unless it is complete already."""
    if kept is not None:
        await kept


class ImmediateLog:
    """A log whose lines are written when `write` returns. This class discards them; its subclasses keep them."""

    def write(self, lines: Sequence[bytes]) -> None:
        """Keep these lines."""

    def end(self, match: Match[Any]) -> None:
        if not match.revealed:
            self.write([match.reveal()])


class MemoryLog(ImmediateLog):
    """Keeps the lines in a list."""

    def __init__(self, lines: list[bytes] | None = None) -> None:
        self.lines = [] if lines is None else lines

    def write(self, lines: Sequence[bytes]) -> None:
        self.lines += lines


class CombinedLog(ImmediateLog):
    """Writes to several logs, in this order."""

    def __init__(self, *logs: ImmediateLog) -> None:
        self._logs = logs

    def write(self, lines: Sequence[bytes]) -> None:
        for log in self._logs:
            log.write(lines)

    def end(self, match: Match[Any]) -> None:
        super().end(match)
        for log in self._logs:
            log.end(match)


class CannotRecord(Exception):
    """A file cannot be written or continued; the message says why."""


class FileLog(ImmediateLog):
    """Writes a transcript. Until the end, the seed is in a file beside it, for its owner only.

    The file is created with the first line and locked until the end: only one process can record a match."""

    def __init__(self, path: Path, seed: bytes) -> None:
        self.path = path
        self._seed = seed
        self._file: IO[bytes] | None = None
        self._cut_at: int | None = None
        """The size of a file to continue, without an incomplete last line."""

    @classmethod
    def resume(cls, path: Path) -> tuple["FileLog", bytes, list[bytes]]:
        """Continue a transcript: the log, the seed and the lines so far, without an incomplete last line."""
        lines = read_lines(path)
        if isinstance(read_record(lines[-1], len(lines)), Reveal):
            raise CannotRecord(f"{path} is finished; see it with `parlour replay`")
        try:
            seed = bytes.fromhex(seed_path(path).read_text())
        except (OSError, ValueError):
            raise CannotRecord(f"{path} cannot be resumed: its seed is not in {seed_path(path)}") from None
        log = cls(path, seed)
        log._file = _locked(path.open("r+b"), path)
        lines = read_lines(path)  # again, now that the file is locked
        log._cut_at = sum(len(line) + 1 for line in lines)
        return log, seed, lines

    def release(self) -> None:
        """Close and unlock the file; the match can be resumed."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # a write that failed has been reported
                self._file.close()

    def write(self, lines: Sequence[bytes]) -> None:
        file = self._file = self._file or self._created()
        if self._cut_at is not None:
            file.truncate(self._cut_at)
            file.seek(self._cut_at)
            self._cut_at = None
        try:
            file.write(b"".join(line + b"\n" for line in lines))
            file.flush()
        except OSError as e:
            raise OSError(e.errno, e.strerror, str(self.path)) from None

    def _created(self) -> IO[bytes]:
        file = _locked(new_file(self.path).open("xb"), self.path)
        with os.fdopen(os.open(seed_path(self.path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as beside:
            beside.write(self._seed.hex() + "\n")
        return file

    def end(self, match: Match[Any]) -> None:
        """Write the seed into the file and delete the seed file."""
        super().end(match)
        if self._file is not None:
            self._file.close()
        with contextlib.suppress(FileNotFoundError):
            seed_path(self.path).unlink()


def new_file(path: Path) -> Path:
    """Return the path; CannotRecord if it exists or its folder does not."""
    if path.exists():
        raise CannotRecord(f"{path} exists already, and nothing is overwritten")
    if not path.parent.is_dir():
        raise CannotRecord(f"cannot write {path}: there is no folder {path.parent}")
    return path


def read_lines(path: Path) -> list[bytes]:
    """The lines of a transcript, without an incomplete last line if the match is not finished."""
    data = path.read_bytes()
    lines = split(data[: data.rfind(b"\n") + 1] or data)
    return split(data) if isinstance(read_record(lines[-1], len(lines)), Reveal) else lines


def seed_path(path: Path) -> Path:
    """Where the seed is kept until the end of the match."""
    return path.with_name(path.name + ".seed")


def _locked(file: IO[bytes], path: Path) -> IO[bytes]:
    """The file, locked until it is closed; CannotRecord if another process has locked it."""
    if not try_to_lock(file):
        raise CannotRecord(f"{path} is being recorded by another process")
    return file


def try_to_lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed. If another process has locked it, close it; then False."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return False
    return True
