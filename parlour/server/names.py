"""Names that no account can have: those of built-in bots, and whatever looks like them."""

from functools import cache

from parlour.games import NAMES, game
from parlour.store.skeletons import keys, skeleton


def why_refused(name: str) -> str | None:
    """Why nobody can have a name, whether it is taken or not; None: somebody can."""
    if not skeleton(name):
        return "a name must have a visible character"
    bot = next((bots[key] for bots in [_bots()] for key in keys(name) if key in bots), None)
    return None if bot is None else f"the name is reserved: {bot} is a built-in bot"


@cache
def _bots() -> dict[str, str]:
    """By key, the names of all games' bots."""
    return {key: bot for name in NAMES for bot in game(name).bots for key in keys(bot)}
