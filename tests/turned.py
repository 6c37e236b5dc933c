"""An event loop whose clock can be put forward by hand: nobody waits for time to pass, and no slow machine matters.

What must happen within a limit has a long one, and where time is to run out the clock is turned.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

HANGS_S = 280.0
"""What has not ended after so long never will."""
SOON_S = 30.0
"""How long may take, on a machine that stalls, what is done at once."""


class TurnedLoop(asyncio.SelectorEventLoop):
    """Its clock runs as always, and ahead by as much as it was turned."""

    bound: asyncio.Timeout
    """On all that is done, which the hand does not shorten."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead_s = 0.0

    def time(self) -> float:
        return super().time() + self._ahead_s

    def turn(self, seconds: float) -> None:
        self._ahead_s += seconds
        self.bound.reschedule((self.bound.when() or 0.0) + seconds)

    def is_due_after(self, seconds: float) -> bool:
        """Whether a timer runs that is due later than in so many seconds."""
        timers = self._scheduled  # type: ignore[attr-defined]  # there is no other way to see them
        return any(each.when() > self.time() + seconds and not each.cancelled() for each in timers)


def turn(seconds: float) -> None:
    """All that is due within so long is due now."""
    _loop().turn(seconds)


async def sleeps(seconds: float) -> None:
    """Wait until something sleeps for longer than that."""
    await until(lambda: _loop().is_due_after(seconds))


async def soon(work: Awaitable[T]) -> T:
    """What it gives; a stalling machine may have its half minute."""
    async with asyncio.timeout(SOON_S):
        return await work


async def until(holds: Callable[[], object]) -> None:
    """Wait for it."""
    async with asyncio.timeout(SOON_S):
        while not holds():
            await asyncio.sleep(0.005)


async def settle() -> None:
    """Time for what should not happen. On a machine too slow to show it within that, it is only not seen."""
    await asyncio.sleep(0.05)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """What it gives, unless it hangs."""

    async def bounded() -> Any:
        async with asyncio.timeout(HANGS_S) as _loop().bound:
            return await work

    with asyncio.Runner(loop_factory=TurnedLoop) as runner:
        return runner.run(bounded())


def _loop() -> TurnedLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, TurnedLoop)
    return loop
