"""One match, played step by step: the referee asks, and the caller of an environment answers with indexes."""

from collections.abc import Callable, Mapping, Sequence
from operator import index as whole
from typing import Any, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec.structs import replace

from parlour import plugins
from parlour.core import Asked, BadMessage, BadOptions, Draft, Encoding, Game, Result, Seat, Sitting
from parlour.core.encoding import Mask, Numbers
from parlour.core.options import read_house_rules
from parlour.players.player_specs import LocalSpec, load
from parlour.players.starter import mind_of
from parlour.referee.driver import stepped
from parlour.referee.log import ImmediateLog, MemoryLog
from parlour.referee.match import Match
from parlour.referee.player import Mind, place_of
from parlour.referee.transcript import commitment, header, match_name

Reward: TypeAlias = Literal["rank", "score"]
Opponent: TypeAlias = str | Callable[..., Any]
"""A player as `parlour match` names it, or a function of view, ask and dice, or a class of such functions."""

BEARS = 100
"""How many faults a seat may make in a match before it must leave."""


class Setting:
    """A game, its seats and options, and how it is encoded: what all episodes of an environment have in common."""

    def __init__(self, game: str | Game[Any], seats: int | None, options: Mapping[str, Any]) -> None:
        self.game = find(game) if isinstance(game, str) else game
        self.seats = usual_seats(self.game) if seats is None else seats
        rules = self.game.rules
        try:
            given = read_house_rules(rules.options, options)
        except msgspec.ValidationError as e:
            raise BadOptions(f"{self.game.title}: {e}") from None
        self.options: Any = rules.resolve(given, self.sittings)
        self._header = header(self.game, self.sittings, bytes(32), options=given, bears=BEARS)

    @property
    def sittings(self) -> list[Sitting]:
        return [Sitting(f"seat_{seat}") for seat in range(self.seats)]

    def encoding(self) -> Encoding:
        """The encoding; BadOptions if the game has none."""
        if self.game.encoding is None:
            raise BadOptions(f"{self.game.title} has no encoding for environments")
        return self.game.encoding(self.seats, self.options)

    def match(self, seed: bytes) -> Match[Any]:
        """A new match with this seed."""
        head = replace(self._header, match=match_name(seed), commit=commitment(seed))
        return Match(self.game, head, seed)


def find(name: str) -> Game[Any]:
    """The game of that name, or BadOptions."""
    game = plugins.find_game(name)
    if game is None:
        raise BadOptions(f"unknown game {name!r}. Known: {', '.join(plugins.names())}")
    return game


def usual_seats(game: Game[Any]) -> int:
    """The fewest seats at which players have an opponent."""
    return next(seats for seats in game.table_seats() if seats > 1)


def seat_opponents(
    game: Game[Any], opponents: Sequence[Opponent], seed: bytes, seats: Sequence[Seat]
) -> dict[Seat, Mind]:
    """New opponents at these seats; if there are fewer, they are repeated."""
    specs = [opponent_spec(game, opponents[place % len(opponents)]) for place in range(len(seats))]
    return {seat: mind_of(spec, seed, seat) for seat, spec in zip(seats, specs, strict=True)}


def opponent_spec(game: Game[Any], opponent: Opponent) -> LocalSpec:
    """BadOptions unless it is a bot of this process."""
    if not isinstance(opponent, str):
        return LocalSpec(
            getattr(opponent, "__name__", "opponent"), opponent if isinstance(opponent, type) else lambda: opponent
        )
    spec = load(game, opponent)
    if not isinstance(spec, LocalSpec):
        raise BadOptions(f"opponent {opponent!r}: an environment plays only against bots of its own process")
    return spec


class Episode:
    """One match. `asked` is the ask to be answered next by one of the seats without an opponent; None at the end."""

    def __init__(
        self, setting: Setting, seed: bytes, opponents: Mapping[Seat, Mind] | None = None, record: bool = False
    ) -> None:
        self.match = setting.match(seed)
        self.log = MemoryLog() if record else ImmediateLog()
        out = self.match.begin(0.0)
        minds = [None if opponents is None else opponents.get(seat) for seat in range(setting.seats)]
        for seat, mind in enumerate(minds):
            if mind is not None:
                mind.sit(place_of(self.match, seat))
        self._steps = stepped(self.match, minds, out, self.log)
        self.asked: Asked | None = next(self._steps, None)

    def answer(self, said: Any) -> None:
        """Answer the ask with an action or a BadMessage, and play on to the next ask or the end."""
        try:
            self.asked = self._steps.send(said)
        except StopIteration:
            self.asked = None

    def view(self, seat: Seat) -> Any:
        """What the seat sees now."""
        return self.match.state.view(seat)

    def ask(self, seat: Seat) -> Any | None:
        """The ask that is open for the seat, if any."""
        open = self.match.open.get(seat)
        return open.ask if open is not None and open.ask.waits else None

    def rewards(self, kind: Reward) -> list[float]:
        """By seat, after the end. RuntimeError if a bug of ours ended the match."""
        end = self.match.end
        if not isinstance(end, Result):
            raise RuntimeError(f"the match has ended without a result: {end}")
        return [float(score) for score in end.scores] if kind == "score" else by_rank(end.ranks)


def by_rank(ranks: Sequence[int]) -> list[float]:
    """The share of the other seats that a seat beats, minus the share that beat it: from -1 to 1, and 0 in sum."""
    others = max(1, len(ranks) - 1)
    return [sum((rank < other) - (rank > other) for other in ranks) / others for rank in ranks]


class Indexed:
    """The seats of an episode as an agent sees them: observations, masks and indexes."""

    def __init__(self, encoding: Encoding, episode: Episode) -> None:
        self.encoding = encoding
        self.episode = episode
        self.drafts: dict[Seat, Draft] = {}
        self._actions = encoding.actions
        self._masks: dict[Seat, Mask] = {}

    def observe(self, seat: Seat) -> dict[str, Numbers]:
        """Observation and mask of a seat."""
        episode, encoding = self.episode, self.encoding
        view, ask = episode.view(seat), episode.ask(seat)
        draft = self.drafts.get(seat, ()) if self.drafts else ()
        mask = self._masks[seat] = encoding.mask(view, ask, draft)
        return {"observation": encoding.observe(view, ask, draft), "action_mask": mask.copy()}

    def decode(self, seat: Seat, ask: Any, index: Any) -> Any | None:
        """The answer of the seat that this index completes: an action, or a BadMessage if the index is masked.

        None if more indexes are needed."""
        number = index if type(index) is int and 0 <= index < self._actions else self._checked(index)
        view, draft = self.episode.view(seat), self.drafts.pop(seat, ()) if self.drafts else ()
        mask = self._masks.pop(seat, None)
        if mask is None:
            mask = self.encoding.mask(view, ask, draft)
        if not mask[number]:
            return BadMessage("masked", f"index {number} is masked")
        action = self.encoding.action(number, view, ask, draft)
        if action is None:
            self.drafts[seat] = (*draft, number)
        return action

    def _checked(self, index: Any) -> int:
        try:
            number = whole(index)
        except TypeError:
            raise ValueError(f"action {index!r}: not a whole number") from None
        if not 0 <= number < self._actions:
            raise ValueError(f"action {number}: there are {self._actions} actions, counted from 0")
        return number


def new_seed(random: np.random.Generator) -> bytes:
    """A seed for the next match."""
    return random.bytes(32)
