"""The setting of all episodes of an environment: a game, its seats and its house rules."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from parlour import plugins
from parlour.core import BadOptions, Encoding, Game, Seat, Sitting
from parlour.core.options import read_house_rules
from parlour.players.player_specs import LocalSpec, load
from parlour.players.starter import mind_of
from parlour.referee.match import Match
from parlour.referee.player import Mind
from parlour.referee.transcript import commitment, header, match_name

Reward: TypeAlias = Literal["rank", "score"]
REWARDS: tuple[Reward, ...] = ("rank", "score")
Opponent: TypeAlias = str | Callable[..., Any]
"""A player as `parlour match` names it, or a function of view, ask and dice, or a class of such functions."""

BEARS = 100
"""How many faults a seat may make in a match before it must leave."""


class Setting:
    """A game, its seats and its house rules. BadOptions if they cannot be played."""

    def __init__(self, game: str | Game[Any], seats: int | None, options: Mapping[str, Any]) -> None:
        self.game = find(game) if isinstance(game, str) else game
        self.seats = usual_seats(self.game) if seats is None else checked_seats(self.game, seats)
        self.names = [f"seat_{seat}" for seat in range(self.seats)]
        sittings = [Sitting(name) for name in self.names]
        given = house_rules(self.game, options)
        self.options: Any = self.game.rules.resolve(given, sittings)
        self._header = header(self.game, sittings, bytes(32), options=given, bears=BEARS)

    def encoding(self) -> Encoding:
        """The encoding; BadOptions if the game has none."""
        if self.game.encoding is None:
            raise BadOptions(f"{self.game.title} has no encoding as numbers; its environments need text=True")
        return self.game.encoding(self.seats, self.options)

    def match(self, seed: bytes) -> Match[Any]:
        """A new match with this seed."""
        head = replace(self._header, match=match_name(seed), commit=commitment(seed))
        return Match(self.game, head, seed)


def find(name: str) -> Game[Any]:
    """The game of that name, or BadOptions."""
    game = plugins.find_game(name)
    if game is None:
        raise BadOptions(f"unknown game {name!r}{meant(name, plugins.names())}. Games: {', '.join(plugins.names())}")
    return game


def meant(name: str, known: Sequence[str]) -> str:
    """The known name that is most like this one, as a question; empty if none is like it."""
    close = get_close_matches(name, known, 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def usual_seats(game: Game[Any]) -> int:
    """The fewest seats at which players have an opponent."""
    return next(seats for seats in game.table_seats() if seats > 1)


def checked_seats(game: Game[Any], seats: int) -> int:
    """These seats, or BadOptions."""
    possible = game.table_seats()
    if isinstance(seats, bool) or seats not in possible:
        raise BadOptions(f"seats={seats!r}: {game.title} has {possible[0]} to {possible[-1]} seats")
    return int(seats)


def house_rules(game: Game[Any], given: Mapping[str, Any]) -> Any:
    """The options of the game, or BadOptions."""
    known = game.rules.options.__struct_fields__
    for name in given:
        if name not in known:
            listed = ", ".join(known) or "none"
            raise BadOptions(f"{game.title} has no option {name!r}{meant(name, known)}. Options: {listed}")
    try:
        return read_house_rules(game.rules.options, given)
    except msgspec.ValidationError as e:
        raise BadOptions(f"{game.title}: {e}") from None


def checked_reward(reward: Reward) -> Reward:
    """This kind of reward, or BadOptions."""
    if reward not in REWARDS:
        raise BadOptions(f"reward={reward!r}: must be one of {', '.join(REWARDS)}")
    return reward


def opponent_spec(game: Game[Any], opponent: Opponent) -> LocalSpec:
    """BadOptions unless it is a bot of this process."""
    if isinstance(opponent, str):
        try:
            spec = load(game, opponent)
        except ValueError as e:
            raise BadOptions(f"opponents: {e}") from None
        if not isinstance(spec, LocalSpec):
            raise BadOptions(f"opponents: {opponent!r}: an environment plays only against bots of its own process")
        return spec
    if not callable(opponent):
        raise BadOptions(f"opponents: {opponent!r} is neither the name of a bot nor a function of view, ask and dice")
    name = getattr(opponent, "__name__", "opponent")
    return LocalSpec(name, opponent if isinstance(opponent, type) else lambda: opponent)


def seat_opponents(specs: Sequence[LocalSpec], seed: bytes, seats: Sequence[Seat]) -> dict[Seat, Mind]:
    """New opponents at these seats; if there are fewer, they are repeated."""
    return {seat: mind_of(specs[place % len(specs)], seed, seat) for place, seat in enumerate(seats)}
