"""Short forms of the games, for tests that play many matches."""

from typing import Any

from parlour import plugins

SHORT: dict[str, dict[str, Any]] = {
    "colorfight": {"width": 6, "height": 5, "max_turn": 4},
    "dominion": {"turn_cap": 6},
    "forsale": {},
    "maze": {"rows": 5, "columns": 7, "round_cap": 8},
    "tradecraft": {"max_turn": 4},
}
"""House rules by game."""

ENCODED = [game.name for game in plugins.games() if game.encoding is not None and game.name in SHORT]
MORE_SEATS = {"colorfight": 5, "dominion": 4, "forsale": 6, "maze": 4, "tradecraft": 3}
TABLES = [(name, seats) for name in ENCODED for seats in (None, MORE_SEATS[name])]
"""Each game with the usual number of seats and with more."""
