"""Delete unused guest accounts in small batches."""

from parlour.store.store import Store, now_ms

DAY_MS = 24 * 3600 * 1000
AT_ONCE = 200
"""Batch size; other writers run between the batches."""


async def tidy(store: Store, days: int, *, dry_run: bool = False) -> int:
    """Remove guests that are at least this old and never had a seat; returns how many. `dry_run` only counts."""
    before_ms, last, found = now_ms() - days * DAY_MS, 0, 0
    while some := await store.idle_guests(before_ms, last, AT_ONCE):
        found += len(some) if dry_run else await store.remove_guests(some)
        last = some[-1]
    return found
