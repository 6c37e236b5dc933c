"""Check whether this release has the rules of a recorded match."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw

from parlour.core import Game
from parlour.referee.transcript import BadTranscript, Header


class UnknownRules(BadTranscript):
    """This release lacks the match's game, rules version, data files or one of its options.

    The record may be valid and must not be changed: another release can replay and resume it.
    """

    def __init__(self, why: str) -> None:
        super().__init__(1, why)

    def __str__(self) -> str:
        return f"this release cannot replay the match: {self.why}"


def known_game(header: Header, games: Callable[[str], Game[Any]]) -> Game[Any]:
    """The game of a match, by its name; UnknownRules if this release lacks it or its rules."""
    try:
        game = games(header.game)
    except KeyError:
        raise UnknownRules(f"this release has no game {header.game!r}") from None
    check_rules(header, game)
    return game


def check_rules(header: Header, game: Game[Any]) -> None:
    """Raise UnknownRules unless the game has the header's version, data files and options."""
    if header.version != game.rules.version:
        raise UnknownRules(f"rules version {header.version}, this release has {game.rules.version}")
    if header.data != game.rules.data:
        raise UnknownRules(
            f"data files {header.data[:16] or 'none'}, this release has {game.rules.data[:16] or 'none'}"
        )
    unknown = sorted(_names(header.options) - {"type", *game.rules.options.__struct_fields__})
    if unknown:
        raise UnknownRules(f"option {', '.join(unknown)}, which this release does not have")


def _names(options: Raw) -> set[str]:
    """The names of the options in a header; empty if they cannot be read."""
    try:
        return set(msgspec.json.decode(options, type=dict[str, Raw]))
    except (msgspec.MsgspecError, ValueError, RecursionError):  # ValueError: not UTF-8
        return set()
