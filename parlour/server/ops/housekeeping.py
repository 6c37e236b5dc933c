"""What an arena does for itself while others play."""

import asyncio

from parlour.server.ops.logs import tell, tell_bug
from parlour.store.store import Store
from parlour.store.tidy import tidy

DAY_S = 24 * 3600.0


async def keep_tidy(store: Store, days: int) -> None:
    """Forget idle guests, now and once a day; 0 days: never."""
    while days:
        try:
            if gone := await tidy(store, days):
                tell("tidied", guests=gone)
        except Exception as e:  # it is tried again after a day
            tell_bug("housekeeping", e)
        await asyncio.sleep(DAY_S)
