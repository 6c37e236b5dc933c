"""Play tradeCraft with the Python client: python3 bot.py"""

import os

from parlour.client import Client
from parlour.games.tradecraft.plans import plan
from parlour.games.tradecraft.values import Decide, DecideProposal, Done, MakeProposal, Propose


def bot(view, ask, dice):
    """Ask for what the target needs and offer what it does not need; take gifts; craft nothing yet."""
    others = {seat: hand for seat, hand in enumerate(view.hands) if seat not in (view.seat, *view.gone)}
    if isinstance(ask, MakeProposal):
        way = plan(view.hands[view.seat], others, view.target, whole_batches=view.whole_batches)
        if way is None or not way.takes:
            return Propose(min(others))  # an empty proposal is a way to pass
        partner = max(way.takes)
        return Propose(partner, way.spare, way.takes[partner], "All that I can spare.")
    if isinstance(ask, DecideProposal):
        return Decide("reject" if view.proposal.request else "accept")
    return Done()


finished = Client("http://127.0.0.1:8000", token=os.environ.get("PARLOUR_TOKEN")).play("GAME", bot)
print(finished.match, finished.players, finished.end)
