"""A random bot, and one that reckons with probabilities."""

from functools import lru_cache
from math import comb

from liars_dice.rules import CHALLENGE, FACES, matching
from liars_dice.values import Action, Bid, BidOrCall, View
from parlour.core import Dice


def random(view: View, ask: BidOrCall, dice: Dice) -> Action:
    """Anything legal, each as likely as the others."""
    assert ask.choices is not None, "all answers are listed"
    return dice.pick(ask.choices)


def reckoner(view: View, ask: BidOrCall, dice: Dice) -> Action:
    """The answer that is most likely to be right; of equally good answers, the first in the list."""
    assert ask.choices is not None, "all answers are listed"
    return max(ask.choices, key=lambda action: chance(action, view, ask.last))


def chance(action: Action, view: View, last: Bid | None) -> float:
    """How likely the action is right, as far as the seat knows."""
    if isinstance(action, Bid):
        return at_least(action, view)
    assert last is not None, "there is a bid to call"
    if action == CHALLENGE:
        return 1 - at_least(last, view)
    return at_least(last, view) - at_least(Bid(last.count + 1, last.face), view)


def at_least(bid: Bid, view: View) -> float:
    """The chance that a bid holds, if every other seat that has bid on this face has at least one such die."""
    others = {raised.seat for raised in view.bids if raised.bid.face == bid.face} - {view.seat}
    needed = bid.count - matching(view.hand, bid.face, view.wild_ones) - len(others)
    unknown = sum(view.counts) - len(view.hand) - len(others)
    return tail(unknown, needed, 2 if view.wild_ones and bid.face != 1 else 1)


@lru_cache(maxsize=1 << 14)
def tail(dice: int, needed: int, faces: int) -> float:
    """The chance that at least `needed` of the dice show one of so many faces."""
    hit = faces / FACES
    return sum(comb(dice, n) * hit**n * (1 - hit) ** (dice - n) for n in range(max(0, needed), dice + 1))
