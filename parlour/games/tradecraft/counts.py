"""Counts for an evaluation: offers made and accepted, and gains by trades."""

from collections.abc import Mapping, Sequence

from parlour.core import Event, Seat
from parlour.games.tradecraft.planner import nearer, own_plan
from parlour.games.tradecraft.plans import UNIT
from parlour.games.tradecraft.values import Accepted, Proposed, View


def counts(event: Event, before: Sequence[View], after: Sequence[View]) -> Mapping[Seat, Mapping[str, int]]:
    """The counts that an event adds for each seat. A proposal of nothing for nothing is no offer."""
    match event:
        case Proposed(proposer=proposer, offer=offer, request=request) if offer or request:
            return {proposer: {"offers made": 1}}
        case Accepted(proposer=proposer, partner=partner, offer=offer, request=request) if offer or request:
            return {
                proposer: {"offers accepted": 1, _change(before[proposer], after[proposer]): 1},
                partner: {"offers taken": 1, _change(before[partner], after[partner]): 1},
            }
    return {}


def _change(before: View, after: View) -> str:
    """Whether a trade brought a seat nearer to its target, by the planner's measure."""
    now, then = own_plan(before), own_plan(after)
    if nearer(now, then, UNIT):
        return "trades it gained by"
    return "trades it lost by" if nearer(then, now, UNIT) else "trades of no effect"
