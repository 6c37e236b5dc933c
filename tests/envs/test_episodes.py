"""Episodes are matches of the referee: equal seeds give equal transcripts, and every transcript verifies."""

import random
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import parlour.envs
from parlour import plugins
from parlour.core import Dice
from parlour.envs.gymnasium import id_of
from parlour.envs.pettingzoo import env, parallel_env
from parlour.referee.replay import verify
from tests.envs.short import ENCODED, SHORT

assert parlour.envs


def picked(mask: Any, chance: random.Random) -> int:
    return int(chance.choice(mask.nonzero()[0]))


def in_turn(game: str) -> bytes:
    made, chance = env(game, **SHORT[game]), random.Random(1)
    made.reset(seed=3)
    total = 0.0
    for _ in made.agent_iter():
        seen, reward, over, _, _ = made.last()
        total += reward if over else 0
        made.step(None if over else picked(seen["action_mask"], chance))
    assert abs(total) < 1e-9  # ranks are shared out
    return made.transcript()


def together(game: str) -> bytes:
    made, chance = parallel_env(game, **SHORT[game]), random.Random(1)
    seen, _ = made.reset(seed=3)
    while made.agents:
        seen, *_ = made.step({agent: picked(seen[agent]["action_mask"], chance) for agent in made.agents})
    return made.transcript()


def alone(game: str) -> bytes:
    made: Any = gymnasium.make(id_of(plugins.game(game), 0), opponents="random", **SHORT[game]).unwrapped
    chance = random.Random(1)
    seen, _ = made.reset(seed=3)
    over = False
    while not over:
        seen, _, over, _, _ = made.step(picked(seen["action_mask"], chance))
    transcript: bytes = made.transcript()
    return transcript


@pytest.mark.parametrize("game", ENCODED)
@pytest.mark.parametrize("played", [in_turn, together, alone])
def test_a_transcript_is_reproduced_and_verifies(game: str, played: Callable[[str], bytes]) -> None:
    transcript = played(game)
    assert transcript == played(game)
    assert verify(transcript, plugins.game).holds == "yes"


def test_without_a_seed_no_two_matches_are_equal_and_with_one_the_following_are_too() -> None:
    def deals(seed: int | None) -> list[str]:
        made = env("forsale")
        made.reset(seed=seed)
        first = made.episode.match.header.commit
        made.reset()
        return [first, made.episode.match.header.commit]

    assert len({*deals(None), *deals(None), *deals(1), *deals(2)}) == 8
    assert deals(1) == deals(1)


def test_a_transcript_before_the_end_does_not_show_the_seed() -> None:
    made = env("forsale")
    made.reset(seed=1)
    assert verify(made.transcript(), plugins.game).holds == "so far"


def test_a_mask_seen_before_a_turn_is_not_that_of_the_turn() -> None:
    made = env("forsale")
    made.reset(seed=1)
    following = made.possible_agents[(made.episode.asked.seat + 1) % 3]  # type: ignore[union-attr]
    assert not made.observe(following)["action_mask"].any()
    made.step(1)
    assert made.agent_selection == following
    made.step(2)  # without another look
    assert not made.infos[following]


def test_an_observation_may_be_changed_by_its_reader() -> None:
    made = env("forsale")
    made.reset(seed=1)
    seen = made.last()[0]
    seen["observation"][:] = 0
    seen["action_mask"][:] = 0
    assert made.last()[0]["action_mask"].any() and made.last()[0]["observation"].any()


def test_the_last_step_is_a_truncation_if_steps_are_limited() -> None:
    made = env("forsale", max_steps=4)
    made.reset(seed=1)
    steps = 0
    for _ in made.agent_iter():
        seen, _, over, truncated, _ = made.last()
        assert not over
        made.step(None if truncated else int(seen["action_mask"].argmax()))
        steps += not truncated
    assert steps == 4


def test_opponents_sit_after_the_agent_in_their_order() -> None:
    seated: list[tuple[str, int]] = []

    def opponent(name: str) -> type:
        class Seated:
            def sit(self, place: Any) -> None:
                seated.append((name, place.seat))

            def __call__(self, view: Any, ask: Any, dice: Dice) -> Any:
                return dice.pick(ask.choices)

        return Seated

    made = gymnasium.make("parlour/ForSale-v0", seats=4, seat=2, opponents=[opponent("a"), opponent("b")])
    _, info = made.reset(seed=1)
    assert info == {"seat": 2}
    assert sorted(seated) == [("a", 1), ("a", 3), ("b", 0)]


def test_seats_are_drawn_unless_one_is_chosen() -> None:
    made = gymnasium.make("parlour/ForSale-v0", seats=3)
    assert {made.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors_of_environments_play(mode: str) -> None:
    kind: Any = mode
    made = gymnasium.make_vec("parlour/ForSale-v0", num_envs=3, vectorization_mode=kind, opponents="random", seat=0)
    try:
        seen, _ = made.reset(seed=1)
        ended, chance = 0, random.Random(1)
        while ended < 3:
            masks = seen["action_mask"]
            # After an end the next step only resets, and takes any action.
            actions = np.array([picked(mask, chance) if mask.any() else 0 for mask in masks])
            seen, rewards, over, _, _ = made.step(actions)
            assert all(reward == 0 or ends for reward, ends in zip(rewards, over, strict=True))
            ended += int(over.sum())
    finally:
        made.close()


def test_rendering_shows_the_table_of_a_spectator(capsys: pytest.CaptureFixture[str]) -> None:
    made = env("forsale", render_mode="ansi")
    made.reset(seed=1)
    assert "seat_0" in (made.render() or "")
    live = env("forsale", render_mode="human")
    live.reset(seed=1)
    live.step(1)
    assert "seat_0" in capsys.readouterr().out
