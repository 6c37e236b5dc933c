"""The phases of a turn, each with the state that exists only then."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

from parlour.core import By, Seat
from parlour.games.tradecraft.amounts import Items, Written, written
from parlour.games.tradecraft.history import Notes, noted
from parlour.games.tradecraft.values import Decided, Finished, Left, Proposed


class Proposing(Struct, frozen=True):
    """The proposer has to propose."""


class Deciding(Struct, frozen=True):
    """The partner has to decide. Only the two know who the partner is."""

    proposal: Proposed
    left: tuple[Left, ...] = ()
    """Players who left in this phase. Announced with the decision, so that it does not reveal the partner."""


class Ready(Struct, frozen=True):
    """A checked recipe that can be applied."""

    input: Items
    output: Items
    returns: Items

    def applied(self, hand: Mapping[str, Fraction]) -> Items:
        """The hand after crafting."""
        return moved(moved(hand, self.input, self.output), {}, self.returns)


class Bench(Struct):
    """A seat's state in the crafting phase, hidden from all others."""

    hand: Items
    ready: Ready | None = None
    checks: int = 0
    """Number of checks made."""
    done: bool = False
    told: Notes = ()

    def copy(self) -> "Bench":
        return Bench(self.hand.copy(), self.ready, self.checks, self.done, self.told)


class Crafting(Struct):
    """All seats craft until each is done."""

    benches: list[Bench]

    def finished(self) -> list[Seat]:
        return [seat for seat, bench in enumerate(self.benches) if bench.done]

    def told(self, who: By) -> Notes:
        """The events of this phase for one audience. The order does not depend on who was done first."""
        own = () if who is None else self.benches[who].told
        done = [Finished(seat, shown(self.benches[seat].hand)).seen_by(who) for seat in self.finished()]
        return own + noted(done)

    def copy(self) -> "Crafting":
        return Crafting([bench.copy() for bench in self.benches])


class Over(Struct, frozen=True):
    """The game has ended."""

    decided: Decided


AnyPhase: TypeAlias = Proposing | Deciding | Crafting | Over


def shown(items: Mapping[str, Fraction]) -> Written:
    """Items sorted by name: another order could reveal how they were made."""
    return written(dict(sorted(items.items())))


def covers(hand: Mapping[str, Fraction], items: Mapping[str, Fraction]) -> bool:
    return all(hand.get(item, 0) >= amount for item, amount in items.items())


def moved(hand: Mapping[str, Fraction], out: Mapping[str, Fraction], into: Mapping[str, Fraction]) -> Items:
    """The hand after adding `into` and then removing `out`."""
    after = dict(hand)
    for item, amount in into.items():
        after[item] = after.get(item, Fraction(0)) + amount
    for item, amount in out.items():
        after[item] -= amount
    return {item: amount for item, amount in after.items() if amount}


def whole(hand: Mapping[str, Fraction]) -> Items:
    """The hand without fractions of items (RULES 5.7)."""
    floors = {item: Fraction(amount.numerator // amount.denominator) for item, amount in hand.items()}
    return {item: amount for item, amount in floors.items() if amount}
