"""Games with other rules, or other bots, than their own."""

from typing import Any

from msgspec.structs import replace

from parlour.core import Game


def with_rules(game: Game[Any], **changes: Any) -> Game[Any]:
    return replace(game, rules=replace(game.rules, **changes))


def with_hosting(game: Game[Any], **changes: Any) -> Game[Any]:
    return replace(game, hosting=replace(game.hosting, **changes))
