"""Games as Gymnasium environments: one seat is the agent, bots of this process have the others."""

from collections.abc import Sequence
from typing import Any

from parlour.core import BadMessage, BadOptions, Game, Seat
from parlour.core.encoding import Mask
from parlour.envs.episode import (
    Episode,
    Indexed,
    Opponent,
    Reward,
    Setting,
    new_seed,
    opponent_spec,
    seat_opponents,
)
from parlour.envs.extras import needs
from parlour.envs.rendering import MODES, Rendering
from parlour.envs.spaces import action_space, observation_space

with needs("gymnasium", "envs"):
    import gymnasium


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """One seat of a match. Without a fixed `seat`, each episode draws one."""

    metadata = {"render_modes": list(MODES), "render_fps": 4}

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        seat: Seat | None = None,
        opponents: Opponent | Sequence[Opponent] | None = None,
        reward: Reward = "rank",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._setting = Setting(game, seats, options)
        self._encoding = self._setting.encoding()
        self._fixed = self._checked(seat)
        self._opponents = self._named(opponents)
        self._reward = reward
        self._rendering = Rendering(self._setting.game, render_mode)
        self.render_mode = render_mode
        self.observation_space = observation_space(self._encoding)
        self.action_space = action_space(self._encoding)

    def _checked(self, seat: Seat | None) -> Seat | None:
        if seat is not None and not 0 <= seat < self._setting.seats:
            raise BadOptions(f"seat {seat}: there are {self._setting.seats} seats, counted from 0")
        return seat

    def _named(self, opponents: Opponent | Sequence[Opponent] | None) -> list[Opponent]:
        """The opponents of the seats after the agent; by default the game's house bot."""
        if opponents is None:
            opponents = self._setting.game.hosting.house_bot
        listed = [opponents] if isinstance(opponents, str) or callable(opponents) else list(opponents)
        others = self._setting.seats - 1
        if not 1 <= len(listed) <= others:
            raise BadOptions(f"{len(listed)} opponents: there are {others} other seats")
        for opponent in listed:
            opponent_spec(self._setting.game, opponent)
        return listed

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new match. The same seed gives the same deal, seat and opponents."""
        super().reset(seed=seed)
        self._begin()
        while self.episode.asked is None:  # it ended before the agent was asked
            self._begin()
        return self._seen.observe(self.seat), {"seat": self.seat}

    def _begin(self) -> None:
        seats, random = self._setting.seats, self.np_random
        self.seat: Seat = int(random.integers(seats)) if self._fixed is None else self._fixed
        others = [(self.seat + place) % seats for place in range(1, seats)]
        match_seed = new_seed(random)
        minds = seat_opponents(self._setting.game, self._opponents, match_seed, others)
        self.episode = Episode(self._setting, match_seed, minds)
        self._seen = Indexed(self._encoding, self.episode)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Choose an index. A masked index is a fault, with the price that the rules have."""
        asked = self.episode.asked
        if asked is None:
            raise ValueError("the episode is over: call reset first")
        said = self._seen.decode(self.seat, asked.ask, action)
        if said is not None:
            self.episode.answer(said)
        info: dict[str, Any] = {"seat": self.seat}
        if isinstance(said, BadMessage):
            info["fault"] = said.words
        over = self.episode.asked is None
        reward = self.episode.rewards(self._reward)[self.seat] if over else 0.0
        if self._rendering.is_live:
            self.render()
        return self._seen.observe(self.seat), reward, over, False, info

    def action_masks(self) -> Mask:
        """The mask alone, as some libraries want it."""
        mask: Mask = self._seen.observe(self.seat)["action_mask"].astype(bool)
        return mask

    def render(self) -> Any:
        return self._rendering.show(self.episode)


def id_of(game: Game[Any], version: int) -> str:
    """The id of a game: its title without spaces."""
    return f"parlour/{''.join(word[0].upper() + word[1:] for word in game.title.split())}-v{version}"


def register(game: Game[Any], version: int) -> None:
    """Make the game known to `gymnasium.make`."""
    gymnasium.register(id_of(game, version), "parlour.envs.gymnasium:SeatEnv", kwargs={"game": game.name})
