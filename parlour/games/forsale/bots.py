"""The bots `random` and `minimum`; `thinker` is in thinker.py."""

from parlour.core import Dice
from parlour.games.forsale.rules import PASS
from parlour.games.forsale.values import Bid, BidOrPass, ChooseEstate, Pass, Sell, View


def random(view: View, ask: BidOrPass | ChooseEstate, dice: Dice) -> Bid | Pass | Sell:
    """A legal action, each with the same probability."""
    if ask.choices is not None:
        return dice.pick(ask.choices)
    assert isinstance(ask, BidOrPass), "only bids may be too many to list"
    lowest = ask.record if ask.may_pass else ask.record + 1
    amount = lowest + dice.below(ask.coins - lowest + 1)
    return Bid(amount) if amount > ask.record else PASS


def minimum(view: View, ask: BidOrPass | ChooseEstate, dice: Dice) -> Bid | Pass | Sell:
    """Raise by one while the spread of the market is worth it. Sell better estates for better cheques."""
    market = view.market
    if isinstance(ask, BidOrPass):
        raised = ask.record + 1
        worth = (market[-1] - market[0]) // 4
        return Bid(raised) if raised <= min(worth, ask.coins) else PASS
    hand = view.hand
    place = sum(market) * len(hand) // (15 * len(market))
    return Sell(hand[min(place, len(hand) - 1)])
