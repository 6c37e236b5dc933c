"""PettingZoo classic: random legal actions, observation and mask at every step."""

import random
import sys

from measure import report
from pettingzoo.classic import connect_four_v3, leduc_holdem_v4, texas_holdem_v4


def played(env, number):
    """One episode; returns its steps."""
    env.reset(seed=number)
    steps = 0
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        free = seen["action_mask"].nonzero()[0]
        env.step(int(free[int(random.random() * len(free))]))
        steps += 1
    return steps


def main():
    seconds = float(sys.argv[1])
    named = {
        "PettingZoo classic, Texas hold'em, 4 seats": texas_holdem_v4.raw_env(num_players=4),
        "PettingZoo classic, Leduc hold'em, 2 seats": leduc_holdem_v4.raw_env(),
        "PettingZoo classic, Connect Four, 2 seats": connect_four_v3.raw_env(),
    }
    for what, env in named.items():
        report(what, lambda number, env=env: played(env, number), seconds)


main()
