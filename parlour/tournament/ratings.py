"""Ratings of players: a Plackett-Luce fit over all ranks with intervals, and openskill's as matches go by."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb, log
from typing import Any

import choix
import numpy as np
from msgspec import Struct
from scipy import sparse, special

from parlour.tournament.records import Floats, Integers, MatchResult, Sample, row_numbers
from parlour.tournament.resampling import Bootstrap, Interval, interval_bounds, noise, resampled_sums
from parlour.tournament.skills import NEWCOMER, RunningRating, rate

ELO = 400 / log(10)
"""Rating points per unit of log strength. 400 points are odds of 10 to 1 to be ranked before the other."""
HALF = 0.5
"""Of a match won and of a match lost against an imaginary average player, which keeps every strength finite."""
_CELLS = 4_000_000
_STEPS = 100


class PlayerRating(Struct, frozen=True):
    """A player's rating on the Elo scale."""

    player: int
    rating: Interval


class Choices(Struct, frozen=True):
    """Rankings as choices: the winner is chosen among all, the second among the others, and so on."""

    wins: Any
    """Sparse, by deal and player."""
    asked: Any
    """Sparse, by deal and set of players: how often the set was chosen from."""
    members: Any
    """Sparse, by set and player: how often the player is in the set (twice if it holds two seats)."""


def _stages(order: Sequence[int], ranks: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], float]]:
    """The choices of a ranking: who may have won, who else was there, and the weight of the choice.

    Tied players are put in all orders with equal weights, so a tie of two is half a win for each.
    """
    for rank in sorted(set(ranks)):
        tied = [player for player, own in zip(order, ranks, strict=True) if own == rank]
        after = tuple(player for player, own in zip(order, ranks, strict=True) if own > rank)
        for size in range(1, len(tied) + 1):
            for front in combinations(tied, size):
                if len({*front, *after}) > 1:
                    yield front, after, 1 / comb(len(tied), size)


def _kinds(sample: Sample) -> tuple[list[list[int]], Integers]:
    """The different rankings, as players and then ranks without gaps, and the kind of each match."""
    last = sample.seats.shape[1]
    ranks = np.where(sample.taken, (sample.ahead < 0).sum(axis=2), last)
    by_rank = np.lexsort((sample.seats, ranks), axis=1)
    rows = np.hstack([np.take_along_axis(array, by_rank, axis=1) for array in (sample.seats, ranks)])
    kind_of = row_numbers(rows)
    return rows[np.unique(kind_of, return_index=True)[1]].tolist(), kind_of


def choices(sample: Sample) -> Choices:
    """Take the rankings of a sample apart; equal rankings are taken apart once."""
    kinds, kind_of = _kinds(sample)
    numbers: dict[tuple[int, ...], int] = {}
    wins: list[tuple[float, int, int]] = []
    asked: list[tuple[float, int, int]] = []
    for kind, row in enumerate(kinds):
        width = len(row) // 2
        seats = sum(player >= 0 for player in row[:width])
        for front, after, weight in _stages(row[:seats], row[width : width + seats]):
            number = numbers.setdefault(tuple(sorted((*front, *after))), len(numbers))
            asked.append((weight, kind, number))
            wins.extend((weight / len(front), kind, player) for player in front)
    members = [(1.0, number, player) for group, number in numbers.items() for player in group]
    matches = np.column_stack([np.ones(sample.size), sample.deals, kind_of])
    played = _sparse(matches, sample.number_of_deals, len(kinds))
    sets = len(numbers)
    return Choices(
        played @ _sparse(wins, len(kinds), sample.players),
        played @ _sparse(asked, len(kinds), sets),
        _sparse(members, sets, sample.players),
    )


def _sparse(cells: Sequence[tuple[float, int, int]] | Floats, rows: int, columns: int) -> Any:
    """A matrix from cells of value, row and column; cells of the same place are added."""
    values, at, to = np.array(cells, dtype=float).reshape(-1, 3).T
    return sparse.coo_array((values, (at.astype(np.int64), to.astype(np.int64))), shape=(rows, columns)).tocsr()


