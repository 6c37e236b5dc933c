"""API routes for ratings: the leaderboard of a game, and the history of a player."""

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from parlour.protocol.rating_forms import PlayerRatings, RatedKind, RatingPage
from parlour.server.api.requests import Id, Limit, Routes, refusals
from parlour.server.leagues.ratings import Ratings


class RatingRoutes(Routes):
    """Ratings are public."""

    def __init__(self, ratings: Ratings) -> None:
        self._ratings = ratings

    @get("/ratings", responses=refusals(400, 404, 503))
    async def leaderboard(
        self,
        name: Annotated[str, QueryParameter(name="game", max_length=40)],
        after: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
        limit: Limit = 50,
    ) -> RatingPage:
        """The leaderboard of a game: ratings of accounts, built-in bots and commands of the host."""
        return await self._ratings.leaderboard(name, after, limit)

    @get("/ratings/{name:str}", responses=refusals(400, 404, 503))
    async def one_player(
        self,
        name: Id,
        kind: Annotated[RatedKind, QueryParameter()] = "account",
        game: Annotated[str | None, QueryParameter(max_length=40)] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 100,
    ) -> PlayerRatings:
        """The ratings of one player in all games, or in one, with their history."""
        return await self._ratings.of(name, kind, game, limit)
