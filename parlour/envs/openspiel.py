"""Games in OpenSpiel, through its Python game API.

Chance is one node at the start: it draws one of a number of seeds, and everything hidden or random follows from it.
Seats that decide together are asked one after another, without seeing each other's choice.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from parlour.core import BadOptions, Event, Game, Seat
from parlour.core.encoding import Encoding
from parlour.envs.episode import Episode, Seeds
from parlour.envs.extras import needs
from parlour.envs.numbers import NumberInterface
from parlour.envs.setting import Setting, find, usual_seats

with needs("pyspiel", "openspiel"):
    import pyspiel

SEEDS = 1000
"""How many seeds the chance node has."""
MOST_LENGTH = 2**31 - 1


def name_of(game: Game[Any]) -> str:
    """The name of a game in OpenSpiel."""
    return f"parlour_{game.name}"


def load(game: str, **parameters: Any) -> Any:
    """`pyspiel.load_game` for a game of ours, with a clear error if it does not fit. BadOptions."""
    found = find(game)
    if reason := why_not(found):
        raise BadOptions(f"{found.title} does not fit OpenSpiel: {reason}")
    known = parameters_of(found)
    if unknown := [name for name in parameters if name not in known]:
        raise BadOptions(f"{name_of(found)} has no parameter {unknown[0]!r}. Parameters: {', '.join(known)}")
    return pyspiel.load_game(name_of(found), parameters)


def why_not(game: Game[Any]) -> str:
    """Why the game is not in OpenSpiel; empty if it is."""
    if game.encoding is None:
        return "it has no encoding as numbers."
    return Setting(game, None, {}).encoding().no_tree


def register(game: Game[Any]) -> None:
    """Make the game known to `pyspiel.load_game`."""
    kind = type_of(game)

    class Registered(SpielGame):
        def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, kind, dict(parameters or {}))

    pyspiel.register_game(kind, Registered)


def parameters_of(game: Game[Any]) -> dict[str, Any]:
    """The parameters with their defaults: players, seeds, and the house rules that are a number, a truth or a text."""
    usual = game.rules.options()
    rules = {name: getattr(usual, name) for name in usual.__struct_fields__}
    simple = {name: value for name, value in rules.items() if isinstance(value, bool | int | float | str)}
    return {"players": usual_seats(game), "seeds": SEEDS, **simple}


def type_of(game: Game[Any]) -> Any:
    seats = [number for number in game.table_seats() if number > 1]
    return pyspiel.GameType(
        short_name=name_of(game),
        long_name=f"Parlour: {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats[-1],
        min_num_players=seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(game),
    )


class SpielGame(pyspiel.Game):
    """A game with its seats, house rules and number of seeds."""

    def __init__(self, game: Game[Any], kind: Any, given: dict[str, Any]) -> None:
        parameters = parameters_of(game) | given
        players, self.seeds = parameters.pop("players"), parameters.pop("seeds")
        if self.seeds < 1:
            raise BadOptions(f"seeds={self.seeds}: there must be at least 1")
        self.setting = Setting(game, players, parameters)
        self.encoding = self.setting.encoding()
        longest = game.rules.bound(players, self.setting.options) * self.encoding.most_indexes + 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions,
            max_chance_outcomes=self.seeds,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=min(MOST_LENGTH, longest),
        )
        super().__init__(kind, info, given)

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":
        if params:
            raise ValueError(f"an observer has no parameters, and {params} were given")
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return SpielObserver(self.encoding, recalls)


class SpielState(pyspiel.State):
    """A position: before the seed is drawn, or of a match."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.play = Play(game.setting, game.encoding, game.seeds)

    def current_player(self) -> int:
        return self.play.current()

    def is_terminal(self) -> bool:
        return bool(self.play.current() == pyspiel.PlayerId.TERMINAL)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(seed, 1 / self.play.seeds) for seed in range(self.play.seeds)]

    def _legal_actions(self, player: Seat) -> list[int]:
        return self.play.legal() if player == self.play.current() else []

    def _apply_action(self, action: int) -> None:
        self.play.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"seed {action}" if player == pyspiel.PlayerId.CHANCE else self.play.named(action)

    def returns(self) -> list[float]:
        return self.play.returns()

    def __str__(self) -> str:
        return self.play.shown()


