"""The forms of the HTTP API for ratings, which server and client share."""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Struct

from parlour.protocol.forms import documented

RatedKind: TypeAlias = Literal["account", "bot", "command"]
"""account: with a password. bot: built into the game. command: one of the host's settings."""


class RatingRow(Struct, frozen=True):
    """The rating of a player in a game."""

    rank: int | None
    """From 1; equal ratings share a rank. null: the rating is provisional."""
    name: str
    kind: Annotated[str, documented(*get_args(RatedKind))]
    rating: float
    """The mean less three deviations: a skill that the player has almost surely. Players are ranked by it."""
    mean: float
    """The estimate of the skill. A newcomer has 25."""
    deviation: float
    """How uncertain the estimate is: its standard deviation. A newcomer has 8.33."""
    matches: int
    """How many rated matches the estimate is from."""
    is_provisional: bool
    """Whether the player has too few rated matches for a rank."""
    trend: float
    """How much the mean has changed in the last ten rated matches."""
    rated_ms: int
    """When the last of them was rated."""


class RatingPage(Struct, frozen=True):
    """Part of the leaderboard of a game: players with a rank, best first, and then those with provisional ratings."""

    game: str
    provisional_below: int
    """With fewer rated matches a rating is provisional."""
    rows: tuple[RatingRow, ...]
    next: int | None
    """The value of `after` for the next page."""


class RatingPoint(Struct, frozen=True):
    """A rating after a match."""

    at_ms: int
    match: str
    mean: float
    deviation: float


class GameRating(Struct, frozen=True):
    """The rating of a player in one game, and how it came about."""

    game: str
    row: RatingRow
    history: tuple[RatingPoint, ...]
    """The newest matches, oldest first; at most as many as were asked for."""


class PlayerRatings(Struct, frozen=True):
    """The ratings of one player in all games in which it has any."""

    name: str
    kind: Annotated[str, documented(*get_args(RatedKind))]
    games: tuple[GameRating, ...]
