"""Build the view of a seat or a spectator."""

from typing import TYPE_CHECKING

from parlour.core import By
from parlour.games.forsale.phases import Auction
from parlour.games.forsale.values import View

if TYPE_CHECKING:
    from parlour.games.forsale.rules import State


def view(state: "State", who: By) -> View:
    """RULES 5. A view does not show which seats have already chosen in a sale (5.3).

    Positional arguments, because they are faster and every decision needs a view."""
    phase, seats, over = state.phase, state.seats, state.over
    auction = phase if isinstance(phase, Auction) and not over else None
    coins: list[int | None] = [*state.coins] if state.options.balances == "open" else [None] * seats
    if who is not None:
        coins[who] = state.coins[who]
    return View(
        who,
        3 if over else 1 if auction else 2,
        state.round,
        11 - seats,
        () if over else tuple(phase.market),
        auction.turn if auction else None,
        auction.record if auction else 0,
        tuple(auction.bids) if auction else (0,) * seats,
        tuple(auction.inside) if auction else (),
        tuple(coins),
        () if who is None else tuple(sorted(state.hands[who])),
        () if who is None else tuple(state.cheques[who]),
    )
