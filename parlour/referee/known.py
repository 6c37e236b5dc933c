"""Whether this release has the rules that a recorded match was played by."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw

from parlour.core import Game
from parlour.referee.transcript import BadTranscript, Header


class UnknownRules(BadTranscript):
    """The match may be sound, but this release lacks its game, its rules version, its data or one of its options.

    Nothing is wrong with such a record, so it must be left as it is: another release can replay it and go on with it.
    """

    def __init__(self, why: str) -> None:
        super().__init__(1, why)

    def __str__(self) -> str:
        return f"this release cannot replay the match: {self.why}"


def known_game(header: Header, games: Callable[[str], Game[Any]]) -> Game[Any]:
    """The game that a match was played by, found by its name; UnknownRules, if this release lacks it."""
    try:
        game = games(header.game)
    except KeyError:
        raise UnknownRules(f"this release has no game {header.game!r}") from None
    check_rules(header, game)
    return game


def check_rules(header: Header, game: Game[Any]) -> None:
    """UnknownRules, unless this is the game of the header, in the version and with the options that were played."""
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
    """The options that a header states; none, if they cannot be read at all."""
    try:
        return set(msgspec.json.decode(options, type=dict[str, Raw]))
    except (msgspec.MsgspecError, ValueError, RecursionError):  # ValueError: what is not even UTF-8
        return set()
