"""Names that no account can have: the names of built-in bots, and names that look like them."""

import asyncio
from functools import cache
from threading import Lock

from parlour import plugins
from parlour.store.name_skeletons import keys, skeleton

_loading = Lock()
"""Makes one thread load the names when several need them first."""


def why_refused(name: str) -> str | None:
    """Why no account can have this name; None if one can."""
    if not skeleton(name):
        return "a name must have a visible character"
    bot = next((bots[key] for bots in [_bots()] for key in keys(name) if key in bots), None)
    return None if bot is None else f"the name is reserved: {bot} is a built-in bot"


async def why_refused_in_thread(name: str) -> str | None:
    """`why_refused` without blocking the event loop: the first call loads games and characters in a thread."""
    return why_refused(name) if _bots.cache_info().currsize else await asyncio.to_thread(_why_refused_first, name)


def _why_refused_first(name: str) -> str | None:
    with _loading:
        return why_refused(name)


@cache
def _bots() -> dict[str, str]:
    """The names of all bots by key."""
    return {key: bot for game in plugins.games() for bot in game.hosting.bots for key in keys(bot)}
