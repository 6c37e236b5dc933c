"""Intervals from a bootstrap over deals: whole deals are drawn again, never single matches."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from scipy import sparse, special, stats

from parlour.tournament.records import Floats, Integers, Sample

Stopping: TypeAlias = Literal["fixed", "sequential"]
"""Whether the number of deals was fixed beforehand, or the results so far decided when to stop."""

SMALLEST_STRATUM = 5
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


def strata(sample: Sample) -> Integers:
    """The stratum of each deal: deals that the same line-ups played. Small strata are pooled."""
    lineups: dict[int, list[int]] = defaultdict(list)
    for deal, lineup in zip(sample.deals.tolist(), sample.lineups.tolist(), strict=True):
        lineups[deal].append(lineup)
    keys = [tuple(sorted(lineups[deal])) for deal in range(sample.number_of_deals)]
    sizes = Counter(keys)
    numbers = {key: number for number, (key, size) in enumerate(sizes.items()) if size >= SMALLEST_STRATUM}
    pooled = sum(size for size in sizes.values() if size < SMALLEST_STRATUM)
    rest = len(numbers)
    if numbers and 0 < pooled < SMALLEST_STRATUM:  # too few even together: they join the largest stratum
        rest = max(numbers.items(), key=lambda item: sizes[item[0]])[1]
    return np.array([numbers.get(key, rest) for key in keys], dtype=np.int64)


def degrees_of_freedom(sample: Sample) -> int:
    """The number of deals that are free to vary; at least 1."""
    return max(sample.number_of_deals - len(np.unique(strata(sample))), 1)


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
    groups, deals = strata(sample), sample.number_of_deals
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
    """Random half observations with mean 1/2: with them a share of 0 or 1 gets an interval as Jeffreys' rule gives."""
    drawn = np.random.default_rng([how.seed, 2, what]).gamma(0.5, 1.0, shape)
    return np.maximum(drawn, 1e-3)  # smaller ones would only make the fits hard


def sequential_factor(deals: int, level: float) -> float:
    """How many standard errors are safe at every number of deals at once (Robbins' normal mixture)."""
    alpha = 1 - level
    tuning = -2 * np.log(alpha) + np.log(1 - 2 * np.log(alpha))
    mixed = tuning * deals / TUNED_TO
    return float(np.sqrt((mixed + 1) / mixed * np.log((mixed + 1) / alpha**2)))


def interval_bounds(estimates: Floats, rounds: Floats, sample: Sample, how: Bootstrap) -> tuple[Floats, Floats]:
    """Lower and upper bounds of each column: the standard error of the bootstrap rounds times a safe factor.

    One deal says nothing about how much deals differ, so its bounds are infinite.
    """
    if sample.number_of_deals < 2:
        return np.full_like(estimates, -np.inf), np.full_like(estimates, np.inf)
    if how.stopping == "sequential":
        factor = sequential_factor(sample.number_of_deals, how.level)
    else:
        factor = float(stats.t.ppf((1 + how.level) / 2, degrees_of_freedom(sample)))
    width = factor * rounds.std(axis=0, ddof=1)
    return estimates - width, estimates + width


def share_intervals(sample: Sample, won: Any, of: Any, how: Bootstrap) -> list[Interval]:
    """Intervals of shares, made on the scale of log odds: `won` out of `of` by deal and column.

    A column without observations has an estimate of 1/2 and nearly all shares in its interval.
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
    low, high = map(special.expit, interval_bounds(middle, odds, sample, how))
    low, high = np.minimum(low, estimates), np.maximum(high, estimates)
    return [Interval(*map(float, row)) for row in zip(estimates, low, high, strict=True)]


def mean_intervals(sample: Sample, sums: Any, counts: Any, how: Bootstrap) -> list[Interval]:
    """Intervals of means: sums and counts by deal and column. A column without observations gives 0 from 0 to 0."""
    both = sparse.hstack([sparse.csr_array(sums), sparse.csr_array(counts)]).tocsr()
    width = both.shape[1] // 2
    totals = np.asarray(both.sum(axis=0)).ravel()
    drawn = resampled_sums(sample, both, how)
    estimates = totals[:width] / np.maximum(totals[width:], 1)
    rounds = np.where(drawn[:, width:] > 0, drawn[:, :width] / np.maximum(drawn[:, width:], 1e-12), estimates)
    low, high = interval_bounds(estimates, rounds, sample, how)
    return [Interval(*map(float, row)) for row in zip(estimates, low, high, strict=True)]
