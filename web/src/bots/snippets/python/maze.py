"""Play Maze with the Python client: python3 bot.py"""

import os

from parlour.client import Client
from parlour.games.maze.board import members
from parlour.games.maze.strategies import board_of, move, own, ways
from parlour.games.maze.values import Pass


def bot(view, ask, dice):
    """Go to the goal if some slide opens the way; otherwise anywhere."""
    here, goal = own(view)
    choice = Pass()
    for slide, degrees, cells in ways(board_of(view), here, view.last):
        if cells >> goal & 1:
            return move(slide, degrees, goal, view.columns)
        if cells:
            choice = move(slide, degrees, dice.pick(list(members(cells))), view.columns)
    return choice


finished = Client("http://127.0.0.1:8000", token=os.environ.get("PARLOUR_TOKEN")).play("GAME", bot)
print(finished.match, finished.players, finished.end)