def fit(wins: Floats, asked: Floats, members: Any, gains: Floats, losses: Floats, start: Floats) -> Floats:
    """The most likely log strengths, one row per row of `wins`: Newton's method on all rows at once.

    `gains` and `losses` are matches won and lost against the imaginary player, whose log strength is 0.
    """
    size = members.shape[1]
    by_player = members.T.tocsr()
    by_pair = sparse.vstack([members.multiply(members[:, [player]]).T for player in range(size)]).tocsr()
    asked = np.ascontiguousarray(asked.T)
    strengths = np.broadcast_to(start, wins.shape).copy()
    for _ in range(_STEPS):
        weights = np.exp(strengths)
        totals = members @ weights.T
        expected = weights * (by_player @ (asked / totals)).T
        imagined = special.expit(strengths)
        slope = wins - expected + gains - (gains + losses) * imagined
        bend = -(by_pair @ (asked / totals**2)).T.reshape(-1, size, size)
        bend *= weights[:, :, None] * weights[:, None, :]
        diagonal = np.arange(size)
        bend[:, diagonal, diagonal] += expected + (gains + losses) * imagined * (1 - imagined)
        step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        largest = np.abs(step).max(axis=1, keepdims=True, initial=0.0)
        strengths += step / np.maximum(largest, 1.0)  # short steps far from the solution never overshoot
        if largest.max(initial=0.0) < 1e-6:
            return strengths
    raise RuntimeError(f"the fit of {size} players did not converge in {_STEPS} steps")


def _spectral(sample: Sample) -> Floats:
    """The spectral estimate of choix from pairwise wins: close to the solution, whatever the ranks."""
    beaten = np.zeros((sample.players, sample.players))
    before = sample.ahead
    for one, other in combinations(range(sample.seats.shape[1]), 2):
        both = (sample.seats[:, one] >= 0) & (sample.seats[:, other] >= 0)
        first, second = sample.seats[both, one], sample.seats[both, other]
        share = (1 + before[both, one, other]) / 2
        np.add.at(beaten, (first, second), share)
        np.add.at(beaten, (second, first), 1 - share)
    np.fill_diagonal(beaten, 0)
    start: Floats = choix.lsr_pairwise_dense(beaten, alpha=HALF)
    return start


def log_strengths(sample: Sample, parts: Choices | None = None) -> Floats:
    """The point estimate: log strengths relative to the imaginary average player."""
    parts = parts or choices(sample)
    halves = np.full((1, sample.players), HALF)
    wins, asked = (np.asarray(part.sum(axis=0)).reshape(1, -1) for part in (parts.wins, parts.asked))
    [strengths] = fit(wins, asked, parts.members, halves, halves, _spectral(sample))
    return np.asarray(strengths)


def resampled_strengths(sample: Sample, parts: Choices, start: Floats, how: Bootstrap) -> Floats:
    """The log strengths of each bootstrap round."""
    sums = resampled_sums(sample, sparse.hstack([parts.wins, parts.asked]), how)
    wins, asked = sums[:, : sample.players], sums[:, sample.players :]
    gains, losses = noise((2, *wins.shape), how, 1)
    step = max(1, _CELLS // max(asked.shape[1], sample.players**2))
    cuts = [slice(at, at + step) for at in range(0, how.rounds, step)]
    return np.vstack([fit(wins[cut], asked[cut], parts.members, gains[cut], losses[cut], start) for cut in cuts])


def ratings(
    sample: Sample, how: Bootstrap | None = None, zero: int | Sequence[int] | None = None
) -> list[PlayerRating]:
    """Ratings on the Elo scale, by player. `zero` is the player whose rating is 0, or those whose mean is 0; without it
    the mean of all is 0."""
    how = how or Bootstrap()
    parts = choices(sample)
    anchors = range(sample.players) if zero is None else [zero] if isinstance(zero, int) else zero
    point = log_strengths(sample, parts)
    rounds = resampled_strengths(sample, parts, point, how)

    def scaled(strengths: Floats) -> Floats:
        base: Floats = strengths[..., [*anchors]].mean(axis=-1, keepdims=True)
        return ELO * (strengths - base)

    estimates = scaled(point)
    low, high = interval_bounds(estimates, scaled(rounds), np.array(sample.degrees_of_freedom + 1.0), how)
    rows = zip(estimates.tolist(), low.tolist(), high.tolist(), strict=True)
    return [PlayerRating(player, Interval(*row)) for player, row in enumerate(rows)]


def running_ratings(results: Iterable[MatchResult], players: int) -> Iterator[tuple[int, list[RunningRating]]]:
    """After each match that is not void, in schedule order: its number and the ratings of all players.

    A player that holds two seats is rated at both, and keeps the mean.
    """
    now = [NEWCOMER] * players
    for result in sorted(results, key=lambda result: result.match):
        if result.void:
            continue
        after = rate([now[player] for player in result.players], result.ranks)
        for player in set(result.players):
            own = [rating for at, rating in zip(result.players, after, strict=True) if at == player]
            now[player] = RunningRating(
                *(sum(part) / len(own) for part in zip(*((r.mu, r.sigma) for r in own), strict=True))
            )
        yield result.match, list(now)
