"""The supply at the start, and options resolved before the deal."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from parlour.core import BadOptions, Sitting
from parlour.games.dominion.cards import KINGDOM
from parlour.games.dominion.values import Options

SEATS = range(2, 5)
STARTING: Final = ("copper",) * 7 + ("estate",) * 3
HAND: Final = 5

SPEAKS = "dominion"
"""Key under which a client of the game's own protocol states its version."""


def supply(seats: int, options: Options) -> dict[str, int]:
    """RULES 1.3."""
    green = 8 if seats == 2 else 12
    return {
        "curse": 10 * (seats - 1),
        "copper": 60 - 7 * seats,
        "silver": 40,
        "gold": 30,
        "estate": green,
        "duchy": green,
        "province": green,
        **dict.fromkeys([card for card in KINGDOM if card in options.kingdom], 10),
    }


def resolve(options: Options, players: Sequence[Sitting]) -> Options:
    """Check the kingdom, and set the price of a timeout for each seat, by its protocol (RULES 6.4)."""
    _check_kingdom(options.kingdom)
    silence = options.on_silence
    if silence is None:
        silence = tuple("forfeit" if SPEAKS in player.about else "end_turn" for player in players)
    elif isinstance(silence, str):
        silence = (silence,) * len(players)
    elif len(silence) != len(players):
        raise BadOptions(f"on_silence: {len(silence)} values for {len(players)} seats")
    return replace(options, on_silence=silence)


def _check_kingdom(kingdom: Sequence[str]) -> None:
    for card in kingdom:
        if card not in KINGDOM:
            raise BadOptions(f"kingdom: unknown action card {card[:40]!r}. Known: {', '.join(KINGDOM)}")
    if len({*kingdom}) < len(kingdom):
        raise BadOptions("kingdom: a card is named twice")


def bound(seats: int, options: Options) -> int:
    """Each action card is played at most once a turn and gives at most two actions; attacks ask the other seats."""
    cards = 10 * len(options.kingdom)
    turn = 1 + 2 * cards + 2 + 10 * (seats - 1)
    return seats * options.turn_cap * turn
