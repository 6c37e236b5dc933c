"""The games of Parlour: one package each, with its rules, words, protocols and bots."""

from importlib import import_module
from typing import Any

from parlour.core import Game


def game(name: str) -> Game[Any]:
    """The game of that name, from whichever package: an alias of `parlour.plugins.game`."""
    found: Game[Any] = import_module("parlour.plugins").game(name)
    return found
