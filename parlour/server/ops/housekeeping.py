"""Daily housekeeping of an arena."""

import asyncio
from collections.abc import Awaitable

from parlour.protocol.reports import tell, tell_bug
from parlour.store.store import Store
from parlour.store.tidy import tidy, tidy_chat, tidy_tokens

DAY_S = 24 * 3600.0


async def keep_tidy(store: Store, guests_days: int, chat_days: int) -> None:
    """Delete idle guests, ended tokens and old chat messages, now and daily; guests never if `guests_days` is 0."""
    while True:
        if guests_days:
            await _tidied("guests", tidy(store, guests_days))
        await _tidied("tokens", tidy_tokens(store))
        await _tidied("chat", tidy_chat(store, chat_days))
        await asyncio.sleep(DAY_S)


async def _tidied(what: str, deleting: Awaitable[int]) -> None:
    """Log how many were deleted. An error is logged too, and keeps nothing else from being deleted."""
    try:
        if gone := await deleting:
            tell("tidied", **{what: gone})
    except Exception as e:  # retried the next day
        tell_bug("housekeeping", e)
