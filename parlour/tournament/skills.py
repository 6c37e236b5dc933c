"""Ratings as matches go by: openskill's Plackett-Luce model."""

from collections.abc import Sequence

from msgspec import Struct
from openskill.models import PlackettLuce


class RunningRating(Struct, frozen=True):
    """A player's openskill rating: the mean and the standard deviation of what is believed about its skill."""

    mu: float
    sigma: float

    @property
    def safe(self) -> float:
        """A skill that the player has almost surely: three standard deviations below the mean."""
        return self.mu - 3 * self.sigma


_MODEL = PlackettLuce()
NEWCOMER = RunningRating(_MODEL.mu, _MODEL.sigma)
"""The rating of a player without matches."""


def rate(before: Sequence[RunningRating], ranks: Sequence[int]) -> list[RunningRating]:
    """The ratings after one match, in the order of `before`; equal ranks are ties."""
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    rated = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [RunningRating(float(team[0].mu), float(team[0].sigma)) for team in rated]
