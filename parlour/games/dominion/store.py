"""The stored file of a match: requests, replies and events as newline-delimited JSON (RULES 10)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from parlour.core import Asked, By, Event, Fault, Leave, Message, Over, Result, Scribe, Seat
from parlour.core.values import Value
from parlour.games.dominion.cards import CARDS, WORTH
from parlour.games.dominion.messages import (
    NUMBERS,
    STORED,
    Fields,
    event_messages,
    game_end,
    game_info,
    ordered,
    request,
    supply_info,
)
from parlour.games.dominion.values import AnswerAttack, Buy, CleanUp, Discard, Play, Reveal, TakeTurn, View

encode = msgspec.json.Encoder().encode

CHOICES = {"discard": "cards", "trash": "card_to_trash", "gain": "desired_card"}
"""Fields of Play and their names in the protocol."""


class Stored(Scribe):
    """Writes the file. It contains all hands, so while the match runs only the host may read it."""

    def __init__(self) -> None:
        self._supply: dict[str, int] = {}
        self._asked: Asked | None = None
        self._hand: tuple[str, ...] = ()

    def began(self, names: Sequence[str], view: Value) -> list[Message]:
        assert isinstance(view, View)
        self._supply = ordered(view.supply, STORED)
        players = [
            {"type": "player-name", "player_number": NUMBERS[seat], "name": name} for seat, name in enumerate(names)
        ]
        return [
            encode(fields)
            for fields in (*players, game_info(names, self._supply, STORED), supply_info(self._supply, STORED))
        ]

    def asked(self, asked: Asked, view: Value) -> list[Message]:
        assert isinstance(view, View) and isinstance(asked.ask, TakeTurn | AnswerAttack)
        self._asked, self._hand = asked, view.hand
        return [encode(_numbered(request(asked.ask, view, STORED), asked.seat))]

    def took(self, by: By, action: Any, fault: Fault | None) -> list[Message]:
        """Write the reply from the recorded action, so that it looks the same for every protocol."""
        seat = action.seat if isinstance(action, Leave) else by
        if self._asked is None or seat != self._asked.seat:
            return []
        self._asked = None
        fields = self._reply(action, fault)
        return [encode(_numbered(fields, seat))]

    def _reply(self, action: Any, fault: Fault | None) -> Fields:
        if fault is not None and fault.kind in ("illegal", "unreadable"):
            return {"type": "invalid-reply", "reason": fault.words}
        match action:
            case Play(card=card) if fault is None:
                return {
                    "type": "play-reply",
                    "phase": "action",
                    "card": card,
                    "additional_parameters": _choices(action),
                }
            case Buy(cards=cards, treasures=treasures):
                played = treasures if treasures is not None else [card for card in self._hand if card in WORTH]
                return {"type": "play-reply", "phase": "buy", "played_treasures": played, "cards_to_buy": cards}
            case CleanUp(top=top):
                fields = {"type": "play-reply", "phase": "cleanup"}
                return fields if top is None else {**fields, "top_discard": top}
            case Discard(cards=cards):
                return {"type": "attack-reply", "discard": cards}
            case Reveal(card=card):
                return {"type": "attack-reply-reaction", "reaction": card}
            case _:
                return {"type": "no-reply"}

    def event(self, event: Event) -> list[Message]:
        return [encode(fields) for fields in event_messages(event, self._supply, STORED)]

    def over(self, over: Over) -> list[Message]:
        return [encode(game_end(over.end))] if isinstance(over.end, Result) else []


def _numbered(fields: Fields, seat: Seat) -> Fields:
    """Insert the player's number after the type."""
    return {"type": fields["type"], "player_number": NUMBERS[seat], **fields}


def _choices(play: Play) -> Fields:
    said = {choice: getattr(play, choice) for choice in CARDS[play.card].choices}
    return {CHOICES[choice]: card for choice, card in said.items() if card is not None}
