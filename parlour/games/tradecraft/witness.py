"""Proof that a problem can be solved: trades, and what each seat crafts after them."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from parlour.core import Seat
from parlour.games.tradecraft.solver import Step


class Trade(Struct, frozen=True):
    """The trade of one turn."""

    proposer: Seat
    partner: Seat
    offer: dict[str, int]
    request: dict[str, int]


class Witness(Struct, frozen=True):
    """Trades in any order, after which these seats can craft their targets in one phase. Never shown to players."""

    trades: tuple[Trade, ...]
    crafts: dict[Seat, tuple[Step, ...]]

    def turns(self, seats: int) -> int:
        """The most turns it takes, for any order of proposing. With two seats either can propose a trade."""
        proposals = Counter(trade.proposer for trade in self.trades)
        return len(self.trades) if seats == 2 else seats * max(proposals.values(), default=0)


def trades(hands: Sequence[Mapping[str, int]], needs: Mapping[Seat, Mapping[str, int]]) -> tuple[Trade, ...]:
    """Trades that give every seat what it needs. Seats keep what they need themselves."""
    given = _given(hands, needs)
    loads = Counter[Seat]()
    found = []
    for one, other in sorted({(min(pair), max(pair)) for pair in given}):
        proposer, partner = (one, other) if loads[one] <= loads[other] else (other, one)
        loads[proposer] += 1
        offer, request = given.get((proposer, partner), {}), given.get((partner, proposer), {})
        found.append(Trade(proposer, partner, offer, request))
    return tuple(found)


def _given(
    hands: Sequence[Mapping[str, int]], needs: Mapping[Seat, Mapping[str, int]]
) -> dict[tuple[Seat, Seat], dict[str, int]]:
    """The items that each seat gives to each other seat."""
    spare = [
        {item: amount - needs.get(seat, {}).get(item, 0) for item, amount in hand.items()}
        for seat, hand in enumerate(hands)
    ]
    given: dict[tuple[Seat, Seat], dict[str, int]] = {}
    for seat, items in needs.items():
        for item, amount in items.items():
            lacking = amount - hands[seat].get(item, 0)
            for giver in sorted(range(len(hands)), key=lambda giver: (giver, seat) not in given):
                part = min(lacking, spare[giver].get(item, 0))
                if part > 0 and giver != seat:
                    given.setdefault((giver, seat), {})[item] = part
                    spare[giver][item] -= part
                    lacking -= part
    return given
