"""The bot `planner`: plans the way to its target, asks for what it lacks, and pays with what it can spare."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from parlour.core import Dice, Seat
from parlour.games.tradecraft.amounts import Amount, unwritten, written
from parlour.games.tradecraft.bots import Answer, Asked
from parlour.games.tradecraft.phases import covers
from parlour.games.tradecraft.plans import UNIT, Hand, Plan, plan, stepped, traded
from parlour.games.tradecraft.solver import Step
from parlour.games.tradecraft.values import (
    Accepted,
    Answered,
    Apply,
    Check,
    CraftItems,
    Decide,
    DecideProposal,
    Done,
    MakeProposal,
    Propose,
    Proposed,
    Rejected,
    View,
)

STUBBORN = 2
"""After this many refusals a partner is asked for one kind at a time."""
WORDS = re.compile(r"[a-z][a-z0-9_]*")


def planner(view: View, ask: Asked, dice: Dice) -> Answer:
    """Tries to get what it needs, regardless of what others use its items for."""
    match ask:
        case MakeProposal():
            return propose(view, dice)
        case DecideProposal():
            return decide(view)
        case CraftItems():
            return craft(view, ask, steps(view))


# Reading the view


def own_seat(view: View) -> Seat:
    return 0 if view.seat is None else view.seat


def whole_hand(hand: Mapping[str, Amount]) -> Hand:
    """A public hand, which has no fractions."""
    return {item: amount for item, amount in hand.items() if isinstance(amount, int)}


def others(view: View) -> dict[Seat, Hand]:
    """The hands of the other players who have not left."""
    there = [seat for seat in range(len(view.hands)) if seat != view.seat and seat not in view.gone]
    return {seat: whole_hand(view.hands[seat]) for seat in there}


def refusals(view: View) -> Counter[tuple[Seat, str]]:
    """By seat and item: how often the seat refused to give it, since the last trade with that seat."""
    found = Counter[tuple[Seat, str]]()
    last: Proposed | None = None
    for event in view.history:
        match event:
            case Proposed(proposer=proposer) if proposer == view.seat:
                last = event
            case Rejected(proposer=proposer) if proposer == view.seat and last is not None and last.partner is not None:
                found.update((last.partner, item) for item in last.request)
            case Accepted(proposer=one, partner=other) if view.seat in (one, other):
                for key in [key for key in found if key[0] in (one, other)]:
                    del found[key]
    return found


def wishes(view: View, seat: Seat) -> list[str]:
    """Items that the seat has asked for or named in a reply, newest first."""
    found: list[str] = []
    for event in view.history:
        match event:
            case Proposed(proposer=proposer) | Accepted(proposer=proposer) if proposer == seat:
                found += event.request
            case Answered(partner=partner, message=message) if partner == seat:
                found += named(message)
    return list(dict.fromkeys(reversed(found)))


def named(message: str) -> list[str]:
    """Words of a message that may be items."""
    return WORDS.findall(message.lower())


def own_plan(view: View, refused: Mapping[tuple[Seat, str], int] | None = None) -> Plan | None:
    hand, target = whole_hand(view.hands[own_seat(view)]), whole_hand(view.target)
    return plan(hand, others(view), target, whole_batches=view.whole_batches, refusals=refused)


# Proposing


def propose(view: View, dice: Dice) -> Propose:
    """Ask the player who has refused least of those who have something it needs."""
    refused = refusals(view)
    found = own_plan(view, refused)
    if found is None or not found.takes:
        return nothing(view, dice)
    times = {seat: max([refused[seat, item] for item in items]) for seat, items in found.takes.items()}
    partner = dice.pick([seat for seat in times if times[seat] == min(times.values())])
    request = found.takes[partner]
    if times[partner] >= STUBBORN:
        item = dice.pick(sorted(request))
        request = {item: request[item]}
    offer = price(view, found.spare, partner, sum(request.values()), times[partner], dice)
    return Propose(partner, {**offer}, {**request}, f"I could use {said(request)}. Would {said(offer)} do?")


def nothing(view: View, dice: Dice) -> Propose:
    anybody = [seat for seat in range(len(view.hands)) if seat != view.seat]
    return Propose(dice.pick([seat for seat in anybody if seat not in view.gone] or anybody), {}, {}, "I pass.")


def price(view: View, spare: Hand, partner: Seat, fair: int, refused: int, dice: Dice) -> Hand:
    """An offer: items that the partner seems to want, then items it does not have; more after refusals."""
    wanted = [item for item in wishes(view, partner) if item in spare]
    rest = [item for item in spare if item not in wanted]
    dice.shuffle(rest)
    rest.sort(key=lambda item: item in view.hands[partner])
    return {item: min(spare[item], fair * (1 + refused)) for item in [*wanted, *rest][: 1 + refused]}


def said(items: Mapping[str, Amount]) -> str:
    return " and ".join([f"{amount} {item}" for item, amount in items.items()]) or "nothing"


# Deciding


def decide(view: View) -> Decide:
    """Accepts gifts and trades that bring it closer; late in the game also a fair price for spare items."""
    proposal = view.proposal
    if proposal is None:
        return Decide("reject")
    offer, request = whole_hand(proposal.offer), whole_hand(proposal.request)
    now, then = own_plan(view), planned(view, proposal.proposer, offer, request)
    fair = 2 * view.turn > view.max_turn and sum(offer.values()) >= sum(request.values())
    if offer and (not request or nearer(now, then, UNIT) or (fair and nearer(now, then, 0))):
        return Decide("accept", "Deal." if request else "Thank you.")
    lacks = {} if now is None else now.takes.get(proposal.proposer, {})
    return Decide("reject", f"No. I am looking for {said(lacks)}." if lacks else "No, thank you.")


def nearer(now: Plan | None, then: Plan | None, least: int) -> bool:
    """Whether `then` is cheaper than `now` by at least `least`. No plan is the worst plan."""
    return then is not None and then.cost + least <= now.cost if now is not None else then is not None or not least


def planned(view: View, other: Seat, gets: Hand, gives: Hand) -> Plan | None:
    """The plan after a trade."""
    hand, there = whole_hand(view.hands[own_seat(view)]), others(view)
    if other in there:
        there[other] = traded(there[other], gives, gets)
    target = whole_hand(view.target)
    return plan(traded(hand, gets, gives), there, target, whole_batches=view.whole_batches)


# Crafting


def steps(view: View) -> tuple[Step, ...]:
    """All steps to the target if it can be crafted now; otherwise the steps of the plan that can be done early."""
    hand, target = whole_hand(view.hands[own_seat(view)]), whole_hand(view.target)
    alone = plan(hand, {}, target, whole_batches=view.whole_batches)
    if alone is not None:
        return alone.steps
    found = own_plan(view)
    return () if found is None else tuple(early(hand, found.steps))


def early(hand: Hand, steps: tuple[Step, ...]) -> Iterator[Step]:
    """The steps that a hand can do by itself in whole amounts; fractions would be lost at the end of the turn."""
    held = {item: Fraction(amount) for item, amount in hand.items()}
    for step in steps:
        amounts = [*step.inputs.values(), *step.outputs.values(), *step.returns.values()]
        if covers(held, step.inputs) and all(amount.denominator == 1 for amount in amounts):
            held = stepped(held, step)
            yield step


def craft(view: View, ask: CraftItems, steps: tuple[Step, ...]) -> Check | Apply | Done:
    """The next step. If there are too few checks for all steps, only those that can be done early."""
    rest = following(view, steps)
    if len(rest) > ask.checks + ask.ready:
        rest = following(view, tuple(early(whole_hand(view.hands[own_seat(view)]), steps)))
    if not rest:
        return Done()
    inputs, outputs = written(rest[0].inputs), written(rest[0].outputs)
    checked = view.checked
    if ask.ready and checked is not None and (checked.input, checked.output) == (inputs, outputs):
        return Apply()
    return Check(inputs, outputs) if ask.checks else Done()


def following(view: View, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps that remain, judged by the current hand."""
    held, now = unwritten(view.hands[own_seat(view)]), unwritten(view.hand)
    for number, step in enumerate(steps):
        if held == now:
            return steps[number:]
        held = stepped(held, step)
    return ()
