"""The games, found by name and loaded when first asked for."""

from functools import cache
from importlib import import_module
from typing import Any

from parlour.core import Game

NAMES = ("forsale", "dominion", "maze", "colorfight", "tradecraft")


@cache
def game(name: str) -> Game[Any]:
    """The game of that name; KeyError if there is none."""
    if name not in NAMES:
        raise KeyError(name)
    found: Game[Any] = import_module(f"parlour.games.{name}").GAME
    return found
