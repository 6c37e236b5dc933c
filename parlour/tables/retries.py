"""How long to wait before a failed match or room is resumed."""

from collections import Counter

AGAIN_S = (1.0, 5.0, 20.0, 60.0, 300.0)
"""Delays after the first, second and later failures."""


class Retries:
    """Counts the failures of each match and room that no player has caused."""

    def __init__(self) -> None:
        self._failures: Counter[str] = Counter()

    def failed(self, key: str) -> float:
        """Count a failure; returns the seconds to wait before the next attempt."""
        self._failures[key] += 1
        return AGAIN_S[min(self._failures[key], len(AGAIN_S)) - 1]

    def forget(self, key: str) -> None:
        """Reset the count, because the match or room was resumed."""
        self._failures.pop(key, None)
