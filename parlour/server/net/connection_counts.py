"""Connections, or what else clients may have only so many of at a time, counted by address."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class ConnectionCounts:
    """How many connections there are, and how many of each address."""

    def __init__(self) -> None:
        self.total = 0
        self._by_address: Counter[str] = Counter()

    def add(self, address: str) -> None:
        self.total += 1
        self._by_address[address] += 1

    def remove(self, address: str) -> None:
        self.total -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    @contextmanager
    def counting(self, address: str) -> Iterator[None]:
        """Count one more during the block."""
        self.add(address)
        try:
            yield
        finally:
            self.remove(address)

    def of(self, address: str) -> int:
        return self._by_address[address]

    def busiest(self) -> str:
        """The address with the most connections; empty if there is none."""
        return max(self._by_address, key=self._by_address.__getitem__, default="")
