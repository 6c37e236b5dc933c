"""Limit how many transcripts clients may send at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from parlour.protocol.errors import RequestError

MOST_UPLOADS = 8
"""Transcripts that are being read or replayed, from all addresses."""


class UploadPlaces:
    """One place for each address, and a few for all."""

    def __init__(self, most: int = MOST_UPLOADS) -> None:
        self._most = most
        self._taken: set[str] = set()

    @contextmanager
    def taken(self, address: str) -> Iterator[None]:
        """Take a place for the duration of a block, or raise RequestError."""
        if address in self._taken:
            raise RequestError(429, "busy", "another transcript from your address is being replayed")
        if len(self._taken) >= self._most:
            raise RequestError(503, "too_busy", "too many transcripts are being replayed; try again in a moment")
        self._taken.add(address)
        try:
            yield
        finally:
            self._taken.remove(address)
