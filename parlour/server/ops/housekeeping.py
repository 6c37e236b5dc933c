"""Daily housekeeping of an arena."""

import asyncio

from parlour.server.ops.logs import tell, tell_bug
from parlour.store.store import Store
from parlour.store.tidy import tidy

DAY_S = 24 * 3600.0


async def keep_tidy(store: Store, days: int) -> None:
    """Delete idle guests, now and once a day; never if `days` is 0."""
    while days:
        try:
            if gone := await tidy(store, days):
                tell("tidied", guests=gone)
        except Exception as e:  # retried the next day
            tell_bug("housekeeping", e)
        await asyncio.sleep(DAY_S)
