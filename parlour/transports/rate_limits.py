"""Rate limits and idle timeouts of clients."""

import asyncio
import math
from collections.abc import Callable

from parlour.transports.limits import A_SECOND, BURST

MOST_PACES = 1000
"""Full buckets are removed only above this number."""


class Pace:
    """A token bucket: allows a burst, then a fixed rate."""

    def __init__(self, burst: float = BURST, a_second: float = A_SECOND, most_debt: float = math.inf) -> None:
        self._time = asyncio.get_running_loop().time
        self._burst = burst
        self._a_second = a_second
        self._free = burst
        self._since = self._time()
        self._most_debt = most_debt

    @property
    def is_rested(self) -> bool:
        """Whether the bucket is full."""
        return self._free + (self._time() - self._since) * self._a_second >= self._burst

    def rest_s(self, count: int = 1, now: float | None = None) -> float:
        """Take tokens; returns how long to wait before the next. `now` saves a look at the clock."""
        if now is None:
            now = self._time()
        self._free = min(self._burst, self._free + (now - self._since) * self._a_second) - count
        self._free = max(self._free, -self._most_debt)
        self._since = now
        return max(0.0, -self._free / self._a_second)

    async def keep(self, count: int = 1) -> None:
        """Take tokens, and wait as long as `rest_s` says."""
        if rest_s := self.rest_s(count):
            await asyncio.sleep(rest_s)


class Paces:
    """One bucket for each address."""

    def __init__(self, a_second: float) -> None:
        self._a_second = a_second
        self._paces: dict[str, Pace] = {}
        self._tidied = MOST_PACES

    def of(self, address: str) -> Pace:
        if len(self._paces) > 2 * self._tidied:
            self._paces = {key: pace for key, pace in self._paces.items() if not pace.is_rested}
            self._tidied = max(len(self._paces), MOST_PACES)
        if address not in self._paces:
            self._paces[address] = Pace(2 * self._a_second, self._a_second, 2 * self._a_second)
        return self._paces[address]


class Quiet:
    """An idle timeout."""

    def __init__(self, seconds: float, then: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._then = then
        self.since = self._loop.time()
        """When the client was last heard or told something. To set it restarts the timeout."""
        self._timer = self._loop.call_later(seconds, self._look)

    def cancel(self) -> None:
        self._timer.cancel()

    def _look(self) -> None:
        rest_s = self.since + self._seconds - self._loop.time()
        if rest_s <= 0:
            self._then()
        else:
            self._timer = self._loop.call_later(rest_s, self._look)
