"""Housekeeping: what nobody will ever ask for again is forgotten, a little at a time."""

from parlour.store.store import Store, now_ms

DAY_MS = 24 * 3600 * 1000
AT_ONCE = 200
"""So many go together; whoever else wants to write comes in between."""


async def tidy(store: Store, days: int, *, dry_run: bool = False) -> int:
    """Remove guests who came so many days ago, or earlier, and never had a seat; or only count them."""
    before_ms, last, found = now_ms() - days * DAY_MS, 0, 0
    while some := await store.idle_guests(before_ms, last, AT_ONCE):
        found += len(some) if dry_run else await store.remove_guests(some)
        last = some[-1]
    return found
