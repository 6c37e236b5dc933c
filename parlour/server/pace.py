"""How fast one client may talk."""

import asyncio

BURST = 100
A_SECOND = 50.0


class Pace:
    """Lets a burst through; after that, only so many a second. Who floods waits, and nobody else does."""

    def __init__(self, burst: float = BURST, a_second: float = A_SECOND) -> None:
        self._time = asyncio.get_running_loop().time
        self._burst = burst
        self._a_second = a_second
        self._free = burst
        self._since = self._time()

    def rest_s(self, count: int = 1) -> float:
        """After so many: how long to wait before there may be more."""
        now = self._time()
        self._free = min(self._burst, self._free + (now - self._since) * self._a_second) - count
        self._since = now
        return max(0.0, -self._free / self._a_second)

    async def keep(self) -> None:
        """Wait until one more may come."""
        if rest_s := self.rest_s():
            await asyncio.sleep(rest_s)
