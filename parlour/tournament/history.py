"""Ratings as they were on the way: the same estimate and intervals, from the first deals only."""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from parlour.tournament.ratings import ratings
from parlour.tournament.records import Sample
from parlour.tournament.resampling import Bootstrap, Interval

LOOKS = 16
LEAST_DEALS = 2
ROUNDS = 200


class RatingsSoFar(Struct, frozen=True):
    """The ratings after the first deals."""

    deals: int
    matches: int
    ratings: list[Interval]
    """By player."""


def rating_history(sample: Sample, how: Bootstrap) -> list[RatingsSoFar]:
    """The ratings after up to LOOKS equal parts of the deals; the last look is at all of them."""
    deals = sample.number_of_deals
    if not deals:
        return []
    quick = replace(how, rounds=min(how.rounds, ROUNDS))
    looks = np.unique(np.linspace(min(LEAST_DEALS, deals), deals, min(LOOKS, deals)).round().astype(int))
    return [_look(sample.first(look), look, quick) for look in looks.tolist()]


def _look(sample: Sample, deals: int, how: Bootstrap) -> RatingsSoFar:
    return RatingsSoFar(deals, sample.size, [it.rating for it in ratings(sample, how)])
