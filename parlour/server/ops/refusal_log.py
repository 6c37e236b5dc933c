"""The last refusals of a server, for its administrators. They are kept in memory only.

An entry has no token, password, key or salt, and nothing that a client has sent except the name of an account that
exists: a name that nobody has may be a password in the wrong field.
"""

import time
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from parlour.core.values import plain

MOST_KEPT = 500
TOGETHER_MS = 60_000
"""Equal refusals within this time are one entry."""
MOST_WORDS = 200


class Refusal(Struct):
    """A request or a client that was refused, or a connection that the server closed."""

    ms: int
    """The time of the last one."""
    code: str
    words: str
    """Over HTTP, they begin with the method and the route."""
    way: str
    """`http`, or the way of the connection, such as `websocket`, `watch` or `tcp`."""
    address: str
    name: str | None
    """The account, if it is known."""
    count: int = 1
    """How many equal ones came within a minute."""


class RefusalLog:
    """Remembers the last refusals. Equal ones within a minute are counted together."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._kept: deque[tuple[int, Refusal]] = deque()
        """Each with the time of its first one, oldest first."""
        self._newest: dict[tuple[str | None, ...], tuple[int, Refusal]] = {}
        """By what makes refusals equal, the newest of those that are kept."""
        self.total = 0
        """How many there were since the server started."""

    def add(self, code: str, words: str, way: str, address: str, name: str | None = None) -> None:
        self.total += 1
        now = round(self._clock() * 1000)
        new = Refusal(now, code, plain(words, MOST_WORDS), way, address, name)
        first_ms, same = self._newest.get(_key(new), (-TOGETHER_MS, None))
        if same is not None and now - first_ms < TOGETHER_MS:
            same.count += 1
            same.ms = now
            return
        self._kept.append((now, new))
        self._newest[_key(new)] = (now, new)
        if len(self._kept) > MOST_KEPT:
            _, oldest = self._kept.popleft()
            if self._newest[_key(oldest)][1] is oldest:
                del self._newest[_key(oldest)]

    def last(self, limit: int = MOST_KEPT, code: str | None = None) -> list[Refusal]:
        """The newest first."""
        found = [entry for _, entry in self._kept if code is None or entry.code == code]
        return sorted(found, key=lambda entry: -entry.ms)[:limit]


def _key(entry: Refusal) -> tuple[str | None, ...]:
    """Refusals with the same key are equal."""
    return entry.code, entry.words, entry.way, entry.address, entry.name
