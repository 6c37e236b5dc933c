"""RLCard by itself: random legal actions, the state with observation and legal actions at every step."""

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
        state, _ = env.step(legal[int(random.random() * len(legal))])
        steps += 1
    return steps


def main():
    seconds = float(sys.argv[1])
    named = {
        "RLCard, limit hold'em, 4 seats": rlcard.make("limit-holdem", config={"game_num_players": 4}),
        "RLCard, Leduc hold'em, 2 seats": rlcard.make("leduc-holdem"),
        "RLCard, UNO, 2 seats": rlcard.make("uno"),
    }
    for what, env in named.items():
        report(what, lambda number, env=env: played(env), seconds)


main()
