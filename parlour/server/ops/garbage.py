"""Tune the garbage collector.

With hundreds of matches, a full collection stops the server for a third of a second every few seconds. It finds almost
nothing, because reference counting frees nearly all of a finished match. So objects from before the first match are
frozen, and full collections run rarely, on a timer.
"""

import asyncio
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = (25_000, 10)
"""Thresholds of the two young generations."""
NEVER = 1_000_000_000
LEAST_S = 60.0
SHARE = 300
"""Full collections take at most one part in this many of the time."""


@contextmanager
def tuned_collector() -> Iterator[None]:
    """Tune the collector during the block. Enter it after all modules are loaded."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG, NEVER)
    collecting = asyncio.get_running_loop().create_task(_collect_seldom())
    try:
        yield
    finally:
        collecting.cancel()
        gc.set_threshold(*before)
        gc.unfreeze()


async def _collect_seldom() -> None:
    pause_s = LEAST_S
    while True:
        await asyncio.sleep(pause_s)
        began = time.monotonic()
        gc.collect()
        pause_s = max(LEAST_S, SHARE * (time.monotonic() - began))
