"""Environments in text: observations and actions are words."""

from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test, seed_test

import parlour.envs
from parlour import plugins
from parlour.core import Dice
from parlour.core.generated_text import text_of
from parlour.envs.gymnasium import id_of
from parlour.envs.pettingzoo import env, parallel_env
from parlour.referee.replay import verify
from tests.envs.short import ENCODED, SHORT

assert parlour.envs

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation"),
    pytest.mark.filterwarnings("ignore:Action space"),
    pytest.mark.filterwarnings("ignore:Agent space"),
]


@pytest.mark.parametrize("game", ENCODED)
def test_the_suites_pass_in_text(game: str) -> None:
    def together() -> Any:
        return parallel_env(game, text=True, **SHORT[game])

    def turns() -> Any:
        return env(game, text=True, **SHORT[game])

    # PettingZoo's api_test knows arrays only: it asks observations for their dtype.
    seed_test(turns, num_cycles=20)
    parallel_api_test(together(), num_cycles=20)
    parallel_seed_test(together, num_cycles=20)
    check_env(gymnasium.make(id_of(plugins.game(game), 0), text=True, opponents="random", **SHORT[game]).unwrapped)


@pytest.mark.parametrize("game", ENCODED)
def test_a_match_is_played_in_words(game: str) -> None:
    made = env(game, text=True, **SHORT[game])
    made.reset(seed=5)
    definition, dice = plugins.game(game), Dice(b"words")
    bot, names = definition.hosting.bots["random"], made.possible_agents
    for agent in made.agent_iter():
        seen, _, over, _, info = made.last()
        if over:
            made.step(None)
            continue
        assert not info and seen in made.observation_space(agent)
        asked = made.episode.asked
        assert asked is not None
        action = bot(made.episode.match.state.view(asked.seat), asked.ask, dice)
        made.step(text_of(definition).render(action, names))
    assert verify(made.transcript(), plugins.game).holds == "yes"


def test_an_observation_has_the_events_since_the_last_decision() -> None:
    made = env("forsale", text=True)
    made.reset(seed=1)
    first = made.agent_selection
    made.step("bid 2")
    made.step("bid 3")
    third = made.agent_selection
    assert "bid 2" in made.last()[0] and "bid 3" in made.last()[0]
    made.step("pass")
    made.step("pass")
    assert first != third and "bid 3" in made.last()[0]


def test_words_that_are_no_answer_are_a_fault_and_the_agent_is_asked_again() -> None:
    made = env("forsale", text=True)
    made.reset(seed=1)
    agent = made.agent_selection
    for words in ("I do not know.", "bid 500"):
        made.step(words)
        assert made.agent_selection == agent and made.infos[agent]["fault"]
    made.step("bid 1")
    assert made.agent_selection != agent and not made.infos[agent]


def test_the_rules_are_given_in_words() -> None:
    assert "bid" in env("forsale", text=True).interface.rules  # type: ignore[attr-defined]
