"""What must hold after every event; the first thing that does not is a finding (RULES 7.2)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from parlour.games.forsale import faults
from parlour.games.forsale.faults import Entry
from parlour.games.forsale.phases import Auction
from parlour.games.forsale.setup import REMOVED

if TYPE_CHECKING:
    from parlour.games.forsale.rules import State

Finding: TypeAlias = tuple[Entry, str, Mapping[str, int | str]]

COSTLY = __debug__
"""Whether every estate and coin is counted every time. A sixth of the engine's time; `python -O` leaves it out."""
GAME_SIDE = -1
ALL_ESTATES = list(range(1, 31))
ALL_CHEQUES = 238


def money(state: "State") -> Finding | None:
    """No coin is made or lost, and nobody bids what they do not have."""
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
    """Every estate is in just one place."""
    there = state.phase.market + state.estate_deck + state.removed_estates
    for hand in state.hands:
        there += hand
    there.sort()
    if there != ALL_ESTATES:
        return faults.WRONG_ESTATE_SIZE, f"{there} are not the thirty estates", {"pid": GAME_SIDE}
    return None


def auction(state: "State") -> Finding | None:
    """After a round everybody has one estate more, and the market is empty."""
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
    """At the end all is sold, and scores are cheques and coins and nothing else."""
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
