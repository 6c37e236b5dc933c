"""Draw again everything that a seat cannot know."""

from typing import TYPE_CHECKING

from parlour.core import Dice, Seat
from parlour.games.tradecraft.amounts import Items, unwritten, written
from parlour.games.tradecraft.book import check
from parlour.games.tradecraft.bots import some_of
from parlour.games.tradecraft.bundles import TARGETS
from parlour.games.tradecraft.crafts import any_craft
from parlour.games.tradecraft.phases import Bench, Crafting, Deciding, Over, Ready, covers, whole
from parlour.games.tradecraft.values import Proposed

if TYPE_CHECKING:
    from parlour.games.tradecraft.rules import State


def redealt(state: "State", seat: Seat, dice: Dice) -> "State":
    """Draw again the others' targets, their private events, proposals between others, and what others are crafting."""
    twin = state.copy()
    others = [other for other in range(state.seats) if other != seat]
    for other in others:
        twin.told[other] = state.told[None]
        if not isinstance(state.phase, Over):
            twin.targets[other] = another_target(state.hands[other], state.targets[other], dice)
    match twin.phase:
        case Deciding() as phase:
            twin.phase = another_decision(twin, phase, seat, dice)
            twin.gone = {*state.known_gone(), *(left.seat for left in twin.phase.left)}
        case Crafting(benches=benches):
            for other in others:
                benches[other] = another_bench(twin, benches[other], state.hands[other], dice)
    twin.dice = dice.split()
    return twin


def another_target(hand: Items, target: Items, dice: Dice) -> Items:
    """Another target in the same amount that is not in the hand."""
    [amount, *_] = target.values()
    while True:
        other = {dice.pick(TARGETS): amount}
        if not covers(hand, other):
            return other


def another_decision(state: "State", phase: Deciding, seat: Seat, dice: Dice) -> Deciding:
    """Only the two know the proposal and the partner. Nobody knows who has left in this phase."""
    proposal = phase.proposal
    if seat not in (proposal.proposer, proposal.partner):
        proposal = another_proposal(state, seat, proposal.proposer, dice)
    kept = [left for left in phase.left if left.seat == seat or (left.seat != proposal.partner and dice.below(2))]
    return Deciding(proposal, tuple(kept))


def another_proposal(state: "State", seat: Seat, proposer: Seat, dice: Dice) -> Proposed:
    known = (seat, proposer, *state.known_gone())
    partner = dice.pick([other for other in range(state.seats) if other not in known])
    hands = [written(state.hands[each]) for each in (proposer, partner)]
    offer, request = [some_of(hand, dice) for hand in hands]
    return Proposed(proposer, partner, offer, request, f"I say {dice.below(1000)}.")


def another_bench(state: "State", bench: Bench, hand: Items, dice: Dice) -> Bench:
    """A bench where other things were crafted and checked."""
    other = Bench(hand.copy(), checks=dice.below(state.options.max_checks), done=bench.done)
    for _ in range(dice.below(3)):
        if ready := any_ready(state, other.hand, dice):
            other.hand = ready.applied(other.hand)
    if bench.done:
        other.hand = whole(other.hand)
    elif dice.below(2):
        other.ready = any_ready(state, other.hand, dice)
    return other


def any_ready(state: "State", hand: Items, dice: Dice) -> Ready | None:
    craft = any_craft(hand, dice, whole_batches=state.options.whole_batches)
    return None if craft is None else Ready(*craft, unwritten(check(*craft, hand).returns))
