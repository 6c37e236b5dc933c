"""The phases of a turn, each holding what exists only then."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

from parlour.core import By, Seat
from parlour.games.tradecraft.amounts import Items, Written, written
from parlour.games.tradecraft.history import Notes, noted
from parlour.games.tradecraft.values import Decided, Finished, Left, Proposed


class Proposing(Struct, frozen=True):
    """The proposer is waited for."""


class Deciding(Struct, frozen=True):
    """The partner is waited for, and only the proposer knows who that is."""

    proposal: Proposed
    left: tuple[Left, ...] = ()
    """Who has left meanwhile. It is told with the decision, or it would tell who the partner was."""


class Ready(Struct, frozen=True):
    """A recipe that was checked and may be applied."""

    input: Items
    output: Items
    returns: Items

    def applied(self, hand: Mapping[str, Fraction]) -> Items:
        """The hand after it."""
        return moved(moved(hand, self.input, self.output), {}, self.returns)


class Bench(Struct):
    """Where a seat crafts, seen by nobody else."""

    hand: Items
    ready: Ready | None = None
    checks: int = 0
    """How many were made."""
    done: bool = False
    told: Notes = ()

    def copy(self) -> "Bench":
        return Bench(self.hand.copy(), self.ready, self.checks, self.done, self.told)


class Crafting(Struct):
    """Everybody crafts, until all are done."""

    benches: list[Bench]

    def finished(self) -> list[Seat]:
        return [seat for seat, bench in enumerate(self.benches) if bench.done]

    def told(self, who: By) -> Notes:
        """What somebody was told in this phase. Whoever was done first, the order is the same."""
        own = () if who is None else self.benches[who].told
        done = [Finished(seat, shown(self.benches[seat].hand)).seen_by(who) for seat in self.finished()]
        return own + noted(done)

    def copy(self) -> "Crafting":
        return Crafting([bench.copy() for bench in self.benches])


class Over(Struct, frozen=True):
    """How it came out."""

    decided: Decided


AnyPhase: TypeAlias = Proposing | Deciding | Crafting | Over


def shown(items: Mapping[str, Fraction]) -> Written:
    """Items in the order of their names: any other order would tell how they came about."""
    return written(dict(sorted(items.items())))


def covers(hand: Mapping[str, Fraction], items: Mapping[str, Fraction]) -> bool:
    return all(hand.get(item, 0) >= amount for item, amount in items.items())


def moved(hand: Mapping[str, Fraction], out: Mapping[str, Fraction], into: Mapping[str, Fraction]) -> Items:
    """A hand after some items went and others came; it must cover what goes after what has come."""
    after = dict(hand)
    for item, amount in into.items():
        after[item] = after.get(item, Fraction(0)) + amount
    for item, amount in out.items():
        after[item] -= amount
    return {item: amount for item, amount in after.items() if amount}


def whole(hand: Mapping[str, Fraction]) -> Items:
    """Without what is less than one of something (RULES 5.7)."""
    floors = {item: Fraction(amount.numerator // amount.denominator) for item, amount in hand.items()}
    return {item: amount for item, amount in floors.items() if amount}
