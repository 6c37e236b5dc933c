"""What a seat may see, filled from nothing."""

from typing import TYPE_CHECKING

from liars_dice.values import View
from parlour.core import By

if TYPE_CHECKING:
    from liars_dice.rules import State


def view(state: "State", who: By) -> View:
    """Of the dice that lie under the cups now, a seat sees only its own."""
    return View(
        seat=who,
        round=state.round,
        turn=state.turn if state.result() is None else None,
        hand=() if who is None else state.cups[who],
        counts=tuple(map(len, state.cups)),
        bids=tuple(state.bids),
        gone=tuple(state.gone),
        went_out=tuple(state.went_out),
        wild_ones=state.options.wild_ones,
        revealed=state.revealed,
    )
