"""When Python looks for what nobody needs any more.

It does so whenever much is new, and then looks at everything there is: with hundreds of matches that holds up everybody
for a third of a second, every few seconds, and finds next to nothing, because a match that is over is mostly gone by
itself. So what was there before the first match is left out, and all the rest is looked at in its own time.
"""

import asyncio
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = (5_000, 10)
"""How many new things are looked at together, and how many such looks are followed by one at all that those left."""
NEVER = 1_000_000_000
LEAST_S = 60.0
SHARE = 300
"""A look at everything may take one part of so many of the time."""


@contextmanager
def in_its_own_time() -> Iterator[None]:
    """As long as the block lasts; to be entered once all is loaded that is there to stay."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG, NEVER)
    looking = asyncio.get_running_loop().create_task(_look())
    try:
        yield
    finally:
        looking.cancel()
        gc.set_threshold(*before)
        gc.unfreeze()


async def _look() -> None:
    rest_s = LEAST_S
    while True:
        await asyncio.sleep(rest_s)
        began = time.monotonic()
        gc.collect()
        rest_s = max(LEAST_S, SHARE * (time.monotonic() - began))
