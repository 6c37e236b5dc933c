"""RLCard's own loop: a random legal action at every step. Each step makes the state of the next player."""

import random
import sys

import rlcard
from measure import report


def played(env):
    """One episode; returns its steps."""
    state, _ = env.reset()
    steps = 0
    while not env.is_over():
        legal = list(state["legal_actions"])
        state, _ = env.step(random.choice(legal))
        steps += 1
    return steps


def main():
    random.seed(1)
    env = rlcard.make("limit-holdem", config={"game_num_players": 4})
    report("RLCard, limit hold'em, 4 seats: moves", lambda number: played(env), float(sys.argv[1]))


main()
