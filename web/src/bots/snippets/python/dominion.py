"""Play Dominion with the Python client: python3 bot.py"""

import os

from parlour.client import Client
from parlour.games.dominion.values import AnswerAttack, Buy, CleanUp, Discard

WORTH = {"copper": 1, "silver": 2, "gold": 3}
PRICES = {"province": 8, "gold": 6, "silver": 3}


def bot(view, ask, dice):
    """Buy the best of provinces, gold and silver."""
    if isinstance(ask, AnswerAttack):
        return Discard(tuple(view.hand[: ask.discard]))
    if not ask.buys:
        return CleanUp()
    money = view.money + sum(WORTH.get(card, 0) for card in view.hand)
    affordable = [card for card, price in PRICES.items() if price <= money and view.supply[card]]
    return Buy(tuple(affordable[:1]))


finished = Client("http://127.0.0.1:8000", token=os.environ.get("PARLOUR_TOKEN")).play("GAME", bot)
print(finished.match, finished.players, finished.end)
