"""How fast one client may talk."""

import asyncio

BURST = 100
A_SECOND = 50.0


class Pace:
    """Lets a burst of messages through; after that, only so many a second. Who floods waits, and nobody else does."""

    def __init__(self) -> None:
        self._time = asyncio.get_running_loop().time
        self._free = float(BURST)
        self._since = self._time()

    async def keep(self) -> None:
        """Wait until one more may come."""
        now = self._time()
        self._free = min(BURST, self._free + (now - self._since) * A_SECOND) - 1
        self._since = now
        if self._free < 0:
            await asyncio.sleep(-self._free / A_SECOND)
