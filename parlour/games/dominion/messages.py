"""The referee's messages in the game's own protocol."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from parlour.core import Event, Result
from parlour.games.dominion.cards import CARDS, KINGDOM
from parlour.games.dominion.setup import SEATS
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

Fields: TypeAlias = dict[str, Any]
"""A message before it is encoded."""

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
"""The supply order that bots expect: some buy the first pile they can afford (RULES 9.4)."""


class Shape(Struct, frozen=True, kw_only=True):
    """How the shapes of the protocol differ (RULES 9.8)."""

    listed: bool
    """Whether the supply is a list and a gained card a string, instead of a map and a list of one card."""
    gained: bool
    """Whether `play-turn` has `cards_gained`."""
    discards: bool
    """Whether `attack-request` repeats `discard` as `discards`."""
    names: bool
    """Whether `game-info` lists the names of all bots."""


PUBLIC = Shape(listed=False, gained=True, discards=True, names=True)
"""For existing bots."""
TEXT = Shape(listed=True, gained=False, discards=False, names=False)
"""Exactly as the source text has it."""
STORED = Shape(listed=True, gained=True, discards=False, names=False)
"""For the stored file (RULES 10)."""


NUMBERS = tuple(f"player{seat + 1}" for seat in range(SEATS[-1]))


def game_info(names: Sequence[str], supply: Mapping[str, int], shape: Shape) -> Fields:
    fields: Fields = {"type": "game-info"}
    if shape.names:
        fields["player_bot_names"] = names
    return {**fields, "kingdom_cards": [card for card in KINGDOM if card in supply]}


def ordered(supply: Mapping[str, int], shape: Shape) -> dict[str, int]:
    """The supply in the order of this shape; `supply_info` keeps the order."""
    return {card: supply[card] for card in (CARDS if shape.listed else PILES) if card in supply}


def supply_info(supply: dict[str, int], shape: Shape) -> Fields:
    if shape.listed:
        return {"type": "supply-info", "cards": [{"card": card, "count": count} for card, count in supply.items()]}
    return {"type": "supply-info", "cards": supply}


# Messages about events (RULES 9.3)


def event_messages(event: Event, supply: dict[str, int], shape: Shape) -> list[Fields]:
    """The messages for an event, if any; also updates `supply`."""
    if isinstance(event, Gained):
        supply[event.card] -= 1
        gained = event.card if shape.listed else [event.card]
        fields = {"type": "player-gained", "player_number": NUMBERS[event.seat], "gained": gained}
        return [fields, supply_info(supply, shape)]
    writer = WRITERS.get(type(event))
    return [] if writer is None else writer(event)


def cleaned_up(event: CleanedUp) -> list[Fields]:
    messages: list[Fields] = []
    if event.played:
        messages.append({"type": "player-played", "player_number": NUMBERS[event.seat], "played": event.played})
    return messages if event.top is None else [*messages, *top_discard(event)]


def top_discard(event: CleanedUp | Discarded) -> list[Fields]:
    return [{"type": "player-top-discard", "player_number": NUMBERS[event.seat], "card": event.top}]


def trashed(event: Trashed) -> list[Fields]:
    return [{"type": "player-trashed", "player_number": NUMBERS[event.seat], "trashed": [event.card]}]


def revealed(event: Revealed) -> list[Fields]:
    return [{"type": "player-reveal", "player_number": NUMBERS[event.seat], "from": "hand", "cards": [event.card]}]


def shuffled(event: Shuffled) -> list[Fields]:
    return [{"type": "player-shuffled", "player_number": NUMBERS[event.seat]}]


WRITERS: dict[type[Event], Callable[[Any], list[Fields]]] = {
    CleanedUp: cleaned_up,
    Discarded: top_discard,
    Trashed: trashed,
    Revealed: revealed,
    Shuffled: shuffled,
}


def request(ask: TakeTurn | AnswerAttack, view: View, shape: Shape) -> Fields:
    if isinstance(ask, AnswerAttack):
        fields: Fields = {"type": "attack-request", "discard": ask.discard, "options": view.hand}
        if shape.discards:
            fields["discards"] = ask.discard
        return fields
    fields = {
        "type": "play-turn",
        "actions": ask.actions,
        "buys": ask.buys,
        "extra_money": ask.money,
        "hand": view.hand,
        "cards_played": view.played,
        "cards_bought": view.bought,
    }
    if shape.gained:
        fields["cards_gained"] = view.gained
    return fields


def game_end(result: Result) -> Fields:
    winners = [NUMBERS[seat] for seat, rank in enumerate(result.ranks) if rank == 1]
    return {"type": "game-end", "scores": result.scores, "winners": winners}
