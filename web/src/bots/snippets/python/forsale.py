"""Play For Sale with the Python client: python3 bot.py"""

import os

from parlour.client import Client


def bot(view, ask, dice):
    """Raise by one while the best estate is worth it; sell the best estate for the best cheques."""
    if view.part == 1:
        bids = [choice for choice in ask.choices if getattr(choice, "amount", 99) <= view.market[-1] // 4]
        return bids[0] if bids else ask.choices[0]
    return ask.choices[-1] if max(view.market) > 10 else ask.choices[0]


finished = Client("http://127.0.0.1:8000", token=os.environ.get("PARLOUR_TOKEN")).play("GAME", bot)
print(finished.match, finished.players, finished.end)
