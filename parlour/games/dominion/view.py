"""What a seat may see, filled from nothing."""

from typing import TYPE_CHECKING

from parlour.core import By, Seat
from parlour.games.dominion.values import Area, View

if TYPE_CHECKING:
    from parlour.games.dominion.rules import State


def view(state: "State", who: By) -> View:
    """RULES 8. Named by place and not by keyword, because every decision needs one."""
    own = None if who is None else state.holdings[who]
    return View(
        who,
        state.turn,
        state.actions,
        state.buys,
        state.money,
        () if own is None else tuple(own.hand),
        tuple(state.played),
        tuple(state.gained),
        tuple(state.bought),
        state.victim() if state.steps else None,
        state.supply.copy(),
        tuple(state.trash),
        {} if own is None else own.owned.copy(),
        tuple([area(state, seat) for seat in range(state.seats)]),
        state.over,
    )


def area(state: "State", seat: Seat) -> Area:
    held = state.holdings[seat]
    top = held.discard[-1] if held.discard else None
    return Area(state.turns[seat], len(held.hand), len(held.deck), len(held.discard), top, seat in state.gone)
