"""pyminion by itself: its bot that buys only money and provinces, twice, without the log of the game."""

import logging
import random
import sys

from measure import report
from pyminion.bots.examples import BigMoney
from pyminion.expansions import base
from pyminion.game import Game

logging.disable(logging.CRITICAL)


def played():
    players = [BigMoney(f"player {number}") for number in range(2)]
    Game(players=players, expansions=[base.base_set], log_stdout=False).play()
    return 1


def main():
    random.seed(1)
    report("pyminion, naive money, 2 seats: games", lambda number: played(), float(sys.argv[1]))


main()
