"""Generate random problems. Each is proved to be solvable by trade, and not without."""

from functools import cache

from msgspec import Struct

from parlour.core import BadOptions, Dice
from parlour.games.tradecraft.bundles import TARGETS, WOODS, Bundle, deep, draw
from parlour.games.tradecraft.dealer import Terms, hands_for
from parlour.games.tradecraft.program import Undecided
from parlour.games.tradecraft.solver import solve
from parlour.games.tradecraft.witness import Witness, trades

TRIES = 300
"""Attempts before the options are reported as impossible."""
DRAWS = 16
"""Targets drawn for a seat before the whole attempt is given up."""


class Dealt(Struct, frozen=True):
    """A problem, and the proof that it can be solved: one for all seats together, or one for each."""

    hands: tuple[dict[str, int], ...]
    targets: tuple[dict[str, int], ...]
    witness: tuple[Witness, ...]


def deal(
    dice: Dice,
    seats: int,
    *,
    depths: range,
    kinds: range,
    decoys: int,
    max_amount: int,
    max_turn: int,
    whole_batches: bool,
    fair: bool,
) -> Dealt:
    """A problem with `depths` steps to each target and `kinds` kinds in each hand; BadOptions if none is found.

    No hand has a target, and no seat can craft its target without trade. With trade every seat can, within `max_turn`
    turns; if `fair`, all seats in the same game.
    """
    terms = Terms(seats, depths, kinds, decoys, max_amount, max_turn, whole_batches, fair)
    if not depths or not kinds:
        raise BadOptions("at least so many steps or kinds, and at most so many, leave no number between them")
    if decoys >= kinds[-1]:
        raise BadOptions(f"no hand of {_span(kinds)} kinds has {decoys} that are of no use, and others besides")
    for _ in range(TRIES):
        dealt = _tried(terms, dice)
        if dealt is not None:
            return dealt
    raise BadOptions(
        f"no problem was found for {seats} seats, {_span(depths)} steps to a target, {_span(kinds)} kinds in a hand, "
        f"{decoys} of them of no use, {max_amount} of a kind at most, {max_turn} turns"
    )


def _span(numbers: range) -> str:
    return f"{numbers.start} to {numbers.stop - 1}"


def _tried(terms: Terms, dice: Dice) -> Dealt | None:
    bundles = _bundles(terms, dice)
    hands = hands_for(terms, bundles, dice) if bundles else None
    if not bundles or not hands or not _all_matter(bundles, hands):
        return None
    try:
        witness = _witness(terms, bundles, hands)
        if not witness or not _needs_trade(terms, bundles, hands):
            return None
    except Undecided:
        return None
    return Dealt(tuple(hands), tuple([{bundle.target: 1} for bundle in bundles]), witness)


# Targets


def _bundles(terms: Terms, dice: Dice) -> list[Bundle] | None:
    """A different target for each seat, and its ingredients; not more kinds than fit into the hands."""
    wood = dice.pick(WOODS)
    found: list[Bundle] = []
    for _ in range(terms.seats):
        bundle = _bundle(terms, dice, wood, found)
        if bundle is None:
            return None
        found.append(bundle)
    return found


def _bundle(terms: Terms, dice: Dice, wood: str, others: list[Bundle]) -> Bundle | None:
    depth = dice.pick(terms.depths)
    targets = _targets(depth)
    room = terms.seats * (terms.kinds[-1] - terms.decoys)
    for _ in range(DRAWS):
        bundle = draw(dice.pick(targets), depth, dice, wood)
        if bundle and max(bundle.items.values()) <= terms.max_amount and _goes_with(bundle, others, room):
            return bundle
    return None


@cache
def _targets(depth: int) -> tuple[str, ...]:
    """Targets with this depth, or all if there are none."""
    return tuple([target for target in TARGETS if deep(target, depth)]) or TARGETS


def _goes_with(bundle: Bundle, others: list[Bundle], room: int) -> bool:
    targets = {other.target for other in others} | {bundle.target}
    kinds = set(bundle.items).union(*[other.items for other in others])
    return len(targets) > len(others) and targets.isdisjoint(kinds) and len(kinds) <= room


# The proof


def _all_matter(bundles: list[Bundle], hands: list[dict[str, int]]) -> bool:
    """Whether no hand contains a target, and every seat has something that another one lacks."""
    targets = {bundle.target for bundle in bundles}
    lacks = [_lacks(bundle, hand) for bundle, hand in zip(bundles, hands, strict=True)]
    return all(
        targets.isdisjoint(hand) and not hand.keys().isdisjoint(set().union(*lacks[:seat], *lacks[seat + 1 :]))
        for seat, hand in enumerate(hands)
    )


def _lacks(bundle: Bundle, hand: dict[str, int]) -> set[str]:
    return {item for item, amount in bundle.items.items() if hand.get(item, 0) < amount}


def _needs_trade(terms: Terms, bundles: list[Bundle], hands: list[dict[str, int]]) -> bool:
    """Whether no seat can craft its target without trade."""
    return not any(
        solve(hand, {bundle.target: 1}, whole_batches=terms.whole_batches) is not None
        for hand, bundle in zip(hands, bundles, strict=True)
    )


def _witness(terms: Terms, bundles: list[Bundle], hands: list[dict[str, int]]) -> tuple[Witness, ...]:
    """A proof for all seats together if `fair`, otherwise one for each; empty if there is none within `max_turn`."""
    seats = range(terms.seats)
    found = []
    for group in [seats] if terms.fair else [range(seat, seat + 1) for seat in seats]:
        witness = Witness(trades(hands, {seat: bundles[seat].items for seat in group}), {})
        if witness.turns(terms.seats) > terms.max_turn:
            return ()
        for seat in group:
            bundle = bundles[seat]
            plan = solve(bundle.items, {bundle.target: 1}, whole_batches=terms.whole_batches)
            if plan is None:
                return ()
            witness.crafts[seat] = plan
        found.append(witness)
    return tuple(found)
