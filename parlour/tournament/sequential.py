"""Play until decided: a sequential test of two players on paired deals, as fishtest uses it for chess programs.

The test looks at whole batches of deals in schedule order, so the order in which matches finish does not matter.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, log
from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct
from scipy import optimize

from parlour.tournament.comparisons import pair_sums
from parlour.tournament.records import Floats, MatchResult, Sample, collect

Outcome: TypeAlias = Literal["first", "second", "close", "open"]
"""Which player is better; or that they differ by less than the margin; or that more deals are needed."""

_UNSEEN = 1e-3
"""The count of a result that did not occur, so that no likelihood is zero."""


class SequentialPlan(Struct, frozen=True):
    """When to stop. All numbers are chosen before the first match."""

    margin: float = 20.0
    """In Elo points: a larger difference is found with the chance 1 - beta; a smaller one may count as close."""
    alpha: float = 0.05
    """The chance to call any player better that is not, over all pairs together."""
    beta: float = 0.05
    batch: int = 20
    """Deals between two looks at the results."""
    most_batches: int = 500

    def bounds(self, pairs: int = 1) -> tuple[float, float]:
        """Wald's bounds of the log-likelihood ratio. Each pair may err in two directions, so alpha is split."""
        alpha = self.alpha / 2 / pairs
        return log(self.beta / (1 - alpha)), log((1 - self.beta) / alpha)


class PairDecision(Struct, frozen=True):
    """The result of the sequential test for two players."""

    first: int
    second: int
    outcome: Outcome
    batches: int
    """After how many batches it was decided, or how many there are."""
    for_first: float
    """The log-likelihood ratio of "better by the margin" against "equal", for the first player."""
    for_second: float


def expected_share(elo: float) -> float:
    """The share of wins of a player that is stronger by this many Elo points."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def log_likelihood_ratio(values: Floats, equal: float, better: float) -> float:
    """How much more likely the results by deal are if their mean is `better` than if it is `equal`.

    The generalised likelihood ratio of fishtest: for each mean, the most likely distribution over the values that
    occur. For two seats a deal has five values (0 to 2 points in halves, divided by 2); for more seats it has more.
    """
    levels, counts = np.unique(np.concatenate([values, [0.0, 0.5, 1.0]]), return_counts=True)
    seen = counts - np.isin(levels, [0.0, 0.5, 1.0])
    weights = np.maximum(seen, _UNSEEN)

    def tilted(mean: float) -> Floats:
        low, high = -1 / (levels.max() - mean), 1 / (mean - levels.min())
        gap = 1e-9 * (high - low)
        tilt = optimize.brentq(
            lambda x: float((weights * (levels - mean) / (1 + x * (levels - mean))).sum()), low + gap, high - gap
        )
        return np.asarray(np.log1p(tilt * (levels - mean)))

    return float((weights * (tilted(equal) - tilted(better))).sum())


def decide(batches: Iterable[Floats], plan: SequentialPlan, pairs: int = 1) -> tuple[Outcome, int, float, float]:
    """The outcome, the number of batches it took, and both ratios; later batches are not looked at.

    Each batch holds the share of the first player by deal. Two tests run side by side (Sobel, Wald): whether the
    first is better, and whether the second is; each stays as it was decided first.
    """
    low, high = plan.bounds(pairs)
    better = expected_share(plan.margin)
    seen = np.zeros(0)
    ratios = [0.0, 0.0]
    closed = [False, False]
    outcome: Outcome = "open"
    looks = 0
    for looks, batch in enumerate(batches, start=1):  # noqa: B007  # the last number is returned
        seen = np.concatenate([seen, batch])
        for side, values in enumerate((seen, 1 - seen)):
            if not closed[side]:
                ratios[side] = log_likelihood_ratio(values, 0.5, better)
                closed[side] = ratios[side] <= low
        if max(ratios) >= high:
            outcome = "first" if ratios[0] >= ratios[1] else "second"
        elif all(closed):
            outcome = "close"
        if outcome != "open":
            break
    return outcome, looks, ratios[0], ratios[1]


def shares_by_deal(sample: Sample, first: int, second: int) -> Floats:
    """The share of `first` against `second` in each deal that both played."""
    sums = pair_sums(sample)
    at = sums.pairs.index((min(first, second), max(first, second)))
    signs, seats = sums.signs[:, [at]].toarray().ravel(), sums.seats[:, [at]].toarray().ravel()
    shares = (1 + signs[seats > 0] / seats[seats > 0]) / 2
    return np.asarray(shares if first < second else 1 - shares)


def decisions(results: Sequence[MatchResult], players: int, plan: SequentialPlan) -> list[PairDecision]:
    """Judge all pairs by the results of whole batches: batch k has the deals from k * batch on.

    Raises ValueError if a duplicate set is not complete, because a batch counts only when it is finished.
    """
    by_batch: list[list[MatchResult]] = [
        [] for _ in range(1 + max((r.deal // plan.batch for r in results), default=-1))
    ]
    for result in results:
        by_batch[result.deal // plan.batch].append(result)
    samples = []
    for number, batch in enumerate(by_batch):
        sample, counts = collect(batch, players)
        if counts.waiting:
            raise ValueError(f"batch {number} is not finished: {counts.waiting} matches wait for the rest of their set")
        samples.append(sample)
    return [
        PairDecision(
            first, second, *decide((shares_by_deal(s, first, second) for s in samples), plan, comb(players, 2))
        )
        for first, second in combinations(range(players), 2)
    ]
