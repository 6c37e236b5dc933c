"""Wrong arguments and wrong calls get an error that says what is right."""

import re
import subprocess
import sys
from typing import Any

import gymnasium
import pytest

import parlour.envs
from parlour.core import BadOptions
from parlour.envs import openspiel
from parlour.envs.pettingzoo import env, parallel_env

assert parlour.envs

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"game": "forsail"}, "unknown game 'forsail'; did you mean 'forsale'?"),
    ({"seats": 2}, "seats=2: For Sale has 3 to 6 seats"),
    ({"seats": "4"}, "seats='4': For Sale has 3 to 6 seats"),
    ({"start_coin": 3}, "For Sale has no option 'start_coin'; did you mean 'start_coins'?"),
    ({"balances": "shown"}, "For Sale: Invalid enum value 'shown'"),
    ({"start_coins": 400}, "start_coins: 400 coins cannot be encoded; the most is 250"),
    ({"reward": "win"}, "reward='win': must be one of rank, score"),
    ({"max_steps": 0}, "max_steps=0: must be at least 1, or None"),
    ({"render_mode": "rgb_array"}, "render_mode='rgb_array': must be one of human, ansi"),
]
WRONG_SEATS: list[tuple[dict[str, Any], str]] = [
    ({"seat": 3}, "seat=3: there are 3 seats, counted from 0"),
    ({"opponents": "rand"}, "opponents: unknown player 'rand'"),
    ({"opponents": []}, "opponents: 0 are named, and there are 2 other seats"),
    ({"opponents": ["random"] * 3}, "opponents: 3 are named, and there are 2 other seats"),
    ({"opponents": [7]}, "opponents: 7 is neither the name of a bot nor a function of view, ask and dice"),
    ({"opponents": "exec:true"}, "opponents: 'exec:true': an environment plays only against bots of its own process"),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG)
def test_a_wrong_argument_is_named(wrong: dict[str, Any], words: str) -> None:
    for make in (env, parallel_env):
        with pytest.raises(BadOptions, match=re.escape(words)):
            make(**({"game": "forsale"} | wrong))


@pytest.mark.parametrize(("wrong", "words"), [*WRONG[:-2], *WRONG_SEATS])
def test_gymnasium_names_it_too(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOptions, match=re.escape(words)):
        gymnasium.make("parlour/ForSale-v0", **wrong)


def test_a_game_without_an_encoding_plays_in_text_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from parlour import plugins
    from tests.toys.lotto import GAME

    monkeypatch.setattr(plugins, "game", lambda name: GAME)
    with pytest.raises(BadOptions, match="has no encoding as numbers; its environments need text=True"):
        env("toy")
    made = env("toy", text=True)
    made.reset(seed=1)
    assert made.last()[0]


def test_an_index_out_of_range_changes_nothing() -> None:
    made = env("forsale")
    made.reset(seed=1)
    agent = made.agent_selection
    for wrong, words in ((49, "action 49: there are 49 actions"), (-1, "action -1"), (1.5, "not a whole number")):
        with pytest.raises(ValueError, match=re.escape(words)):
            made.step(wrong)
    assert made.agent_selection == agent
    text = env("forsale", text=True)
    text.reset(seed=1)
    for wrong_text, words in ((3, "action 3: not a text"), ("x" * 5000, "an action of 5000 characters")):
        with pytest.raises(ValueError, match=words):
            text.step(wrong_text)


def test_a_masked_index_is_a_fault_with_the_price_of_the_rules() -> None:
    made = env("forsale")
    made.reset(seed=1)
    agent = made.agent_selection
    made.step(1 + 18)  # sell an estate in an auction
    assert made.agent_selection == agent and "masked" in made.infos[agent]["fault"]
    made.step(19)
    made.step(19)  # the third attempt passes for the player
    assert made.agent_selection != agent


def test_steps_before_the_beginning_and_after_the_end_are_refused() -> None:
    made, together = env("forsale"), parallel_env("forsale")
    alone = gymnasium.make("parlour/ForSale-v0").unwrapped
    with pytest.raises(RuntimeError, match="call reset"):
        made.step(0)
    with pytest.raises(RuntimeError, match="call reset"):
        made.last()
    with pytest.raises(RuntimeError, match="call reset"):
        together.step({})
    with pytest.raises(RuntimeError, match="call reset"):
        alone.step(0)
    made.reset(seed=1)
    for _ in made.agent_iter():
        seen, _, over, _, _ = made.last()
        made.step(None if over else int(seen["action_mask"].argmax()))
    with pytest.raises(RuntimeError, match="call reset"):
        made.step(0)
    seen, _ = together.reset(seed=1)
    with pytest.raises(ValueError, match="there is no action for seat_"):
        together.step({})
    while together.agents:
        seen, *_ = together.step({agent: int(seen[agent]["action_mask"].argmax()) for agent in together.agents})
    with pytest.raises(RuntimeError, match="call reset"):
        together.step({})
    seen, _ = alone.reset(seed=1)
    over = False
    while not over:
        seen, _, over, _, _ = alone.step(int(seen["action_mask"].argmax()))
    with pytest.raises(RuntimeError, match="call reset"):
        alone.step(0)


@pytest.mark.parametrize(
    ("game", "parameters", "words"),
    [
        ("colorfight", {}, "ColorfightII does not fit OpenSpiel: A round is up to a thousand orders"),
        ("tradecraft", {}, "tradeCraft does not fit OpenSpiel: Offers are negotiated with words"),
        ("forsale", {"player": 4}, "parlour_forsale has no parameter 'player'. Parameters: players, seeds"),
    ],
)
def test_openspiel_names_what_does_not_fit(game: str, parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOptions, match=re.escape(words)):
        openspiel.load(game, **parameters)


MISSING = """
import sys
for name in {missing}:
    sys.modules[name] = None
try:
    {code}
except ModuleNotFoundError as e:
    print(e)
"""


@pytest.mark.parametrize(
    ("missing", "code", "words"),
    [
        (["pettingzoo"], "import parlour.envs.pettingzoo", "pettingzoo is not installed: pip install 'parlour[envs]'"),
        (["gymnasium"], "import parlour.envs.gymnasium", "gymnasium is not installed: pip install 'parlour[envs]'"),
        (["pyspiel"], "import parlour.envs.openspiel", "pyspiel is not installed: pip install 'parlour[openspiel]'"),
        (
            ["gymnasium", "pyspiel"],
            "import parlour.envs",
            "neither gymnasium nor open_spiel is installed: pip install 'parlour[envs]'",
        ),
    ],
)
def test_a_missing_package_is_named_with_what_installs_it(missing: list[str], code: str, words: str) -> None:
    program = MISSING.format(missing=missing, code=code)
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == words
