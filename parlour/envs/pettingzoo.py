"""Games as PettingZoo environments: agents act in turn (AEC), or all at once (parallel)."""

from collections.abc import Iterator, Mapping
from typing import Any

from parlour.core import BadMessage, BadOptions, Seat
from parlour.envs.extras import needs

with needs("pettingzoo", "envs"):
    from pettingzoo import AECEnv, ParallelEnv

from parlour.envs.episode import Episode, Seeds
from parlour.envs.interface import Interface
from parlour.envs.numbers import NumberInterface
from parlour.envs.rendering import MODES, Rendering
from parlour.envs.setting import Reward, Setting, checked_reward
from parlour.envs.texts import TextInterface
from parlour.referee.match import Open


def env(
    game: str,
    *,
    seats: int | None = None,
    reward: Reward = "rank",
    text: bool = False,
    max_steps: int | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> "TurnEnv":
    """The AEC environment of a game. `options` are the house rules of the game."""
    setting = Setting(game, seats, options)
    interface = TextInterface(setting) if text else NumberInterface(setting.encoding())
    return TurnEnv(setting, interface, reward, max_steps, render_mode)


def parallel_env(
    game: str,
    *,
    seats: int | None = None,
    reward: Reward = "rank",
    text: bool = False,
    max_steps: int | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> "TogetherEnv":
    """The parallel environment of a game. `options` are the house rules of the game."""
    setting = Setting(game, seats, options)
    interface = TextInterface(setting) if text else NumberInterface(setting.encoding(), waits=True)
    return TogetherEnv(setting, interface, reward, max_steps, render_mode)


class MatchEnv:
    """The common base of both kinds of environment."""

    def __init__(
        self,
        setting: Setting,
        interface: Interface,
        reward: Reward,
        max_steps: int | None,
        render_mode: str | None,
    ) -> None:
        if max_steps is not None and max_steps < 1:
            raise BadOptions(f"max_steps={max_steps!r}: must be at least 1, or None")
        self.interface = interface
        """The observations and actions of agents; its `encoding` or `rules` explain them."""
        self.render_mode = render_mode
        self.metadata = {
            "name": f"parlour_{setting.game.name}_v{interface.version}",
            "render_modes": list(MODES),
            "is_parallelizable": False,
        }
        self.possible_agents = list(setting.names)
        self.agents: list[str] = []
        self.observation_spaces = {agent: interface.observation_space() for agent in setting.names}
        self.action_spaces = {agent: interface.action_space() for agent in setting.names}
        self._seats = {agent: seat for seat, agent in enumerate(setting.names)}
        self._setting = setting
        self._reward: Reward = checked_reward(reward)
        self._max_steps = max_steps
        self._rendering = Rendering(setting.game, render_mode)
        self._seeds = Seeds()
        self._episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The match that is played; RuntimeError before the first reset."""
        if self._episode is None:
            raise RuntimeError("no match has begun: call reset first")
        return self._episode

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> Episode:
        if seed is not None:
            self._seeds = Seeds(seed)
        episode = self._episode = Episode(self._setting, self._seeds.next(), watch=self.interface.watches)
        self.interface.begin(episode)
        return episode

    def _fault(self, seat: Seat, said: Any) -> dict[str, Any]:
        """The facts for an agent about its last action: why it was refused, if it was."""
        words = said.words if isinstance(said, BadMessage) else self.episode.refusal(seat)
        return {"fault": words} if words else {}

    def transcript(self) -> bytes:
        """The transcript of the match, as `parlour verify` reads it. It is complete once the match is over."""
        return self.episode.transcript()

    def render(self) -> str | None:
        return self._rendering.show(self.episode)

    def close(self) -> None:
        """There is nothing to release."""


class TurnEnv(MatchEnv, AECEnv[str, Any, Any]):
    """Agents act one at a time. Simultaneous decisions are asked in seat order, and stay hidden until all are made."""

    terminations: dict[str, bool] = {}
    agent_selection = ""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match. The same seed gives the same deal."""
        self._asked = self._begin(seed).asked
        agents = self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection: str | None = None
        self._steps_left = self._max_steps
        self.agent_selection = agents[0]
        self._select()

    def observe(self, agent: str) -> Any:
        return self.interface.observe(self._seats[agent])

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward, termination, truncation and info of the selected agent."""
        agent = self.agent_selection
        if agent not in self.terminations:
            raise RuntimeError("no agent is left, for the match is over or has not begun: call reset")
        seen = self.interface.observe(self._seats[agent]) if observe else None
        reward = self._cumulative_rewards[agent]
        return seen, reward, self.terminations[agent], self.truncations[agent], self.infos[agent]

    def step(self, action: Any) -> None:
        """Act for the selected agent. An action that is not possible is a fault, with the price that the rules have."""
        agent = self.agent_selection
        is_over = self.terminations.get(agent)
        if is_over or is_over is None or self.truncations[agent]:
            self._step_after_end(action)
            return
        asked, episode = self._asked, self._episode
        assert asked is not None and episode is not None
        said = self.interface.decode(asked.seat, asked.ask, action)
        if said is not None:
            self._asked = episode.answer(said)
        if self.infos[agent] or self.interface.watches or type(said) is BadMessage:
            self.infos[agent] = self._fault(asked.seat, said)
        self._cumulative_rewards[agent] = 0.0
        self._select()
        if self._rendering.is_live:
            self.render()

    def _step_after_end(self, action: Any) -> None:
        """Remove the selected agent, for which the match is over, and select the next one. All are over at once."""
        if not self.agents:
            raise RuntimeError("no agent is left, for the match is over or has not begun: call reset")
        if action is not None:
            raise ValueError(f"action {action!r}: the match is over for this agent, so its only action is None")
        agent = self.agent_selection
        self.agents.remove(agent)
        for facts in (self.terminations, self.truncations, self._cumulative_rewards, self.infos):
            del facts[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def _select(self) -> None:
        """Select the agent that is asked next, or finish."""
        asked = self._asked
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


class TogetherEnv(MatchEnv, ParallelEnv[str, Any, Any]):
    """All agents act at once. The actions of agents that are not asked are ignored."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a new match. The same seed gives the same deal."""
        self._begin(seed)
        self._ready: dict[Seat, tuple[int, Any]] = {}
        """By seat, the answer to an ask, and the number of that ask."""
        self._steps = 0
        self.agents = self.possible_agents[:]
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the actions of all agents."""
        agents = self.agents
        if not agents:
            raise RuntimeError("no agent is left, for the match is over or has not begun: call reset")
        self._steps += 1
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._read(actions)
        for seat, said in self._answered():
            infos[agents[seat]] = self._fault(seat, said)
        over = self.episode.asked is None
        truncated = not over and self._max_steps is not None and self._steps >= self._max_steps
        rewards = self.episode.rewards(self._reward) if over else [0.0] * len(agents)
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

    def _read(self, actions: Mapping[str, Any]) -> None:
        """Read the actions of the agents that are asked."""
        asks = {seat: open for seat in range(len(self.agents)) if (open := self._awaited(seat)) is not None}
        for seat in asks:
            if self.agents[seat] not in actions:
                raise ValueError(f"there is no action for {self.agents[seat]}, which is asked")
        for seat, open in asks.items():
            said = self.interface.decode(seat, open.ask, actions[self.agents[seat]])
            if said is not None:
                self._ready[seat] = open.n, said

    def _answered(self) -> Iterator[tuple[Seat, Any]]:
        """Give the referee the answers that are complete. Those after one that is not wait for it."""
        episode = self.episode
        while (asked := episode.asked) is not None and asked.seat in self._ready:
            n, said = self._ready.pop(asked.seat)
            if n == asked.n:  # otherwise the ask was closed before its turn came
                episode.answer(said)
                yield asked.seat, said

    def _awaited(self, seat: Seat) -> Open | None:
        """The ask that the seat has to answer in this step."""
        open = self.episode.match.open.get(seat)
        if open is None or not open.ask.waits or open.ask.default is not None:
            return None
        return None if self._ready.get(seat, (0, None))[0] == open.n else open

    def _observed(self) -> dict[str, Any]:
        return {agent: self._observe(seat) for seat, agent in enumerate(self.agents)}

    def _observe(self, seat: Seat) -> Any:
        return self.interface.idle(seat) if self._awaited(seat) is None else self.interface.observe(seat)
