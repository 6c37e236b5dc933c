"""Outgoing messages of the game's own protocol: each is an event's name and a plain object (RULES 11).

Lines, WebSockets and Socket.IO differ in the framing, and in how amounts and items are written.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from parlour.core import Seat
from parlour.games.tradecraft.amounts import PREFIX, Amount
from parlour.games.tradecraft.values import (
    Accepted,
    Answered,
    Applied,
    Checked,
    Decided,
    Finished,
    HandsShown,
    Happening,
    Left,
    Phase,
    Proposed,
    Rejected,
    TurnBegan,
    View,
)

Body: TypeAlias = dict[str, Any]
Told: TypeAlias = tuple[str, Body]
"""A message: an event's name and its content."""


class Style(Struct, frozen=True):
    """How amounts and items are written."""

    amount: Callable[[Amount], Any]
    item: Callable[[str], str]

    def items(self, items: Mapping[str, Amount]) -> Body:
        return {self.item(item): self.amount(amount) for item, amount in items.items()}

    def hands(self, hands: Sequence[Mapping[str, Amount]]) -> list[Body]:
        return [self.items(hand) for hand in hands]


def pair(amount: Amount) -> dict[str, int]:
    """`{"n": 1, "d": 2}`."""
    n, _, d = str(amount).partition("/")
    return {"n": int(n), "d": int(d or 1)}


SHORT = Style(amount=lambda amount: amount, item=lambda item: item)
"""For lines: 3 or "1/2", and names without the prefix."""
LONG = Style(amount=pair, item=lambda item: PREFIX + item)
"""For Socket.IO: {"n": 1, "d": 2}, and names with the prefix."""


class Teller(Struct, frozen=True):
    """Makes the messages for one player. `names` are the names of all players at the table."""

    names: Sequence[str]
    me: Seat
    max_turn: int
    style: Style = SHORT

    def started(self, view: View) -> list[Told]:
        """The messages at the start. A player who reconnects also gets all earlier messages, each once and in order.

        The history does not contain the first hands and the first turn, and a long one is cut. Any part of the current
        state that it does not contain is older than everything in it."""
        start: list[Told] = [
            ("game_start", {"player_list": list(self.names)}),
            ("private_start_info", self._own(view)),
        ]
        if not any(isinstance(event, HandsShown) for event in view.history):
            start.append(self._hands(view.hands))
        if not any(isinstance(event, TurnBegan) and event.turn == view.turn for event in view.history):
            start.append(self._turn(view.turn, view.proposer))
        past = [told for event in view.history for told in self.happened(event)]
        return start + past + self._untold(view)

    def _own(self, view: View) -> Body:
        return {"index": self.me, "username": self.names[self.me], "target": self.style.items(view.target)}

    def _untold(self, view: View) -> list[Told]:
        """The open proposal or the player's hand, unless the history contains it."""
        begun = [place for place, event in enumerate(view.history) if isinstance(event, TurnBegan)]
        turn = view.history[begun[-1] + 1 if begun else 0 :]
        if view.proposal is not None:
            return [] if view.proposal in turn else self.happened(view.proposal)
        is_told = any(isinstance(event, Applied | Finished) and event.hand is not None for event in turn)
        return [] if is_told or view.hand == view.hands[self.me] else [self._hand(view.hand)]

    def happened(self, event: Happening) -> list[Told]:
        """The messages for an event, as this player sees it."""
        names, items = self.names, self.style.items
        match event:
            case TurnBegan(turn=turn, proposer=proposer):
                return [self._turn(turn, proposer)]
            case Proposed(proposer=proposer):
                return [("proposal_sent", {"proposer": names[proposer]}), *self._proposal(event)]
            case Answered(proposer=proposer, partner=partner, message=message):
                reply = {"from": names[partner], "to": names[proposer], "message": message}
                return [("proposal_reply_message", reply)] if proposer == self.me else []
            case Accepted():
                return [("proposal_accepted", {"proposal": self._trade(event)})]
            case Rejected(proposer=proposer):
                words = f"{names[proposer]}'s proposal is rejected"
                return [("proposal_rejected", {"proposer": names[proposer], "message": words})]
            case HandsShown(hands=hands):
                return [self._hands(hands)]
            case Checked(code=code, recipe=recipe, reason=reason, returns=returns):
                verdict = {"result": code == 0, "return_code": code, "recipe": recipe, "reason": reason}
                return [("craft_recipe_validity", {**verdict, "returns": items(returns)})]
            case Applied(hand=hand):
                return [self._hand(hand)]
            case Finished(seat=seat, hand=own):
                done: Told = ("player_craft_done", {"username": names[seat]})
                return [done] if own is None else [done, self._hand(own)]
            case Left(seat=seat, why=why):
                return [("player_leave_room", {"playername": names[seat], "reason": why, "player_list": list(names)})]
            case Decided():
                return [self._over(event)]

    def invalid(self, what: str, said: Mapping[str, Any], errmsg: str, facts: Mapping[str, int | str]) -> Told:
        """A refusal with the refused message; for a proposal also, for each item, whether there is enough."""
        body = {**said, "errmsg": errmsg}
        found = [(key.partition(" "), bool(enough)) for key, enough in facts.items() if " " in key]
        if found:
            body["reason"] = {
                side: {self.style.item(item): enough for (where, _, item), enough in found if where == side}
                for side in ("offer", "request")
            }
        return what, body

    def _turn(self, turn: int, proposer: Seat) -> Told:
        body = {"turn_index": turn, "max_turn": self.max_turn, "proposer": self.names[proposer]}
        return "start_proposal", body

    def _proposal(self, event: Proposed) -> list[Told]:
        if event.partner != self.me:
            return []
        return [("proposal", {"proposal": self._trade(event), "message": event.message})]

    def _trade(self, event: Proposed | Accepted) -> Body:
        partner = None if event.partner is None else self.names[event.partner]
        offer, request = self.style.items(event.offer), self.style.items(event.request)
        return {"self": self.names[event.proposer], "partner": partner, "offer": offer, "request": request}

    def _hands(self, hands: Sequence[Mapping[str, Amount]]) -> Told:
        return "update_all_hands", {"hands": self.style.hands(hands), "player_list": list(self.names)}

    def _hand(self, hand: Mapping[str, Amount]) -> Told:
        return "private_hand_change", {"hand": self.style.items(hand)}

    def _over(self, event: Decided) -> Told:
        points = 3 if len(event.winners) == 1 else 1
        won = {name: seat in event.winners for seat, name in enumerate(self.names)}
        body = {
            "reason": "win" if event.winners else "all lose",
            "targets": self.style.hands(event.targets),
            "win-status": won,
            "scores": {name: points * winner for name, winner in won.items()},
            "action_queue": list(self.names),
        }
        return "game_over", body


def phase_error(phase: Phase, incoming: str) -> Told:
    return "phase_error", {"phase": phase, "incoming": incoming}


def table_names(names: Sequence[str]) -> list[str]:
    """Unique names: later players with the same name get a number."""
    known: list[str] = []
    for name in names:
        number, unique = 1, name
        while unique in known:
            number += 1
            unique = f"{name} {number}"
        known.append(unique)
    return known
