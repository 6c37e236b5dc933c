"""Timestamps of the store."""

import time


def now_ms() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)
