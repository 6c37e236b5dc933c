"""Daily housekeeping of an arena."""

import asyncio

from parlour.server.ops.logs import tell, tell_bug
from parlour.store.store import Store
from parlour.store.tidy import tidy, tidy_chat

DAY_S = 24 * 3600.0


async def keep_tidy(store: Store, guests_days: int, chat_days: int) -> None:
    """Delete idle guests and old chat messages, now and once a day; guests never if `guests_days` is 0."""
    while True:
        try:
            if guests_days and (gone := await tidy(store, guests_days)):
                tell("tidied", guests=gone)
            if messages := await tidy_chat(store, chat_days):
                tell("tidied", chat=messages)
        except Exception as e:  # retried the next day
            tell_bug("housekeeping", e)
        await asyncio.sleep(DAY_S)
