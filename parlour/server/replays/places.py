"""Limit how many replays clients may ask for at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from parlour.protocol.errors import RequestError
from parlour.server.net.occupancy import Occupancy


class ReplayPlaces:
    """A few places for each address, and some for all."""

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._taken = Occupancy()

    @contextmanager
    def taken(self, address: str) -> Iterator[None]:
        """Take a place for the duration of a block, or raise RequestError."""
        if self._taken.of(address) >= self._each:
            raise RequestError(429, "busy", f"{self._each} at a time: your address is waiting for other replays")
        if self._taken.total >= self._most:
            raise RequestError(503, "too_busy", "too many replays are being made; try again in a moment")
        with self._taken.counting(address):
            yield
