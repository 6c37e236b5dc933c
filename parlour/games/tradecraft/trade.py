"""Check proposals (RULES 3)."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.core import IllegalAction, Seat
from parlour.games.tradecraft.amounts import Items, read_items
from parlour.games.tradecraft.values import Propose


def trade(hands: Sequence[Items], seat: Seat, said: Propose) -> tuple[Items, Items]:
    """Offer and request of a valid proposal; raises IllegalAction."""
    partner = said.partner
    if not 0 <= partner < len(hands):
        raise invalid(f"there is no player at seat {partner}")
    if partner == seat:
        raise invalid("a trade is between two players")
    offer, request = whole_items("offer", said.offer), whole_items("request", said.request)
    facts = {f"offer {item}": int(hands[seat].get(item, 0) >= amount) for item, amount in offer.items()}
    facts |= {f"request {item}": int(hands[partner].get(item, 0) >= amount) for item, amount in request.items()}
    if short := [what for what, enough in facts.items() if not enough]:
        raise invalid(f"there is not enough in hand for: {', '.join(short)[:200]}", facts)
    return offer, request


def whole_items(what: str, said: Mapping[str, Any]) -> Items:
    """Read items to be traded; amounts must be positive and whole (RULES 3.4)."""
    try:
        items = read_items(said)
    except ValueError as e:
        raise invalid(f"{what}: {e}") from None
    if parts := [item for item, amount in items.items() if amount.denominator > 1]:
        raise invalid(f"{what}: {parts[0]}: only whole amounts are traded")
    return items


def invalid(words: str, facts: Mapping[str, int] | None = None) -> IllegalAction:
    return IllegalAction("proposal_invalid", f"propose: {words}", facts or {})
