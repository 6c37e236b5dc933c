"""Dominion's own protocol, version 1: one JSON object per line, one reply to each request (RULES 9)."""

from typing import Any, TypeAlias

import msgspec

from parlour.core import (
    Answer,
    Ask,
    Asked,
    BadMessage,
    Brief,
    Dialect,
    Event,
    Hello,
    Message,
    Over,
    Place,
    Result,
    Sitting,
)
from parlour.core.values import MOST_NAME, Value, plain
from parlour.games.dominion.messages import (
    NUMBERS,
    PUBLIC,
    TEXT,
    VERSION,
    Shape,
    event_messages,
    game_end,
    game_info,
    ordered,
    request,
    supply_info,
)
from parlour.games.dominion.setup import SPEAKS
from parlour.games.dominion.values import (
    MOST_CARDS,
    MOST_LETTERS,
    Action,
    AnswerAttack,
    Buy,
    CleanUp,
    Discard,
    Play,
    Reveal,
    TakeTurn,
    View,
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode

Kind: TypeAlias = type[TakeTurn] | type[AnswerAttack]

KINDS: dict[str, Kind] = {
    "play-reply": TakeTurn,
    "attack-reply": AnswerAttack,
    "attack-reply-reaction": AnswerAttack,
}


class Lines(Dialect):
    """The protocol for one seat, in the shape that existing bots need."""

    introduces = True
    shape: Shape = PUBLIC
    # Some bots never answer an attack, so its time limit is short, and shorter after a timeout (RULES 9.6).
    briefs = {"AnswerAttack": Brief(1000, 100)}

    def __init__(self) -> None:
        self._number = ""
        self._supply: dict[str, int] = {}
        self._turn = 0
        self._open: Asked | None = None
        """The newest request without a reply. The referee may have closed it already."""
        self._unanswered: list[Asked] = []
        """All requests without a reply, oldest first. Replies to expired ones may still come."""
        self._doubtful: dict[type[Ask[Any]], Asked] = {}
        """By kind, the last request whose reply may have been meant for an earlier one; its own may still come."""

    # Handshake (RULES 9.2)

    def hello(self, hello: Hello) -> list[Message]:
        self._number = NUMBERS[hello.seat]
        return [encode({"type": "player-name-request", "player_number": self._number, "version": VERSION})]

    def introduced(self, raw: Message) -> Sitting:
        """A bad name is replaced by a default; a bad version is refused."""
        said = _object(raw)
        if said.get("type") != "player-name-reply" or said.get("player_number") != self._number:
            return self.absent()
        if _version(said.get("version")) < VERSION:
            raise BadMessage("bad_version", f"a player-name-reply must state a version of at least {VERSION}")
        name = said.get("name")
        name = plain(name, MOST_NAME).strip() if isinstance(name, str) else ""
        return Sitting(name, "", {SPEAKS: VERSION}) if name else self.absent()

    def absent(self) -> Sitting:
        return Sitting(self._number.upper(), "", {SPEAKS: VERSION})

    # From the referee

    def began(self, place: Place, view: Value) -> list[Message]:
        assert isinstance(view, View)
        self._supply = ordered(view.supply, self.shape)
        return [
            encode(game_info(place.players, self._supply, self.shape)),
            encode(supply_info(self._supply, self.shape)),
        ]

    def event(self, seen: Event) -> list[Message]:
        return [encode(fields) for fields in event_messages(seen, self._supply, self.shape)]

    def asked(self, asked: Asked, view: Value) -> list[Message]:
        assert isinstance(view, View) and isinstance(asked.ask, TakeTurn | AnswerAttack)
        self._open = asked
        self._unanswered.append(asked)
        messages = [encode(request(asked.ask, view, self.shape))]
        turn = view.areas[asked.seat].turns
        if isinstance(asked.ask, TakeTurn) and turn != self._turn:
            self._turn = turn
            messages.insert(0, encode(supply_info(self._supply, self.shape)))
        return messages

    def over(self, over: Over, view: Value) -> list[Message]:
        return [encode(game_end(over.end))] if isinstance(over.end, Result) else []

    # From the bot

    def too_big(self, most: int) -> BadMessage:
        said = super().too_big(most)
        return self._unusable(said.code, said.words)

    def read(self, raw: Message) -> Answer | None:
        """The reply to the open request, or a late reply to a closed one; None if no reply was due (RULES 9.7)."""
        said = _object(raw)
        type_ = said.get("type")
        kind = KINDS.get(type_) if isinstance(type_, str) else None
        asked = self._open
        if asked is not None and not said:
            raise self._unusable("not_json", "not a JSON object, or an empty one")
        settled = None if kind is None else self._settle(kind)
        if asked is not None and kind is type(asked.ask):
            self._answer(asked, settled)
            return Answer(_action(said, asked), asked.n)
        if settled is not None:
            return Answer(_action(said, settled), settled.n)
        if asked is None:
            return None
        fitting = [name for name, answers in KINDS.items() if answers is type(asked.ask)]
        raise self._unusable("wrong_type", f"the type must be {' or '.join(fitting)}")

    def _settle(self, kind: Kind) -> Asked | None:
        """Mark the oldest unanswered request of this kind as answered; requests before it were left unanswered."""
        for place, asked in enumerate(self._unanswered):
            if isinstance(asked.ask, kind):
                del self._unanswered[: place + 1]
                return asked
        return None

    def _answer(self, asked: Asked, settled: Asked | None) -> None:
        """Close the open request. If its reply settled an older request, the bot may be one reply behind (RULES 9.7).

        If that happens twice in a row for one kind, the bot is not behind: it only left one request unanswered.
        """
        self._open = None
        if settled is asked:
            return
        kind, waiting = type(asked.ask), (settled, *self._unanswered)
        doubtful = self._doubtful.pop(kind, None)
        if doubtful is not None and any(request is doubtful for request in waiting):
            self._unanswered.clear()  # the open request is the newest
        else:
            self._doubtful[kind] = asked

    def _unusable(self, code: str, words: str) -> BadMessage:
        """An unusable reply counts for the open request, or for none (0 is no request's number)."""
        n = 0 if self._open is None else self._open.n
        self._open = None
        self._unanswered.clear()
        return BadMessage(code, words, n)


class TextLines(Lines):
    """The protocol in the shape `text` (RULES 9.8)."""

    shape = TEXT


def _object(raw: Message) -> dict[str, Any]:
    """The JSON object; empty if the message is anything else."""
    try:
        said = decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _version(said: Any) -> float:
    """The stated version, as a number or a string of digits; 0 for anything else."""
    if isinstance(said, str) and said.isascii() and said.isdecimal() and len(said) < 10:
        return int(said)
    return said if isinstance(said, int | float) and not isinstance(said, bool) else 0


def _action(said: dict[str, Any], asked: Asked) -> Action:
    """Wrong values become the card "", which nobody has, so that the rules set the price."""
    if isinstance(asked.ask, AnswerAttack):
        reacts = said["type"] == "attack-reply-reaction"
        return Reveal(_card(said.get("reaction"))) if reacts else Discard(_cards(said.get("discard")))
    match said.get("phase"):
        case "buy":
            return Buy(_cards(said.get("cards_to_buy")), _cards(said.get("played_treasures")))
        case "cleanup":
            return CleanUp(_card_or_none(said.get("top_discard")))
        case "action":
            given = said.get("additional_parameters")
            choices = given if isinstance(given, dict) else {}
            return Play(
                _card(said.get("card")),
                _cards(choices.get("cards")),
                _card_or_none(choices.get("card_to_trash")),
                _card_or_none(choices.get("desired_card")),
            )
    raise BadMessage("wrong_phase", "a play-reply is for the phase action, buy or cleanup", asked.n)


def _card(said: Any) -> str:
    return said if isinstance(said, str) and len(said) <= MOST_LETTERS else ""


def _card_or_none(said: Any) -> str | None:
    return None if said is None else _card(said)


def _cards(said: Any) -> tuple[str, ...]:
    return tuple([_card(card) for card in said[:MOST_CARDS]]) if isinstance(said, list) else ()
