"""Build the view of a seat or a spectator."""

from typing import TYPE_CHECKING

from parlour.core import By
from parlour.games.dominion.values import Area, View

if TYPE_CHECKING:
    from parlour.games.dominion.rules import State


def view(state: "State", who: By) -> View:
    """RULES 8. Positional arguments, because they are faster and every decision needs a view."""
    own = None if who is None else state.holdings[who]
    turns, gone = state.turns, state.gone
    areas = [
        Area(
            turns[seat],
            len(held.hand),
            len(held.deck),
            len(held.discard),
            held.discard[-1] if held.discard else None,
            seat in gone,
        )
        for seat, held in enumerate(state.holdings)
    ]
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
        tuple(areas),
        state.over,
    )
