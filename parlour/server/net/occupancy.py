"""Count what exists at the moment and is limited, such as the connections of an address."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Occupancy:
    """A total, and a count for each key: connections by address, or spectators by match."""

    def __init__(self) -> None:
        self.total = 0
        self._by_key: Counter[str] = Counter()

    def add(self, key: str) -> None:
        self.total += 1
        self._by_key[key] += 1

    def remove(self, key: str) -> None:
        self.total -= 1
        self._by_key[key] -= 1
        if not self._by_key[key]:
            del self._by_key[key]

    @contextmanager
    def counting(self, key: str) -> Iterator[None]:
        """Count one more during the block."""
        self.add(key)
        try:
            yield
        finally:
            self.remove(key)

    def of(self, key: str) -> int:
        return self._by_key[key]

    def busiest(self) -> str:
        """The key with the highest count; empty if there is none."""
        return max(self._by_key, key=self._by_key.__getitem__, default="")
