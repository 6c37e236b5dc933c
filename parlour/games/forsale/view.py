"""Build the view of a seat or a spectator."""

from typing import TYPE_CHECKING

from parlour.core import By
from parlour.games.forsale.phases import Auction
from parlour.games.forsale.values import View

if TYPE_CHECKING:
    from parlour.games.forsale.rules import State


def view(state: "State", who: By) -> View:
    """RULES 5. A view does not show which seats have already chosen in a sale (5.3)."""
    phase = state.phase
    auction = phase if isinstance(phase, Auction) and not state.over else None
    coins: list[int | None] = [*state.coins] if state.options.balances == "open" else [None] * state.seats
    if who is not None:
        coins[who] = state.coins[who]
    return View(
        seat=who,
        part=3 if state.over else 1 if auction else 2,
        round=state.round,
        rounds=11 - state.seats,
        market=() if state.over else tuple(phase.market),
        turn=auction.turn if auction else None,
        record=auction.record if auction else 0,
        bids=tuple(auction.bids) if auction else (0,) * state.seats,
        inside=tuple(auction.inside) if auction else (),
        coins=tuple(coins),
        hand=() if who is None else tuple(sorted(state.hands[who])),
        cheques=() if who is None else tuple(state.cheques[who]),
    )
