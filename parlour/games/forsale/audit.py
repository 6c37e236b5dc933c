"""Check the invariants of RULES 7.2. Each check returns the first violation it finds, or None."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from parlour.games.forsale import faults
from parlour.games.forsale.faults import Entry
from parlour.games.forsale.phases import Auction
from parlour.games.forsale.setup import REMOVED

if TYPE_CHECKING:
    from parlour.games.forsale.rules import State

Finding: TypeAlias = tuple[Entry, str, Mapping[str, int | str]]

COSTLY = __debug__
"""Whether to run the slow checks: a sixth of the engine's time. `python -O` turns them off."""
GAME_SIDE: Final = -1
"""The `pid` of an error that belongs to no player."""
ALL_ESTATES: Final = list(range(1, 31))
ALL_CHEQUES: Final = 238


def money(state: "State") -> Finding | None:
    """I1 and I2: coins are conserved, and every bid is covered."""
    coins = state.coins
    if sum(coins) + state.bank != state.start * state.seats:
        words = f"{sum(coins)} coins and {state.bank} in the bank, of {state.start * state.seats}"
        return faults.MONEY_MISMATCH, words, {"pid": GAME_SIDE}
    phase = state.phase
    if isinstance(phase, Auction):
        bids = phase.bids
        if phase.record != max(bids):
            return faults.MONEY_MISMATCH, f"a record of {phase.record} above bids of {bids}", {"pid": GAME_SIDE}
        for seat in phase.inside if COSTLY else ():
            if not 0 <= bids[seat] <= coins[seat]:
                words = f"a bid of {bids[seat]} out of {coins[seat]} coins"
                return faults.MONEY_MISMATCH, words, {"pid": seat}
    return None


def estates(state: "State") -> Finding | None:
    """I5: every estate is in exactly one place."""
    found = state.phase.market + state.estate_deck + state.removed_estates
    for hand in state.hands:
        found += hand
    found.sort()
    if found != ALL_ESTATES:
        return faults.WRONG_ESTATE_SIZE, f"{found} are not the thirty estates", {"pid": GAME_SIDE}
    return None


def auction(state: "State") -> Finding | None:
    """I4: after round r each seat holds r estates and the market is empty."""
    market = state.phase.market
    if market:
        facts: dict[str, int | str] = {"len(market)": len(market), "market_raw": str(market)}
        return faults.NON_EMPTY_MARKET, f"{market} left over", facts
    for seat, hand in enumerate(state.hands):
        if len(hand) != state.round:
            return faults.WRONG_ESTATE_SIZE, f"{len(hand)} estates after round {state.round}", {"pid": seat}
    in_play = len(ALL_ESTATES) - REMOVED[state.seats]
    if len(state.estate_deck) != in_play - state.seats * state.round:
        words = f"{len(state.estate_deck)} estates undealt after round {state.round}"
        return faults.WRONG_ESTATE_SIZE, words, {"pid": GAME_SIDE}
    return None


def end(state: "State") -> Finding | None:
    """I6 and I7: at the end hands are empty, and the scores add up."""
    for seat, hand in enumerate(state.hands):
        if hand:
            return faults.MONEY_MISMATCH, f"estates {hand} left unsold", {"pid": seat}
    won = sum(map(sum, state.cheques))
    in_play = ALL_CHEQUES - sum(state.removed_cheques)
    if won != in_play:
        return faults.MONEY_MISMATCH, f"cheques of {won} won, of {in_play}", {"pid": GAME_SIDE}
    result = state.result()
    total = in_play + state.start * state.seats - state.bank
    if result is None or sum(result.scores) != total:
        return faults.MONEY_MISMATCH, f"scores of {result}, of {total} in all", {"pid": GAME_SIDE}
    return None
