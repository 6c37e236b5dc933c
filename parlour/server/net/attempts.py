"""Refuse clients that try something too often. The limits in `parlour.transports.rate_limits` only delay them."""

import asyncio
from collections import deque

from parlour.protocol.errors import RequestError

MOST_REMEMBERED = 10_000
"""How many keys are remembered before those without recent attempts are dropped."""


class Attempts:
    """Limits the number of attempts in a period, for each key."""

    def __init__(self, most: int, seconds: float = 60.0) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = asyncio.get_running_loop().time
        self._tries: dict[str, deque[float]] = {}

    def count(self, key: str) -> None:
        """Count an attempt; RequestError if it is over the limit."""
        now = self._clock()
        tries = self._tries.setdefault(key, deque())
        while tries and tries[0] <= now - self._seconds:
            tries.popleft()
        if len(tries) >= self._most:
            raise RequestError(429, "too_many_tries", f"at most {self._most} tries in {self._seconds:g} s")
        tries.append(now)
        if len(self._tries) > MOST_REMEMBERED:
            self._tries = {key: kept for key, kept in self._tries.items() if kept and kept[-1] > now - self._seconds}

    def most_used(self) -> int:
        """The number of attempts of the key that has made the most in the period."""
        since = self._clock() - self._seconds
        return max((sum(each > since for each in tries) for tries in self._tries.values()), default=0)

    def forgive(self, key: str) -> None:
        """Do not count the last attempt, because it succeeded."""
        if tries := self._tries.get(key):
            tries.pop()
