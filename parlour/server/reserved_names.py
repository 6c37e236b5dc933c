"""Names that no account can have: those of built-in bots, and whatever looks like them."""

import asyncio
from functools import cache
from threading import Lock

from parlour import plugins
from parlour.store.name_skeletons import keys, skeleton

_loading = Lock()
"""Of many threads that need the names of bots first, one loads them."""


def why_refused(name: str) -> str | None:
    """Why nobody can have a name, whether it is taken or not; None: somebody can."""
    if not skeleton(name):
        return "a name must have a visible character"
    bot = next((bots[key] for bots in [_bots()] for key in keys(name) if key in bots), None)
    return None if bot is None else f"the name is reserved: {bot} is a built-in bot"


async def why_refused_soon(name: str) -> str | None:
    """The same; games and confusable characters are loaded beside the event loop when they are needed first."""
    return why_refused(name) if _bots.cache_info().currsize else await asyncio.to_thread(_why_refused_first, name)


def _why_refused_first(name: str) -> str | None:
    with _loading:
        return why_refused(name)


@cache
def _bots() -> dict[str, str]:
    """By key, the names of all games' bots."""
    return {key: bot for game in plugins.games() for bot in game.hosting.bots for key in keys(bot)}
