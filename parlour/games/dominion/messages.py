"""What the referee says in the game's own protocol, in the shapes that are about."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from parlour.core import Event, Result, Seat
from parlour.games.dominion.cards import CARDS, KINGDOM
from parlour.games.dominion.values import (
    AnswerAttack,
    CleanedUp,
    Discarded,
    Gained,
    Revealed,
    Shuffled,
    TakeTurn,
    Trashed,
    View,
)

VERSION = 1

Told: TypeAlias = dict[str, Any]
"""A message before it is JSON."""

_EXPECTED = [
    "province",
    "copper",
    "cellar",
    "smithy",
    "estate",
    "gold",
    "curse",
    "duchy",
    "mine",
    "remodel",
    "workshop",
    "militia",
    "village",
    "woodcutter",
    "moat",
    "silver",
    "market",
]
PILES = (*_EXPECTED, *(card for card in CARDS if card not in _EXPECTED))
"""The supply as bots expect it: some buy the first pile of it that they can pay (RULES 9.4)."""


class Shape(Struct, frozen=True, kw_only=True):
    """In what the forms of the protocol differ."""

    listed: bool
    """Whether the supply is a list and a gained card a word; otherwise a map, and a list of one."""
    gained: bool
    """Whether a turn also tells of cards that were gained without being bought."""
    discards: bool
    """Whether an attack also says under another name how many cards to discard."""


PUBLIC = Shape(listed=False, gained=True, discards=True)
"""What the bots that are about need."""
TEXT = Shape(listed=True, gained=False, discards=False)
"""To the letter of the protocol's text."""
STORED = Shape(listed=True, gained=True, discards=False)
"""As a match is kept."""


def number(seat: Seat) -> str:
    return f"player{seat + 1}"


def game_info(names: tuple[str, ...] | None = None) -> Told:
    told: Told = {"type": "game-info"}
    if names is not None:
        told["player_bot_names"] = names
    return {**told, "kingdom_cards": KINGDOM}


def supply_info(supply: Mapping[str, int], shape: Shape) -> Told:
    if shape.listed:
        return {"type": "supply-info", "cards": [{"card": card, "count": supply[card]} for card in CARDS]}
    return {"type": "supply-info", "cards": {card: supply[card] for card in PILES}}


def happened(event: Event, supply: dict[str, int], shape: Shape) -> list[Told]:
    """An event, if the protocol has words for it; the supply is kept up to date here (RULES 9.3)."""
    match event:
        case Gained(seat=seat, card=card):
            supply[card] -= 1
            gained = {
                "type": "player-gained",
                "player_number": number(seat),
                "gained": card if shape.listed else [card],
            }
            return [gained, supply_info(supply, shape)]
        case CleanedUp(seat=seat, played=played, top=top):
            told: list[Told] = []
            if played:
                told.append({"type": "player-played", "player_number": number(seat), "played": played})
            return told + ([top_discard(seat, top)] if top is not None else [])
        case Discarded(seat=seat, top=top):
            return [top_discard(seat, top)]
        case Trashed(seat=seat, card=card):
            return [{"type": "player-trashed", "player_number": number(seat), "trashed": [card]}]
        case Revealed(seat=seat, card=card):
            return [{"type": "player-reveal", "player_number": number(seat), "from": "hand", "cards": [card]}]
        case Shuffled(seat=seat):
            return [{"type": "player-shuffled", "player_number": number(seat)}]
        case _:
            return []


def top_discard(seat: Seat, card: str) -> Told:
    return {"type": "player-top-discard", "player_number": number(seat), "card": card}


def request(ask: TakeTurn | AnswerAttack, view: View, shape: Shape) -> Told:
    """What a bot is asked."""
    if isinstance(ask, AnswerAttack):
        told: Told = {"type": "attack-request", "discard": ask.discard, "options": view.hand}
        return {**told, "discards": ask.discard} if shape.discards else told
    told = {
        "type": "play-turn",
        "actions": ask.actions,
        "buys": ask.buys,
        "extra_money": ask.money,
        "hand": view.hand,
        "cards_played": view.played,
        "cards_bought": view.bought,
    }
    return {**told, "cards_gained": view.gained} if shape.gained else told


def game_end(result: Result) -> Told:
    winners = [number(seat) for seat, rank in enumerate(result.ranks) if rank == 1]
    return {"type": "game-end", "scores": result.scores, "winners": winners}
