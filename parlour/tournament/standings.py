"""Standings: what each player scored, and what each seat is worth, with intervals over deals."""

from typing import Any

import numpy as np
from msgspec import Struct
from scipy import sparse

from parlour.tournament.records import Floats, Integers, Sample, places, points, win_shares
from parlour.tournament.resampling import Bootstrap, Interval, mean_intervals, share_intervals


class PlayerStanding(Struct, frozen=True):
    """The results of a player over the matches that count."""

    player: int
    matches: int
    win_share: Interval
    mean_place: Interval
    points: Interval
    """The mean share of opponents that are ranked after the player; a tie counts half."""
    mean_score: Interval


class SeatStanding(Struct, frozen=True):
    """The results of a seat, for all players together, among tables of the same number of seats."""

    seats: int
    seat: int
    matches: int
    win_share: Interval
    points: Interval

    @property
    def advantage(self) -> Interval:
        """How much the seat's win share is above that of an average seat."""
        fair, share = 1 / self.seats, self.win_share
        return Interval(share.estimate - fair, share.low - fair, share.high - fair)


def by_deal(sample: Sample, columns: Integers, values: Floats, width: int) -> Any:
    """Add up values by deal and column; both arrays are by match and seat."""
    taken = sample.taken
    deals = np.broadcast_to(sample.deals[:, None], taken.shape)
    cells = (values[taken], (deals[taken], columns[taken]))
    return sparse.coo_array(cells, shape=(sample.number_of_deals, width)).tocsr()


def standings(sample: Sample, how: Bootstrap | None = None) -> list[PlayerStanding]:
    """The results of every player."""
    how = how or Bootstrap()

    def summed(values: Floats) -> Any:
        return by_deal(sample, sample.seats, values, sample.players)

    seats = summed(np.ones(sample.seats.shape))
    matches = np.asarray(seats.sum(axis=0)).ravel()
    columns = zip(
        share_intervals(sample, summed(win_shares(sample)), seats, how),
        mean_intervals(sample, summed(places(sample)), seats, how),
        share_intervals(sample, summed(points(sample)), seats, how),
        mean_intervals(sample, summed(sample.scores), seats, how),
        strict=True,
    )
    return [PlayerStanding(player, int(matches[player]), *row) for player, row in enumerate(columns)]


def seat_standings(sample: Sample, how: Bootstrap | None = None) -> list[SeatStanding]:
    """The results of every seat. They compare seats only where the schedule lets everybody sit everywhere."""
    how = how or Bootstrap()
    width = sample.seats.shape[1]
    sizes = sample.taken.sum(axis=1)
    kinds = sizes[:, None] * width + np.arange(width)

    def summed(values: Floats) -> Any:
        return by_deal(sample, kinds, values, width * (width + 1))

    of = summed(np.ones(sample.seats.shape))
    matches = np.asarray(of.sum(axis=0)).ravel()
    shares = share_intervals(sample, summed(win_shares(sample)), of, how)
    ranked = share_intervals(sample, summed(points(sample)), of, how)
    return [
        SeatStanding(int(kind) // width, int(kind) % width, int(matches[kind]), shares[kind], ranked[kind])
        for kind in np.flatnonzero(matches)
    ]
