"""The bot `random`."""

from collections.abc import Mapping
from typing import TypeAlias

from parlour.core import Dice
from parlour.games.tradecraft.amounts import Amount, Written, unwritten, written
from parlour.games.tradecraft.crafts import any_craft
from parlour.games.tradecraft.values import (
    Apply,
    Check,
    CraftItems,
    Decide,
    DecideProposal,
    Done,
    MakeProposal,
    Propose,
    View,
)

Asked: TypeAlias = MakeProposal | DecideProposal | CraftItems
Answer: TypeAlias = Propose | Decide | Check | Apply | Done

WORDS = ("", "", "I could use these.", "Nobody else will give you more.", "No.", "Perhaps another time.")


def random(view: View, ask: Asked, dice: Dice) -> Answer:
    """Trades and crafts at random, regardless of its target."""
    match ask:
        case MakeProposal():
            return any_proposal(view, dice)
        case DecideProposal():
            return Decide("accept" if dice.below(2) else "reject", dice.pick(WORDS))
        case CraftItems():
            return any_step(view, ask, dice)


def any_proposal(view: View, dice: Dice) -> Propose:
    others = [seat for seat in range(len(view.hands)) if seat != view.seat]
    partner = dice.pick([seat for seat in others if seat not in view.gone] or others)
    return Propose(partner, some_of(view.hand, dice), some_of(view.hands[partner], dice), dice.pick(WORDS))


def some_of(hand: Mapping[str, Amount], dice: Dice) -> Written:
    """A small amount of each of at most two kinds."""
    kinds = list(hand)
    dice.shuffle(kinds)
    return {kind: 1 + dice.below(min(4, int(hand[kind]))) for kind in sorted(kinds[: dice.below(3)])}


def any_step(view: View, ask: CraftItems, dice: Dice) -> Check | Apply | Done:
    """Usually crafts something possible, sometimes checks something impossible."""
    if ask.ready and dice.below(5):
        return Apply()
    if not ask.checks or not dice.below(3):
        return Done()
    craft = any_craft(unwritten(view.hand), dice, whole_batches=view.whole_batches)
    if craft is None:
        return Check({}, {}) if dice.below(4) == 0 else Done()
    input, output = craft
    more = 100 if dice.below(8) == 0 else 1
    return Check(written({item: more * amount for item, amount in input.items()}), written(output))
