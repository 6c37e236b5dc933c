"""Write receipts: each answer is on the disk before it is sent, so that a crash cannot lose it."""

import contextlib
import logging
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, Raw

from parlour.client.api import Refused
from parlour.core import Result
from parlour.core.values import plain
from parlour.protocol.v1 import AnswerMessage, FaultMessage, HelloMessage, OverMessage, SeatMessage
from parlour.referee.receipt import (
    AnswerEntry,
    AnyEntry,
    BadReceipt,
    FaultEntry,
    HelloEntry,
    OverEntry,
    Receipt,
    SeatEntry,
    read_receipt,
    whole,
    written,
)

ENDING = ".receipt"
NAME_DIGITS = 16
"""Receipts in a folder are named after this many digits of the commitment, as an arena names matches."""

_log = logging.getLogger("parlour.client")


class Receipts:
    """One file for one match, or a folder with a file for each match."""

    def __init__(self, where: str | os.PathLike[str], *, folder: bool = False) -> None:
        """An existing folder, or a path that ends with a slash, is a folder."""
        self._path = Path(where)
        self.is_folder = folder or self._path.is_dir() or os.fspath(where).endswith(os.sep)
        if self.is_folder:
            self._path.mkdir(parents=True, exist_ok=True)
        elif (found := self._read(self._path)) is not None and found.over is not None:
            raise Refused("receipt", f"{self._path} is the receipt of a match that is over; give another file")

    def file(self, commit: str) -> Path:
        """The file for a match, by its commitment or name."""
        return self._path / f"{commit[:NAME_DIGITS]}{ENDING}" if self.is_folder else self._path

    def opened(self, commit: str) -> tuple[Path, list[AnyEntry]]:
        """The file for a match and its entries; Refused if it is of another match."""
        path = self.file(commit)
        found = self._read(path)
        if found is None:
            self._make(path)
            return path, []
        place = found.place
        if place is not None and all(hello.commit != commit for hello in found.hellos):
            raise Refused("receipt", f"{path} is the receipt of match {plain(place.match)}; give another file")
        return path, [*found.entries]

    def of_match(self, match: str) -> tuple[Path, Receipt] | None:
        """The existing receipt of a match, if any."""
        with contextlib.suppress(Refused):
            path = self.file(match)
            found = self._read(path)
            if found is not None and found.place is not None and found.place.match == match:
                return path, found
        return None

    def _read(self, path: Path) -> Receipt | None:
        """Read a receipt; None if it is empty or missing. An incomplete last line is removed from the file."""
        try:
            data = path.read_bytes()
            if not whole(data):
                path.unlink()
                return None
            if whole(data) != data:
                os.truncate(path, len(whole(data)))
            return read_receipt(data)
        except FileNotFoundError:
            return None
        except OSError as e:
            raise Refused("receipt", f"{path}: {e.strerror}") from None
        except BadReceipt as e:
            raise Refused("receipt", f"{path} is not a receipt: {plain(str(e))}") from None

    def _make(self, path: Path) -> None:
        """Create a file that only its owner can read, because answers of a running match are secret."""
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            folder = os.open(path.parent, os.O_RDONLY)
        except OSError as e:
            raise Refused("receipt", f"{path}: {e.strerror}") from None
        with contextlib.suppress(OSError):  # not supported everywhere
            os.fsync(folder)
        os.close(folder)


class ReceiptWriter:
    """Writes the receipt of one match, over all its connections."""

    def __init__(self, receipts: Receipts | None, url: str) -> None:
        self._receipts = receipts
        self._url = _public(url)
        self.path: Path | None = None
        """The file; None if there is none yet."""
        self._commit = ""
        self._given: set[tuple[str, str]] = set()
        """The commitments and salts in the file."""
        self._has_match = False
        self._returned = False

    def hello(self, told: HelloMessage, salt: str) -> None:
        """Called before we send our hello; Refused if the receipt cannot be written."""
        if self._receipts is None:
            return
        if told.commit != self._commit:
            self._open(self._receipts, told.commit)
        self._returned = not told.salted
        if (told.commit, salt) not in self._given and (salt or all(told.commit != known for known, _ in self._given)):
            self._given.add((told.commit, salt))
            self._add(
                HelloEntry(
                    receipt=1,
                    url=self._url,
                    server=plain(told.server),
                    game=told.game,
                    version=told.version,
                    commit=told.commit,
                    salt=salt,
                )
            )

    def _open(self, receipts: Receipts, commit: str) -> None:
        if receipts.is_folder and self.path is not None and not self._has_match:
            self.path.unlink(missing_ok=True)  # its match did not begin
        self.path, entries = receipts.opened(commit)
        self._commit = commit
        self._given = {(entry.commit, entry.salt) for entry in entries if isinstance(entry, HelloEntry)}
        self._has_match = any(isinstance(entry, SeatEntry) for entry in entries)

    def seat(self, told: SeatMessage[Any, Any]) -> None:
        self._has_match = True
        self._add(SeatEntry(told.match, told.seat, told.players, told.header, self._returned))

    def answer(self, answer: AnswerMessage[Any], *, behind: bool) -> None:
        self._add(AnswerEntry(answer.id, Raw(msgspec.json.encode(answer.action)), behind))

    def fault(self, told: FaultMessage[Any]) -> None:
        self._add(FaultEntry(told.id, told.kind, told.code))

    def over(self, told: OverMessage, *, seated: bool) -> None:
        """`seated`: whether we also got our seat over this connection."""
        if self.path is None and self._receipts is not None and told.record is not None:
            known = self._receipts.of_match(told.record)  # begun by an earlier process
            if known is None or known[1].over is not None:
                return
            self.path = known[0]
        end = told.void or Result(told.scores, told.ranks)
        signature, key = (None if it is UNSET else str(it) for it in (told.signature, told.public_key))
        self._add(OverEntry(end, told.head, signature, key, returned=not seated))

    def _add(self, entry: AnyEntry) -> None:
        """Append an entry. If writing fails after the match has begun, the match goes on without a receipt."""
        if self._receipts is None or self.path is None:
            return
        try:
            _append(self.path, written(entry))
        except OSError as e:
            if not self._has_match:
                raise Refused("receipt", f"{self.path}: {e.strerror}") from None
            _log.info("%s: %s; the receipt ends here", self.path, e.strerror)
            self._receipts = None


def _append(path: Path, line: bytes) -> None:
    """Append a line durably."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        if os.write(file, line) != len(line):
            raise OSError(0, "the disk is full")
        os.fsync(file)
    finally:
        os.close(file)


def _public(url: str) -> str:
    """A URL without user name and password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
