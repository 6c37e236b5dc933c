"""The environments pass the suites of PettingZoo and Gymnasium, for all games and several numbers of seats."""

from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import parlour.envs
from parlour import plugins
from parlour.envs.gymnasium import id_of
from parlour.envs.pettingzoo import env, parallel_env
from tests.envs.short import SHORT, TABLES

assert parlour.envs

CYCLES = 60

pytestmark = [
    pytest.mark.parametrize(("game", "seats"), TABLES),
    # PettingZoo's suite would rather have plain arrays, and mentions the masks of agents after the end.
    pytest.mark.filterwarnings("ignore:Observation"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def test_agents_act_in_turn(game: str, seats: int | None) -> None:
    api_test(env(game, seats=seats, **SHORT[game]), num_cycles=CYCLES)
    seed_test(lambda: env(game, seats=seats, **SHORT[game]), num_cycles=CYCLES)


def test_agents_act_together(game: str, seats: int | None) -> None:
    def new() -> Any:
        return parallel_env(game, seats=seats, **SHORT[game])

    parallel_api_test(new(), num_cycles=CYCLES)
    parallel_seed_test(new, num_cycles=CYCLES)


def test_a_single_agent_plays_against_bots(game: str, seats: int | None) -> None:
    made = gymnasium.make(id_of(plugins.game(game), 0), seats=seats, opponents="random", **SHORT[game])
    check_env(made.unwrapped)
