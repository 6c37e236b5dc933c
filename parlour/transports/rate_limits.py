"""Rate limits and idle timeouts of clients."""

import asyncio
import math
from collections.abc import Callable

from parlour.transports.limits import A_SECOND, BURST

MOST_BUCKETS = 1000
"""Full buckets are removed only above this number."""


class TokenBucket:
    """A token bucket: allows a burst, then a fixed rate."""

    def __init__(self, burst: float = BURST, a_second: float = A_SECOND, most_debt: float = math.inf) -> None:
        self._time = asyncio.get_running_loop().time
        self._burst = burst
        self._a_second = a_second
        self._free = burst
        self._since = self._time()
        self._most_debt = most_debt

    @property
    def is_full(self) -> bool:
        """Whether the bucket is full."""
        return self._free + (self._time() - self._since) * self._a_second >= self._burst

    def delay_s(self, count: int = 1, now: float | None = None) -> float:
        """Take tokens; returns how long to wait before the next. `now` saves reading the clock."""
        if now is None:
            now = self._time()
        self._free = min(self._burst, self._free + (now - self._since) * self._a_second) - count
        self._free = max(self._free, -self._most_debt)
        self._since = now
        return max(0.0, -self._free / self._a_second)

    async def wait(self, count: int = 1) -> None:
        """Take tokens, and wait until the next may be taken."""
        if delay_s := self.delay_s(count):
            await asyncio.sleep(delay_s)


class AddressBuckets:
    """A token bucket for each address."""

    def __init__(self, a_second: float) -> None:
        self._a_second = a_second
        self._buckets: dict[str, TokenBucket] = {}
        self._tidied = MOST_BUCKETS

    def of(self, address: str) -> TokenBucket:
        if len(self._buckets) > 2 * self._tidied:
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full}
            self._tidied = max(len(self._buckets), MOST_BUCKETS)
        if address not in self._buckets:
            self._buckets[address] = TokenBucket(2 * self._a_second, self._a_second, 2 * self._a_second)
        return self._buckets[address]


class IdleTimeout:
    """An idle timeout."""

    def __init__(self, seconds: float, then: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._then = then
        self.since = self._loop.time()
        """When the last message was received or sent. Setting it restarts the timeout."""
        self._timer = self._loop.call_later(seconds, self._check)

    def cancel(self) -> None:
        self._timer.cancel()

    def _check(self) -> None:
        delay_s = self.since + self._seconds - self._loop.time()
        if delay_s <= 0:
            self._then()
        else:
            self._timer = self._loop.call_later(delay_s, self._check)
