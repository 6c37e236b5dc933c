"""Play ColorfightII with the Python client: python3 bot.py"""

import os

from parlour.client import Client
from parlour.games.colorfight.bots import Holding
from parlour.games.colorfight.values import Command


def bot(view, ask, dice):
    """Attack the cheapest neighbouring cells while the energy lasts."""
    own = Holding(view, ask.uid)
    energy, orders = own.user.energy, []
    for cell in sorted(own.border(), key=lambda cell: view.attack_cost[cell]):
        if view.attack_cost[cell] <= energy:
            energy -= view.attack_cost[cell]
            orders.append(f"a {own.where(cell)} {view.attack_cost[cell]}")
    return Command(tuple(orders[:1000]))


finished = Client("http://127.0.0.1:8000", token=os.environ.get("PARLOUR_TOKEN")).play("GAME", bot)
print(finished.match, finished.players, finished.end)
