"""Finished matches change ratings. The rules are in docs/leagues.md."""

from collections.abc import Sequence

from parlour.store.ratings import Skill
from parlour.store.store import Store
from parlour.tournament.skills import NEWCOMER, RunningRating, rate


async def rate_due(store: Store) -> int:
    """Rate some of the finished matches that have not been rated; returns how many were looked at."""
    if not await store.ratings.is_due():
        return 0
    return await store.ratings.rate_due(_rate, (NEWCOMER.mu, NEWCOMER.sigma))


def _rate(before: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """The skills after a match."""
    return [(after.mu, after.sigma) for after in rate([RunningRating(*skill) for skill in before], ranks)]
