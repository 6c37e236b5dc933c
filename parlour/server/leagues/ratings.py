"""Ratings: finished matches change them, and everybody may see them. The rules are in docs/leagues.md."""

from collections.abc import Sequence

from parlour.protocol.errors import RequestError
from parlour.protocol.rating_forms import GameRating, PlayerRatings, RatedKind, RatingPage, RatingPoint, RatingRow
from parlour.server.api.lookups import found_game
from parlour.store.ratings import Skill, StoredRating
from parlour.store.store import Store
from parlour.tournament.skills import NEWCOMER, RunningRating, rate

PROVISIONAL_BELOW = 10
"""With fewer rated matches a rating has no rank."""


class Ratings:
    """Reads ratings, and rates matches."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def rate_due(self) -> int:
        """Rate some of the finished matches that have not been rated; returns how many were looked at."""
        if not await self._store.ratings.is_due():
            return 0
        return await self._store.ratings.rate_due(_rate, (NEWCOMER.mu, NEWCOMER.sigma))

    async def leaderboard(self, game: str, after: int, limit: int) -> RatingPage:
        """A page of the leaderboard of a game."""
        found_game(game)
        found = await self._store.ratings.leaderboard(game, PROVISIONAL_BELOW, after, limit + 1)
        rows = tuple(map(_row, found[:limit]))
        return RatingPage(game, PROVISIONAL_BELOW, rows, after + limit if len(found) > limit else None)

    async def of(self, name: str, kind: RatedKind, game: str | None, limit: int) -> PlayerRatings:
        """The ratings of one player."""
        if game is not None:
            found_game(game)
        found = await self._store.ratings.of(kind, name, PROVISIONAL_BELOW)
        wanted = [rating for rating in found if game in (None, rating.game)]
        if not wanted:
            raise RequestError(404, "no_such_rating", f"no {kind} of that name has a rating")
        games = [GameRating(rating.game, _row(rating), await self._history(rating.id, limit)) for rating in wanted]
        return PlayerRatings(name, kind, tuple(games))

    async def _history(self, rating: int, limit: int) -> tuple[RatingPoint, ...]:
        points = await self._store.ratings.history(rating, limit)
        return tuple(
            RatingPoint(point.at_ms, point.match, round(point.mean, 3), round(point.deviation, 3)) for point in points
        )


def _row(rating: StoredRating) -> RatingRow:
    is_provisional = rating.matches < PROVISIONAL_BELOW
    before = NEWCOMER.mu if rating.before is None else rating.before
    return RatingRow(
        None if is_provisional else rating.rank,
        rating.name,
        rating.kind,
        round(rating.mean - 3 * rating.deviation, 2),
        round(rating.mean, 2),
        round(rating.deviation, 2),
        rating.matches,
        is_provisional,
        round(rating.mean - before, 2),
        rating.rated_ms,
    )


def _rate(before: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """The skills after a match."""
    return [(after.mu, after.sigma) for after in rate([RunningRating(*skill) for skill in before], ranks)]