class Play:
    """The match behind a position, and what each seat has been shown and has done."""

    def __init__(self, setting: Setting, encoding: Encoding, seeds: int) -> None:
        self.setting, self.seeds = setting, seeds
        self.encoding = encoding
        self.episode: Episode | None = None
        self.interface = NumberInterface(encoding)
        self.memories: list[list[str]] = [[] for _ in range(setting.seats)]
        """By seat, all that it was told and all that it did."""
        self._applied: list[int] = []

    def __reduce__(self) -> Any:
        """OpenSpiel writes a state down by pickling its attributes. The actions give all of it again."""
        setting = self.setting
        return replayed, (
            setting.game.name,
            setting.seats,
            msgspec.json.encode(setting.options),
            self.seeds,
            self._applied,
        )

    def __deepcopy__(self, memo: object) -> "Play":
        """OpenSpiel clones a state by copying its attributes."""
        twin = Play(self.setting, self.encoding, self.seeds)
        if self.episode is not None:
            twin.episode = self.episode.copy()
            twin.interface.begin(twin.episode, self.interface.drafts())
            twin.memories = [memory[:] for memory in self.memories]
            twin._applied = self._applied[:]
        return twin

    def current(self) -> int:
        if self.episode is None:
            return int(pyspiel.PlayerId.CHANCE)
        asked = self.episode.asked
        return int(pyspiel.PlayerId.TERMINAL) if asked is None else asked.seat

    def legal(self) -> list[int]:
        seen = self.interface.observe(self.current())
        legal: list[int] = seen["action_mask"].nonzero()[0].tolist()
        return legal

    def apply(self, action: int) -> None:
        self._applied.append(action)
        if self.episode is None:
            self.episode = Episode(self.setting, Seeds(action).next(), watch=True)
            self.interface.begin(self.episode)
            self._tell()
            return
        asked = self.episode.asked
        assert asked is not None
        self.memories[asked.seat].append(f"chose {action}")
        said = self.interface.decode(asked.seat, asked.ask, action)
        if said is not None:
            self.episode.answer(said)
            self._tell()

    def _tell(self) -> None:
        """Note what each seat is told."""
        assert self.episode is not None
        for out in self.episode.outs:
            for seat, memory in enumerate(self.memories):
                memory.extend([str(notice) for notice in out.to(seat) if isinstance(notice, Event)])
        self.episode.outs.clear()

    def named(self, index: int) -> str:
        """An index as the encoding names it."""
        for run in self.encoding.choices:
            if index < run.size:
                return run.name if run.size == 1 else f"{run.name} {index}"
            index -= run.size
        raise ValueError(f"there are {self.encoding.actions} actions")

    def returns(self) -> list[float]:
        if self.episode is None or self.episode.asked is not None:
            return [0.0] * self.setting.seats
        return self.episode.rewards("rank")

    def observed(self, player: Seat) -> Any:
        """The observation of a seat; None before the seed is drawn."""
        return None if self.episode is None else self.interface.observe(player)["observation"]

    def shown(self) -> str:
        return "before the deal" if self.episode is None else str(self.episode.match.state.view(None))

    def shown_to(self, player: Seat) -> str:
        """The view of a seat and its draft."""
        if self.episode is None:
            return "before the deal"
        draft = self.interface.drafts().get(player)
        return str(self.episode.match.state.view(player)) + (f" {draft[1]}" if draft else "")


def replayed(game: str, seats: int, options: bytes, seeds: int, actions: list[int]) -> Play:
    """The position after these actions."""
    given: dict[str, Any] = msgspec.json.decode(options)
    given.pop("type")
    setting = Setting(game, seats, given)
    play = Play(setting, setting.encoding(), seeds)
    for action in actions:
        play.apply(action)
    return play


class SpielObserver:
    """Observations as numbers and text; with perfect recall, text only: all that the seat was shown and did."""

    def __init__(self, encoding: Encoding, recalls: bool) -> None:
        self._recalls = recalls
        self.tensor = None if recalls else np.zeros(encoding.size, np.float32)
        self.dict: dict[str, Any] = {}
        if self.tensor is not None:
            starts = encoding.starts()
            self.dict = {part.name: self.tensor[starts[part.name] :][: part.size] for part in encoding.parts}

    def set_from(self, state: SpielState, player: Seat) -> None:
        if self.tensor is not None:
            seen = state.play.observed(player)
            self.tensor[:] = 0 if seen is None else seen

    def string_from(self, state: SpielState, player: Seat) -> str:
        play = state.play
        if not self._recalls:
            return play.shown_to(player)
        return "\n".join([*play.memories[player], play.shown_to(player)])
