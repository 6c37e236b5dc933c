"""Delete unused guest accounts, tokens that ended long ago, and old matches of bots, in small batches."""

from parlour.protocol.records import now_ms
from parlour.store.store import Store

DAY_MS = 24 * 3600 * 1000
AT_ONCE = 200
"""Batch size; other writers run between the batches."""
KEPT = 20
"""How many matches of bots alone are kept of each game."""
TOKEN_DAYS = 30
"""How long tokens are kept after they have ended."""
MATCHES_AT_ONCE = 5
"""Batch size for matches, which have many lines."""


async def tidy(store: Store, days: int, *, dry_run: bool = False) -> int:
    """Remove guests that are at least this old and never had a seat; returns how many. `dry_run` only counts."""
    before_ms, last, found = now_ms() - days * DAY_MS, 0, 0
    while some := await store.idle_guests(before_ms, last, AT_ONCE):
        found += len(some) if dry_run else await store.remove_guests(some)
        last = some[-1]
    return found


async def tidy_tokens(store: Store) -> int:
    """Delete tokens that were revoked or have expired long ago; returns how many."""
    before_ms, last, gone = now_ms() - TOKEN_DAYS * DAY_MS, 0, 0
    while some := await store.ended_tokens(before_ms, last, AT_ONCE):
        await store.delete_tokens(some)
        gone, last = gone + len(some), some[-1]
    return gone


async def tidy_chat(store: Store, days: int) -> int:
    """Delete chat messages that are at least this old, and the reports about them; returns how many messages."""
    return await store.chat.forget(now_ms() - days * DAY_MS)


async def tidy_bot_matches(store: Store, game: str) -> int:
    """Delete the oldest finished matches of bots alone that no account set up; returns how many."""
    gone = 0
    while some := await store.bot_matches(game, skip=KEPT, limit=MATCHES_AT_ONCE):
        await store.delete_matches(some)
        gone += len(some)
    return gone
