"""API routes for ratings: the leaderboard of a game, and the history of a player."""

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from parlour.protocol.errors import RequestError
from parlour.protocol.rating_forms import GameRating, PlayerRatings, RatedKind, RatingPage, RatingPoint, RatingRow
from parlour.server.api.lookups import found_game
from parlour.server.api.requests import Id, Limit, Routes, refusals
from parlour.store.ratings import StoredRating
from parlour.store.store import Store
from parlour.tournament.skills import NEWCOMER

PROVISIONAL_BELOW = 10
"""With fewer rated matches a rating has no rank."""


class RatingRoutes(Routes):
    """Ratings are public."""

    def __init__(self, store: Store) -> None:
        self._ratings = store.ratings

    @get("/ratings", responses=refusals(400, 404, 503))
    async def leaderboard(
        self,
        name: Annotated[str, QueryParameter(name="game", max_length=40)],
        after: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
        limit: Limit = 50,
    ) -> RatingPage:
        """The leaderboard of a game: ratings of accounts, built-in bots and commands of the host."""
        found_game(name)
        found = await self._ratings.leaderboard(name, PROVISIONAL_BELOW, after, limit + 1)
        rows = tuple(map(_row, found[:limit]))
        return RatingPage(name, PROVISIONAL_BELOW, rows, after + limit if len(found) > limit else None)

    @get("/ratings/{name:str}", responses=refusals(400, 404, 503))
    async def one_player(
        self,
        name: Id,
        kind: Annotated[RatedKind, QueryParameter()] = "account",
        game: Annotated[str | None, QueryParameter(max_length=40)] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 100,
    ) -> PlayerRatings:
        """The ratings of one player in all games, or in one, with their history."""
        if game is not None:
            found_game(game)
        found = await self._ratings.of(kind, name, PROVISIONAL_BELOW)
        wanted = [rating for rating in found if game in (None, rating.game)]
        if not wanted:
            raise RequestError(404, "no_such_rating", f"no {kind} of that name has a rating")
        games = [GameRating(rating.game, _row(rating), await self._history(rating.id, limit)) for rating in wanted]
        return PlayerRatings(name, kind, tuple(games))

    async def _history(self, rating: int, limit: int) -> tuple[RatingPoint, ...]:
        points = await self._ratings.history(rating, limit)
        return tuple(
            RatingPoint(point.at_ms, point.match, round(point.mean, 3), round(point.deviation, 3)) for point in points
        )


def _row(rating: StoredRating) -> RatingRow:
    is_provisional = rating.matches < PROVISIONAL_BELOW
    rank = None if is_provisional else rating.rank
    mean, deviation = rating.mean, rating.deviation
    skill = (round(mean - 3 * deviation, 2), round(mean, 2), round(deviation, 2))
    change = round(mean - (NEWCOMER.mu if rating.before is None else rating.before), 2)
    return RatingRow(rank, rating.name, rating.kind, *skill, rating.matches, is_provisional, change, rating.rated_ms)
