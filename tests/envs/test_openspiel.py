"""Games in OpenSpiel: its own suite, copies, states written down, and what a seat is told."""

import random
from typing import Any

import numpy as np
import pyspiel
import pytest

import parlour.envs
from parlour.envs import openspiel

assert parlour.envs

GAMES = {
    "parlour_forsale(players=3)": "estates",
    "parlour_forsale(players=5,balances=open)": "estates",
    "parlour_dominion(players=2,turn_cap=3)": "hand",
    "parlour_maze(players=2,rows=5,columns=5,round_cap=5)": "tiles",
}


def midway(name: str, steps: int) -> Any:
    state, chance = pyspiel.load_game(name).new_initial_state(), random.Random(4)
    state.apply_action(7)
    for _ in range(steps):
        state.apply_action(chance.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("name", GAMES)
def test_its_own_suite_passes(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), 1, True, False)


@pytest.mark.parametrize("name", GAMES)
def test_a_copy_goes_on_by_itself_and_a_written_state_is_read_back(name: str) -> None:
    state = midway(name, 9)
    twin = state.clone()
    read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]
    before = [state.information_state_string(seat) for seat in range(2)]
    for other in (twin, read):
        assert [other.information_state_string(seat) for seat in range(2)] == before
        assert other.legal_actions() == state.legal_actions()
    chance = random.Random(1)
    while not twin.is_terminal():
        twin.apply_action(chance.choice(twin.legal_actions()))
    assert [state.information_state_string(seat) for seat in range(2)] == before
    assert not state.is_terminal() and sum(twin.returns()) == pytest.approx(0)


@pytest.mark.parametrize("name", GAMES)
def test_observations_are_numbers_and_words(name: str) -> None:
    state = midway(name, 5)
    game = state.get_game()
    seen = np.array(state.observation_tensor(0))
    assert seen.shape == tuple(game.observation_tensor_shape()) and seen.any()
    assert "View(seat=0" in state.observation_string(0)
    assert state.information_state_string(0).endswith(state.observation_string(0))


def test_chance_is_one_node_that_draws_the_seed() -> None:
    game = pyspiel.load_game("parlour_forsale(seeds=5)")
    state = game.new_initial_state()
    assert state.is_chance_node() and state.chance_outcomes() == [(seed, 0.2) for seed in range(5)]
    deals = set()
    for seed in range(5):
        dealt = state.child(seed)
        assert not dealt.is_chance_node()
        deals.add(str(dealt))
    assert len(deals) == 5


def test_a_sealed_choice_is_not_told_before_all_have_chosen() -> None:
    state = midway("parlour_forsale(players=3)", 0)
    while "part=2" not in str(state):
        state.apply_action(min(state.legal_actions()))
    chosen = [state.child(action) for action in state.legal_actions()]
    assert len(chosen) > 1
    assert len({one.information_state_string(chosen[0].current_player()) for one in chosen}) == 1


def test_games_that_fit_are_registered_and_the_others_are_not() -> None:
    ours = {name for name in pyspiel.registered_names() if name.startswith("parlour_")}
    assert ours == {"parlour_forsale", "parlour_dominion", "parlour_maze"}
    assert openspiel.load("forsale", players=4).num_players() == 4
