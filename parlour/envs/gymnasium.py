"""Games as Gymnasium environments: one seat is the agent, bots of this process have the others."""

from collections.abc import Sequence
from typing import Any

from parlour.core import BadMessage, BadOptions, Game, Seat
from parlour.core.encoding import Mask
from parlour.envs.episode import SEED_BYTES, Episode
from parlour.envs.extras import needs
from parlour.envs.interface import Interface
from parlour.envs.numbers import NumberInterface
from parlour.envs.rendering import MODES, Rendering
from parlour.envs.setting import Opponent, Reward, Setting, checked_reward, opponent_spec, seat_opponents
from parlour.envs.texts import TextInterface
from parlour.players.player_specs import LocalSpec

with needs("gymnasium", "envs"):
    import gymnasium

ENTRY_POINT = "parlour.envs.gymnasium:SeatEnv"


class SeatEnv(gymnasium.Env[Any, Any]):
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
        text: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._setting = setting = Setting(game, seats, options)
        self.interface: Interface = TextInterface(setting) if text else NumberInterface(setting.encoding())
        """The observations and actions of the agent; its `encoding` or `rules` explain them."""
        self._fixed = checked_seat(setting, seat)
        self._opponents = opponent_specs(setting, opponents)
        self._reward: Reward = checked_reward(reward)
        self._rendering = Rendering(setting.game, render_mode)
        self.render_mode = render_mode
        self.observation_space = self.interface.observation_space()
        self.action_space = self.interface.action_space()
        self._episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The match that is played; RuntimeError before the first reset."""
        if self._episode is None:
            raise RuntimeError("no match has begun: call reset first")
        return self._episode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new match. The same seed gives the same deal, seat and opponents."""
        super().reset(seed=seed)
        self._episode = self._begin()
        while self._episode.asked is None:  # it ended before the agent was asked
            self._episode = self._begin()
        self.interface.begin(self._episode)
        return self.interface.observe(self.seat), {"seat": self.seat}

    def _begin(self) -> Episode:
        seats, random = self._setting.seats, self.np_random
        self.seat: Seat = int(random.integers(seats)) if self._fixed is None else self._fixed
        others = [(self.seat + place) % seats for place in range(1, seats)]
        match_seed = random.bytes(SEED_BYTES)
        minds = seat_opponents(self._opponents, match_seed, others)
        return Episode(self._setting, match_seed, minds, watch=self.interface.watches)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Act. An action that is not possible is a fault, with the price that the rules have."""
        episode = self.episode
        if episode.asked is None:
            raise RuntimeError("the match is over: call reset first")
        said = self.interface.decode(self.seat, episode.asked.ask, action)
        if said is not None:
            episode.answer(said)
        info: dict[str, Any] = {"seat": self.seat}
        if fault := said.words if isinstance(said, BadMessage) else episode.refusal(self.seat):
            info["fault"] = fault
        over = episode.asked is None
        reward = episode.rewards(self._reward)[self.seat] if over else 0.0
        if self._rendering.is_live:
            self.render()
        return self.interface.observe(self.seat), reward, over, False, info

    def action_masks(self) -> Mask:
        """The mask alone, as booleans; some libraries call this."""
        if not isinstance(self.interface, NumberInterface):
            raise TypeError("an environment in text has no action mask")
        mask: Mask = self.interface.observe(self.seat)["action_mask"].astype(bool)
        return mask

    def transcript(self) -> bytes:
        """The transcript of the match, as `parlour verify` reads it. It is complete once the match is over."""
        return self.episode.transcript()

    def render(self) -> Any:
        return self._rendering.show(self.episode)


def checked_seat(setting: Setting, seat: Seat | None) -> Seat | None:
    """This seat, or BadOptions."""
    if seat is not None and (isinstance(seat, bool) or seat not in range(setting.seats)):
        raise BadOptions(f"seat={seat!r}: there are {setting.seats} seats, counted from 0")
    return seat


def opponent_specs(setting: Setting, opponents: Opponent | Sequence[Opponent] | None) -> list[LocalSpec]:
    """The opponents of the seats after the agent; by default the game's house bot."""
    if opponents is None:
        opponents = setting.game.hosting.house_bot
    listed = [opponents] if isinstance(opponents, str) or not isinstance(opponents, Sequence) else list(opponents)
    others = setting.seats - 1
    if not 1 <= len(listed) <= others:
        raise BadOptions(f"opponents: {len(listed)} are named, and there are {others} other seats")
    return [opponent_spec(setting.game, opponent) for opponent in listed]


def id_of(game: Game[Any], version: int) -> str:
    """The id of a game: its title without spaces."""
    return f"parlour/{''.join(word[0].upper() + word[1:] for word in game.title.split())}-v{version}"


def register(game: Game[Any], version: int) -> None:
    """Make the game known to `gymnasium.make`."""
    gymnasium.register(id_of(game, version), ENTRY_POINT, kwargs={"game": game.name})
