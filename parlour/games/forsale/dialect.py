"""For Sale's own protocol: the referee asks with one JSON line, the player answers with one integer."""

import re
from typing import Any

import msgspec

from parlour.core import (
    Answer,
    AnswerRefused,
    Asked,
    BadMessage,
    Dialect,
    Message,
    Over,
    Place,
    Result,
    Sitting,
    Value,
)
from parlour.core.values import why_not_a_name
from parlour.games.forsale import faults
from parlour.games.forsale.rules import PASS
from parlour.games.forsale.values import Bid, BidOrPass, Options, Sell, View

INTEGER = re.compile(rb"-?[0-9]{1,9}")

encode = msgspec.json.encode


class Numbers(Dialect):
    """The protocol for one seat. Replies have no ids, so a reply answers the newest request (RULES 8.6)."""

    def __init__(self) -> None:
        self.place: Place | None = None
        self._open: Asked | None = None
        """The newest request without a reply. The referee may have closed it already."""
        self._fault: dict[str, Any] | None = None

    def began(self, place: Place, view: Value) -> list[Message]:
        self.place = place
        return []

    def asked(self, asked: Asked, view: Value) -> list[Message]:
        assert isinstance(view, View)
        self._open = asked
        auction = asked.ask if isinstance(asked.ask, BidOrPass) else None
        request = {
            "type": "response",
            "part": 1 if auction else 2,
            "round": view.round,
            "market": view.market,
            "record": auction.record if auction else 0,
            "bid": auction.bid if auction else 0,
            "coins": view.coins[asked.seat],
            "hand": view.hand,
            "attempt": asked.attempt,
            "fault": self._fault,
        }
        self._fault = None
        return [encode(request)]

    def refused(self, refused: AnswerRefused) -> list[Message]:
        """Send nothing: the next request reports the fault."""
        fault = refused.fault
        if fault.kind != "unasked" and self.place is not None:
            kind = faults.entry(fault)
            printed = faults.details(fault, self.place.match, refused.seat)
            self._fault = {"code": kind.code, "seed_code": kind.seed_code, "name": kind.name, "details": printed}
        return []

    def over(self, over: Over, view: Value) -> list[Message]:
        if isinstance(over.end, Result) and self.place is not None:
            rank = over.end.ranks[self.place.seat]
            return [encode({"type": "over", "scores": over.end.scores, "rank": rank})]
        return [encode({"type": "over", "scores": [], "rank": 0})]

    def too_big(self, most: int) -> BadMessage:
        said, asked = super().too_big(most), self._replied()
        return BadMessage(said.code, said.words, 0 if asked is None else asked.n)  # 0 is no request's number

    def read(self, raw: Message) -> Answer | None:
        """The reply as an answer to the newest request; None if that request already has a reply."""
        asked = self._replied()
        if asked is None:
            return None
        text = raw.strip()
        if not INTEGER.fullmatch(text):
            shown = text[:40].decode("utf-8", "replace")
            raise BadMessage(faults.MALFORMED.code, f"{shown!r} is not an integer of at most nine digits", asked.n)
        return Answer(self._action(int(text), asked), asked.n)

    def _replied(self) -> Asked | None:
        """The request that this reply answers; marks it as answered."""
        asked, self._open = self._open, None
        return asked

    def _action(self, number: int, asked: Asked) -> Any:
        ask = asked.ask
        if not isinstance(ask, BidOrPass):
            return Sell(number)
        options = self.place.options if self.place is not None else Options()
        if number == options.pass_code:
            return PASS
        base = {"add_to_own": ask.bid, "over_record": ask.record, "absolute": 0}[options.bid_semantics]
        amount = base + number
        return Bid(amount) if amount == number else Bid(amount, number)


class NamedNumbers(Numbers):
    """The protocol over TCP: the player's first line is its name."""

    introduces = True

    def introduced(self, raw: Message) -> Sitting:
        try:
            name = raw.decode().strip()
        except UnicodeDecodeError:
            raise BadMessage("bad_name", "the first line must be a name: this one is not UTF-8") from None
        if why := why_not_a_name(name):
            raise BadMessage("bad_name", f"the first line must be a name: {why}")
        return Sitting(name)
