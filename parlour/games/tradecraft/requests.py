"""Convert incoming messages of the game's own protocol to actions (RULES 11)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

from parlour.core import BadMessage, Seat
from parlour.games.tradecraft.amounts import Written, read_items, written
from parlour.games.tradecraft.values import MOST_TEXT, Check, Decide, Propose

YES: frozenset[str] = frozenset(["accept"])


def proposal(said: Mapping[str, Any], message: object, names: Sequence[str], me: Seat) -> Propose:
    """`self` and an empty side are optional; all other errors raise BadMessage (RULES 3.2)."""
    own, partner = said.get("self"), said.get("partner")
    if own is not None and own != names[me]:
        raise BadMessage("proposal_invalid", f"self: that is not your name; your name is {names[me]}")
    if not isinstance(partner, str) or partner not in names:
        raise BadMessage("proposal_invalid", "partner: there is nobody of that name")
    offer, request = _side(said, "offer"), _side(said, "request")
    return Propose(names.index(partner), offer, request, _text(message, "proposal_invalid"))


def _side(said: Mapping[str, Any], side: Literal["offer", "request"]) -> Written:
    items = said.get(side)
    try:
        return {} if items is None else written(read_items(items))
    except ValueError as e:
        raise BadMessage("proposal_invalid", f"{side}: {e}") from None


def _text(message: object, code: str) -> str:
    if message is None:
        return ""
    if not isinstance(message, str) or len(message) > MOST_TEXT:
        raise BadMessage(code, f"message: a text of at most {MOST_TEXT} characters")
    return message


def decision(word: object, message: object, yes: Collection[str] = YES) -> Decide:
    """Only exact words are accepted (RULES 4.4)."""
    if word == "reject":
        return Decide("reject", _text(message, "decision_invalid"))
    if isinstance(word, str) and word in yes:
        return Decide("accept", _text(message, "decision_invalid"))
    raise BadMessage("decision_invalid", "decision: accept or reject")


def recipe(said: Mapping[str, Any]) -> tuple[Check, str]:
    """A recipe. An unreadable one gives an empty recipe and the reason; the check then has code 1 (RULES 6.12)."""
    try:
        return Check(_part(said, "input"), _part(said, "output")), ""
    except ValueError as e:
        return Check({}, {}), str(e)


def _part(said: Mapping[str, Any], part: Literal["input", "output"]) -> Written:
    if said.get(part) is None:
        raise ValueError(f"there is no {part}")
    return written(read_items(said[part]))
