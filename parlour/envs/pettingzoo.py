"""Games as PettingZoo environments: agents act in turn (AEC), or all at once (parallel)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from parlour.core import BadMessage, Seat
from parlour.envs.extras import needs

with needs("pettingzoo", "envs"):
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv, ParallelEnv

from parlour.envs.episode import Episode, Indexed, Reward, Setting, new_seed
from parlour.envs.rendering import Rendering
from parlour.envs.spaces import action_space, observation_space


def env(
    game: str,
    *,
    seats: int | None = None,
    reward: Reward = "rank",
    max_steps: int | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> "TurnEnv":
    """The AEC environment of a game. `options` are the house rules of the game."""
    return TurnEnv(Setting(game, seats, options), reward, max_steps, render_mode)


def parallel_env(
    game: str,
    *,
    seats: int | None = None,
    reward: Reward = "rank",
    max_steps: int | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> "TogetherEnv":
    """The parallel environment of a game. `options` are the house rules of the game."""
    return TogetherEnv(Setting(game, seats, options), reward, max_steps, render_mode)


class TurnEnv(AECEnv[str, dict[str, Any], int]):
    """Agents act one at a time. Simultaneous decisions are asked in seat order, and stay hidden until all are made."""

    def __init__(self, setting: Setting, reward: Reward, max_steps: int | None, render_mode: str | None) -> None:
        super().__init__()
        self._setting = setting
        self._encoding = setting.encoding()
        self._reward = reward
        self._max_steps = max_steps
        self._rendering = Rendering(setting.game, render_mode)
        self.render_mode = render_mode
        self.metadata = metadata(setting)
        self.possible_agents = [f"seat_{seat}" for seat in range(setting.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(self._encoding) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self._encoding) for agent in self.possible_agents}
        self._random, _ = np_random(None)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match. The same seed gives the same deal."""
        if seed is not None:
            self._random, _ = np_random(seed)
        self.episode = Episode(self._setting, new_seed(self._random))
        self._seen = Indexed(self._encoding, self.episode)
        agents = self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(agents, 0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection: str | None = None
        self._steps_left = self._max_steps
        self.agent_selection = agents[0]
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        return self._seen.observe(self._seats[agent])

    def step(self, action: Any) -> None:
        """Choose an index for the selected agent. A masked index is a fault, with the price that the rules have."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        asked = self.episode.asked
        assert asked is not None, "an agent that is not dead is asked"
        said = self._seen.decode(asked.seat, asked.ask, action)
        if said is not None:
            self.episode.answer(said)
        if self.infos[agent]:
            self.infos[agent] = {}
        if isinstance(said, BadMessage):
            self.infos[agent] = {"fault": said.words}
        self._cumulative_rewards[agent] = 0
        self._select()
        if self._rendering.is_live:
            self.render()

    def _select(self) -> None:
        asked = self.episode.asked
        if asked is None:
            self._finish()
            return
        self.agent_selection = self.possible_agents[asked.seat]
        if self._steps_left is not None:
            self._steps_left -= 1
            if self._steps_left < 0:
                self.truncations = dict.fromkeys(self.agents, True)

    def _finish(self) -> None:
        for agent, reward in zip(self.possible_agents, self.episode.rewards(self._reward), strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        return self._rendering.show(self.episode)

    def close(self) -> None:
        """There is nothing to release."""


class TogetherEnv(ParallelEnv[str, dict[str, Any], int]):
    """All agents act at once. An agent that is not asked waits: the last index is its only one."""

    def __init__(self, setting: Setting, reward: Reward, max_steps: int | None, render_mode: str | None) -> None:
        self._setting = setting
        self._encoding = setting.encoding()
        self._wait = self._encoding.actions
        self._reward = reward
        self._max_steps = max_steps
        self._rendering = Rendering(setting.game, render_mode)
        self.render_mode = render_mode
        self.metadata = metadata(setting)
        self.possible_agents = [f"seat_{seat}" for seat in range(setting.seats)]
        self.observation_spaces = {agent: observation_space(self._encoding, 1) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self._encoding, 1) for agent in self.possible_agents}
        self._random, _ = np_random(None)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a new match. The same seed gives the same deal."""
        if seed is not None:
            self._random, _ = np_random(seed)
        self.episode = Episode(self._setting, new_seed(self._random))
        self._seen = Indexed(self._encoding, self.episode)
        self._ready: dict[Seat, Any] = {}
        self._steps = 0
        self.agents = self.possible_agents[:]
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the indexes of all agents. Those of agents that are not asked are ignored."""
        agents, self._steps = self.agents, self._steps + 1
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        for seat, agent in enumerate(self.possible_agents if agents else ()):
            ask = self._awaited(seat)
            if ask is not None:
                said = self._ready[seat] = self._decoded(seat, ask, actions, agent)
                if isinstance(said, BadMessage):
                    infos[agent] = {"fault": said.words}
        self._answer()
        over = self.episode.asked is None
        truncated = not over and self._max_steps is not None and self._steps >= self._max_steps
        rewards = self.episode.rewards(self._reward) if over and agents else [0.0] * len(agents)
        observed = self._observed()
        self.agents = [] if over or truncated else agents
        if self._rendering.is_live:
            self.render()
        return (
            observed,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, truncated),
            infos,
        )

    def _awaited(self, seat: Seat) -> Any | None:
        """The ask that the seat has to answer in this step."""
        ask = self.episode.ask(seat)
        return None if ask is None or ask.default is not None or self._ready.get(seat) is not None else ask

    def _decoded(self, seat: Seat, ask: Any, actions: Mapping[str, Any], agent: str) -> Any | None:
        if agent not in actions:
            raise ValueError(f"there is no action for {agent}, which is asked")
        if actions[agent] == self._wait:
            return BadMessage("masked", f"index {self._wait} is masked")
        return self._seen.decode(seat, ask, actions[agent])

    def _answer(self) -> None:
        """Give the referee the answers that are complete. Those after one that is not wait for it."""
        episode = self.episode
        while (asked := episode.asked) is not None and (said := self._ready.pop(asked.seat, None)) is not None:
            episode.answer(said)

    def _observed(self) -> dict[str, Any]:
        return {agent: self._observe(seat) for seat, agent in enumerate(self.possible_agents) if agent in self.agents}

    def _observe(self, seat: Seat) -> dict[str, Any]:
        seen = self._seen.observe(seat)
        mask = np.append(seen["action_mask"], np.int8(0))
        if self._awaited(seat) is None:
            mask[:] = 0
            mask[-1] = 1
        return {"observation": seen["observation"], "action_mask": mask}

    def render(self) -> str | None:
        return self._rendering.show(self.episode)

    def close(self) -> None:
        """There is nothing to release."""


def metadata(setting: Setting) -> dict[str, Any]:
    return {
        "name": f"parlour_{setting.game.name}_v{setting.encoding().version}",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
    }
