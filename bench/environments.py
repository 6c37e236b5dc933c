"""Measure the steps per CPU-second of every environment, beside those of other projects on the same machine.

    make peers                                # once
    python bench/environments.py --seconds 3

A step is one choice of a random legal action by one agent, with observation and mask built before it. Figures are the
best of several slices. The yardstick, calls of an empty function per CPU-second, is measured beside each of them, for
the machine may be slower from one minute to the next; `at 28 M` is the rate at a yardstick of 28 million.
"""

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import pyspiel
from peer_runs import NoPeer, figures
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent / "peers"))
from measure import rate, yardstick

import parlour.envs
from parlour.envs.pettingzoo import env, parallel_env
from parlour.games import game
from parlour.games.forsale import rules

assert parlour.envs

QUIET = 28_000_000
WANTED = 50_000

SMALL: Mapping[str, Mapping[str, Any]] = {
    "forsale": {},
    "dominion": {"turn_cap": 20},
    "maze": {"round_cap": 20},
    "colorfight": {"width": 10, "height": 10, "max_turn": 10},
    "tradecraft": {"max_turn": 5},
}
"""House rules by game, so that an episode takes no longer than a moment."""
PEERS = {"pettingzoo": "pettingzoo_steps.py", "rlcard": "rlcard_steps.py", "openspiel": "openspiel_steps.py"}


def picked(mask: Any) -> int:
    """A random index that is not masked."""
    free = mask.nonzero()[0]
    return int(free[int(random.random() * len(free))])


def turns(made: Any) -> Callable[[int], int]:
    """Episodes of a PettingZoo AEC environment."""

    def once(number: int) -> int:
        made.reset(seed=number)
        steps = 0
        for _ in made.agent_iter():
            seen, _, terminated, truncated, _ = made.last()
            if terminated or truncated:
                made.step(None)
                continue
            made.step(picked(seen["action_mask"]))
            steps += 1
        return steps

    return once


def together(made: Any) -> Callable[[int], int]:
    """Episodes of a PettingZoo parallel environment; a step is that of one agent that had to decide."""

    def once(number: int) -> int:
        seen, _ = made.reset(seed=number)
        steps = 0
        while made.agents:
            steps += sum(1 - int(seen[agent]["action_mask"][-1]) for agent in made.agents)
            seen, *_ = made.step({agent: picked(seen[agent]["action_mask"]) for agent in made.agents})
        return steps

    return once


def single(made: Any) -> Callable[[int], int]:
    """Episodes of a Gymnasium environment; a step is one of the agent, with the moves of its opponents."""

    def once(number: int) -> int:
        seen, _ = made.reset(seed=number)
        steps, over = 0, False
        while not over:
            seen, _, over, _, _ = made.step(picked(seen["action_mask"]))
            steps += 1
        return steps

    return once


def spiel(game: Any) -> Callable[[int], int]:
    """Episodes of a game of OpenSpiel."""

    def once(number: int) -> int:
        state = game.new_initial_state()
        state.apply_action(number % 1000)
        steps = 0
        while not state.is_terminal():
            state.observation_tensor(state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            steps += 1
        return steps

    return once


def ours() -> Mapping[str, Callable[[], Callable[[int], int]]]:
    """Our environments by name."""
    made: dict[str, Callable[[], Callable[[int], int]]] = {
        "Parlour, For Sale, 4 seats: AEC": lambda: turns(env("forsale", seats=4)),
        "Parlour, For Sale, 4 seats: parallel": lambda: together(parallel_env("forsale", seats=4)),
        "Parlour, For Sale, 4 seats: Gymnasium, 3 random": lambda: single(
            gymnasium.make("parlour/ForSale-v0", seats=4, opponents="random", disable_env_checker=True)
        ),
        "Parlour, For Sale, 4 seats: OpenSpiel": lambda: spiel(pyspiel.load_game("parlour_forsale(players=4)")),
    }
    for name, options in SMALL.items():
        if name != "forsale":
            made[f"Parlour, {game(name).title}, 2 seats: AEC"] = lambda name=name, options=options: turns(  # type: ignore[misc]
                env(name, seats=2, **options)
            )
    return made


def measured(seconds: float) -> Sequence[Mapping[str, Any]]:
    """All figures, ours first."""
    found: list[Mapping[str, Any]] = []
    for what, made in ours().items():
        once = made()
        found.append({"what": what, "rate": rate(once, seconds), "yardstick": rate(yardstick, seconds / 5)})
    for peer, script in PEERS.items():
        try:
            found += figures(peer, script, str(seconds))
        except NoPeer as e:
            print(e, file=sys.stderr)
    return found


def main() -> None:
    """Print the table of all figures."""
    parser = argparse.ArgumentParser(description="Measure the steps per CPU-second of environments.")
    parser.add_argument("--seconds", type=float, default=3.0, metavar="S", help="how long each figure is measured")
    table = Table(title="Steps per CPU-second", title_justify="left", title_style="bold")
    for column in ("environment", "steps", "yardstick", "at 28 M", "wanted"):
        table.add_column(column, justify="left" if column == "environment" else "right")
    for number, figure in enumerate(measured(parser.parse_args().seconds)):
        scaled = figure["rate"] * QUIET / figure["yardstick"]
        wanted = f"{WANTED:,}" if number == 0 else ""
        table.add_row(
            figure["what"], f"{figure['rate']:,.0f}", f"{figure['yardstick'] / 1e6:.1f} M", f"{scaled:,.0f}", wanted
        )
    print(f"Parlour is {'compiled' if rules.__file__.endswith('.so') else 'not compiled'}.")
    Console().print(table)


if __name__ == "__main__":
    main()
