"""Intervals from a bootstrap over deals: whole deals are drawn again, never single matches."""

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from scipy import sparse, special

from parlour.tournament.records import Floats, Integers, Sample

Stopping: TypeAlias = Literal["fixed", "sequential"]
"""Whether the number of deals was fixed beforehand, or the results so far decided when to stop."""

TUNED_TO = 100
"""The number of deals at which the intervals of a sequential tournament are narrowest. Any number is valid."""
_CELLS = 4_000_000


class Interval(Struct, frozen=True):
    """An estimate with the interval that covers the truth at the stated level."""

    estimate: float
    low: float
    high: float


class Bootstrap(Struct, frozen=True):
    """How intervals are made. Equal settings and equal results give equal intervals."""

    rounds: int = 1000
    seed: int = 0
    level: float = 0.95
    stopping: Stopping = "fixed"


def _weights(members: list[Integers], rows: int, deals: int, random: np.random.Generator) -> Floats:
    """Draw from each stratum one deal fewer than it has and scale up, which keeps the variance unbiased (Rao, Wu)."""
    weights = np.zeros((rows, deals))
    for inside in members:
        size = len(inside)
        if size == 1:
            weights[:, inside] = 1.0
            continue
        drawn = random.integers(0, size, (rows, size - 1)) + size * np.arange(rows)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
        weights[:, inside] = counts * (size / (size - 1))
    return weights


def _draws(sample: Sample, how: Bootstrap) -> Iterator[Floats]:
    groups, deals = sample.strata, sample.number_of_deals
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    random = np.random.default_rng([how.seed, 1])
    step = max(1, _CELLS // max(deals, 1))
    for start in range(0, how.rounds, step):
        yield _weights(members, min(step, how.rounds - start), deals, random)


def resampled_sums(sample: Sample, values: Any, how: Bootstrap) -> Floats:
    """The column sums of a matrix with one row per deal (sparse or dense), once per bootstrap round."""
    turned = sparse.csr_array(values).T.tocsr()
    return np.vstack([np.asarray(turned @ drawn.T).T for drawn in _draws(sample, how)])


def noise(shape: tuple[int, ...], how: Bootstrap, what: int) -> Floats:
    """Random observations with the mean 1/2: with them, even a share of 0 or 1 has an interval."""
    drawn = np.random.default_rng([how.seed, 2, what]).exponential(0.5, shape)
    return np.maximum(drawn, 1e-3)  # smaller ones would only make the fits hard


def sequential_factor(deals: Floats | int, level: float) -> Floats:
    """How many standard errors are safe at every number of deals at once (Robbins' normal mixture)."""
    alpha = 1 - level
    tuning = -2 * np.log(alpha) + np.log(1 - 2 * np.log(alpha))
    mixed = tuning * np.maximum(deals, 1) / TUNED_TO
    return np.asarray(np.sqrt((mixed + 1) / mixed * np.log((mixed + 1) / alpha**2)))


def interval_bounds(estimates: Floats, rounds: Floats, deals: Floats, how: Bootstrap) -> tuple[Floats, Floats]:
    """Lower and upper bounds of each column: the standard error of the bootstrap rounds times a safe factor.

    `deals` is the number of deals that a column rests on. One deal says nothing about how much deals differ, so the
    bounds are infinite.
    """
    if how.stopping == "sequential":
        factor = sequential_factor(deals, how.level)
    else:
        factor = special.stdtrit(np.maximum(deals - 1, 1), (1 + how.level) / 2)
    width = np.where(deals < 2, np.inf, factor * rounds.std(axis=0, ddof=1))
    return estimates - width, estimates + width


def _deals_with(counts: Any) -> Floats:
    """By column: in how many deals there is an observation."""
    return np.asarray((sparse.csr_array(counts) != 0).sum(axis=0), dtype=float).ravel()


def share_intervals(sample: Sample, won: Any, of: Any, how: Bootstrap) -> list[Interval]:
    """Intervals of shares, made on the scale of log odds: `won` out of `of` by deal and column.

    A column without observations has an estimate of 1/2 and all shares in its interval.
    """
    both = sparse.hstack([sparse.csr_array(won), sparse.csr_array(of)]).tocsr()
    width = both.shape[1] // 2
    totals = np.asarray(both.sum(axis=0)).ravel()
    estimates = np.divide(totals[:width], totals[width:], out=np.full(width, 0.5), where=totals[width:] > 0)
    sums = resampled_sums(sample, both, how)
    gains, losses = noise((2, how.rounds, width), how, 0)
    odds = np.log(np.maximum(sums[:, :width], 0) + gains)
    odds -= np.log(np.maximum(sums[:, width:] - sums[:, :width], 0) + losses)
    middle = special.logit((totals[:width] + 0.5) / (totals[width:] + 1))
    low, high = map(special.expit, interval_bounds(middle, odds, _deals_with(of), how))
    low, high = np.minimum(low, estimates), np.maximum(high, estimates)
    return [Interval(*map(float, row)) for row in zip(estimates, low, high, strict=True)]


def mean_intervals(sample: Sample, sums: Any, counts: Any, how: Bootstrap) -> list[Interval]:
    """Intervals of means: sums and counts by deal and column. A column without observations has the estimate 0."""
    both = sparse.hstack([sparse.csr_array(sums), sparse.csr_array(counts)]).tocsr()
    width = both.shape[1] // 2
    totals = np.asarray(both.sum(axis=0)).ravel()
    drawn = resampled_sums(sample, both, how)
    estimates = totals[:width] / np.maximum(totals[width:], 1)
    rounds = np.where(drawn[:, width:] > 0, drawn[:, :width] / np.maximum(drawn[:, width:], 1e-12), estimates)
    low, high = interval_bounds(estimates, rounds, _deals_with(counts), how)
    return [Interval(*map(float, row)) for row in zip(estimates, low, high, strict=True)]
