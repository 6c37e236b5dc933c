"""Compare pairs of players, with errors, and the number of deals that would decide the rest."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np
from msgspec import Struct
from scipy import sparse, special

from parlour.tournament.records import Floats, Integers, Sample
from parlour.tournament.resampling import Bootstrap, Interval, mean_intervals, share_intervals

EXACT_DEALS = 2000
"""Up to this number of deals p-values are exact; beyond it they use the normal distribution."""
POWER = 0.8
"""The chance to decide a pair that the estimate of the matches still needed aims at."""


class HeadToHead(Struct, frozen=True):
    """Two players in the matches that both played. Numbers are from the view of `first`."""

    first: int
    second: int
    deals: int
    matches: int
    wins: int
    """How often `first` was ranked before `second`, by seats: two seats of a player count twice."""
    ties: int
    losses: int
    share: Interval
    """Wins and half of the ties, of all."""
    score_difference: Interval
    p: float
    """Of the sign-flip test over deals, two-sided."""
    holm: float
    """The same, corrected for all pairs that are compared."""
    more_deals: int | None
    """How many more deals would probably decide an undecided pair; None if decided or if no difference was seen."""
    more_matches: int | None

    def decided(self, level: float = 0.95) -> bool:
        """Whether one of the two is better at this confidence, over all pairs together."""
        return self.holm <= 1 - level


class DuplicateGain(Struct, frozen=True):
    """How the error of the head-to-head shares changed because the same deals were played in several seatings."""

    variance_ratio: float
    """The variance that independent deals would give, divided by the variance with duplicate play."""
    error_cut: float
    """By which part of itself the error shrank; 0.3 is an error that is 30 % smaller."""


class PairSums(Struct, frozen=True):
    """Sums by deal (rows) and pair of players (columns); the lower number of a pair comes first."""

    pairs: tuple[tuple[int, int], ...]
    signs: Any
    """Times that the first was ranked before the second, less the opposite."""
    ties: Any
    seats: Any
    """Pairs of seats compared."""
    matches: Any
    scores: Any
    """Score differences."""


def pair_sums(sample: Sample) -> PairSums:
    """Compare every two seats that different players hold."""
    players, before = sample.players, sample.ahead
    pairs = tuple(combinations(range(players), 2))
    column = np.zeros((players, players), dtype=np.int64)
    column[tuple(np.array(pairs, dtype=np.int64).reshape(-1, 2).T)] = np.arange(len(pairs))
    cells: list[tuple[Integers, ...]] = []
    scores: list[Floats] = []
    for one, other in combinations(range(sample.seats.shape[1]), 2):
        a, b = sample.seats[:, one], sample.seats[:, other]
        rows = np.flatnonzero((a >= 0) & (b >= 0) & (a != b))
        turn = np.where(a < b, 1, -1)[rows]
        pair = column[np.minimum(a, b)[rows], np.maximum(a, b)[rows]]
        cells.append((rows, pair, before[rows, one, other] * turn))
        scores.append((sample.scores[rows, one] - sample.scores[rows, other]) * turn)
    rows, pair, sign = (np.concatenate(part).astype(np.int64) for part in zip(*cells, strict=True))
    met = np.unique(rows * max(len(pairs), 1) + pair)
    shape = (sample.number_of_deals, len(pairs))

    def summed(values: Any, rows: Integers, pair: Integers) -> Any:
        return sparse.coo_array((values, (sample.deals[rows], pair)), shape=shape).tocsr()

    return PairSums(
        pairs,
        summed(sign.astype(float), rows, pair),
        summed((sign == 0).astype(float), rows, pair),
        summed(np.ones(len(rows)), rows, pair),
        summed(np.ones(len(met)), met // max(len(pairs), 1), met % max(len(pairs), 1)),
        summed(np.concatenate(scores), rows, pair),
    )


def sign_flip_p(differences: Sequence[int] | Integers) -> float:
    """The two-sided p-value of whole-number differences by deal, if each could as well have had the other sign.

    The distribution of the sum is computed, not sampled: deals with equal absolute differences flip as a
    binomial number of coins, and the few different sizes are combined.
    """
    sizes, counts = np.unique(np.abs(np.asarray(differences, dtype=np.int64)), return_counts=True)
    sizes, counts = sizes[sizes > 0], counts[sizes > 0]
    seen = abs(int(np.sum(differences)))
    if not seen:
        return 1.0
    if counts.sum() > EXACT_DEALS:
        return float(special.erfc(seen / np.sqrt(2 * (sizes**2 * counts).sum())))
    chances = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        coins = np.zeros(size * count + 1)
        coins[::size] = _coins(count)
        chances = np.convolve(chances, coins)
    total = len(chances) - 1  # chances[k]: the sum of the differences that turn out positive is k
    far = np.abs(2 * np.arange(total + 1) - total) >= seen
    return min(float(chances[far].sum()), 1.0)


def _coins(count: int) -> Floats:
    """The chances of 0 to `count` heads."""
    heads = np.arange(count + 1)
    ways = special.gammaln(count + 1) - special.gammaln(heads + 1) - special.gammaln(count - heads + 1)
    return np.asarray(np.exp(ways - count * np.log(2)))


def holm(values: Sequence[float]) -> list[float]:
    """Holm's correction of p-values for being many."""
    corrected = [1.0] * len(values)
    largest = 0.0
    for place, at in enumerate(sorted(range(len(values)), key=lambda at: values[at])):
        largest = max(largest, min(1.0, (len(values) - place) * values[at]))
        corrected[at] = largest
    return corrected


def more_deals(signs: Floats, seats: Floats, alpha: float, played: int) -> int | None:
    """How many more deals reach significance at `alpha` with the chance POWER, if the difference is as it was seen."""
    mean, deals = float(signs.sum() / seats.sum()), len(signs)
    if mean == 0 or deals < 2:
        return None
    spread = float(np.sqrt(((signs - mean * seats) ** 2).sum() / (deals - 1)) / seats.mean())
    away = float(special.ndtri(1 - alpha / 2) + special.ndtri(POWER))
    return max(1, ceil((away * spread / mean) ** 2) - played)


def by_pair(sums: PairSums) -> Iterator[tuple[int, Floats, Floats]]:
    """The pairs that met, by column, with signs and pairs of seats in each deal that both played."""
    signs, seats = sums.signs.tocsc(), sums.seats.tocsc()
    for at in range(len(sums.pairs)):
        cells = slice(seats.indptr[at], seats.indptr[at + 1])
        if cells.start < cells.stop:
            yield at, np.asarray(signs.data[cells]), np.asarray(seats.data[cells])


def head_to_head(sample: Sample, how: Bootstrap | None = None) -> list[HeadToHead]:
    """Compare all pairs of players that met. The lower number comes first."""
    how = how or Bootstrap()
    if not sample.size:
        return []
    sums = pair_sums(sample)
    shares = share_intervals(sample, (sums.signs + sums.seats) / 2, sums.seats, how)
    scores = mean_intervals(sample, sums.scores, sums.seats, how)
    matches, ties = (np.rint(part.sum(axis=0)).astype(np.int64).tolist() for part in (sums.matches, sums.ties))
    met = list(by_pair(sums))
    chances = [sign_flip_p(np.rint(signs).astype(np.int64)) for _, signs, _ in met]
    alpha = (1 - how.level) / max(len(met), 1)
    found = []
    for (at, signs, seats), p, corrected in zip(met, chances, holm(chances), strict=True):
        deals, decisive, lead = len(seats), round(seats.sum()) - ties[at], round(signs.sum())
        more = more_deals(signs, seats, alpha, deals) if corrected > 1 - how.level else None
        told = HeadToHead(
            *sums.pairs[at],
            deals=deals,
            matches=matches[at],
            wins=(decisive + lead) // 2,
            ties=ties[at],
            losses=(decisive - lead) // 2,
            share=shares[at],
            score_difference=scores[at],
            p=p,
            holm=corrected,
            more_deals=more,
            more_matches=None if more is None else ceil(more * matches[at] / deals),
        )
        found.append(told)
    return found


def sentence(pair: HeadToHead, names: Sequence[str], level: float = 0.95) -> str:
    """The result of a pair in words."""
    first, second = names[pair.first], names[pair.second]
    told = "p < 0.001" if pair.holm < 0.001 else f"p = {pair.holm:.{2 if pair.holm >= 0.0095 else 3}f}"
    told = f"Holm-corrected {told}"
    if pair.decided(level):
        better, worse = (first, second) if pair.share.estimate > 0.5 else (second, first)
        return f"{better} beats {worse} ({told})"
    if pair.more_matches is None:
        why = "no difference was seen" if pair.wins == pair.losses else "one deal is too few"
        return f"{first} and {second}: undecided ({told}); {why}"
    return f"{first} and {second}: undecided ({told}); about {pair.more_matches:,} more matches would decide"


def duplicate_gain(sample: Sample) -> DuplicateGain:
    """Compare the variance of the head-to-head shares with what the same schedule on independent deals would give.

    With independent deals, matches of equal seating would differ as they do across deals here, and nothing would
    cancel between seatings.
    """
    apart = Sample(sample.players, sample.seats, sample.ranks, sample.scores, np.arange(sample.size), sample.lineups)
    paired, independent = _variance(sample), _variance(apart)
    ratio = independent / paired if paired and independent else 1.0
    return DuplicateGain(ratio, 1 - float(np.sqrt(1 / ratio)))


def _variance(sample: Sample) -> float:
    """The variances of the head-to-head shares, added up over all pairs; deals vary within their stratum."""
    sums, groups = pair_sums(sample), np.unique(sample.strata, return_inverse=True)[1]
    deals = np.arange(sample.number_of_deals)
    grouped = sparse.coo_array((np.ones(len(deals)), (groups, deals))).tocsr()
    sizes = np.bincount(groups)[:, None]
    squares = (grouped @ sums.signs.power(2)).toarray() - (grouped @ sums.signs).toarray() ** 2 / sizes
    spread = (squares * sizes / np.maximum(sizes - 1, 1)).sum(axis=0)
    seats = np.asarray(sums.seats.sum(axis=0))
    return float((spread[seats > 0] / seats[seats > 0] ** 2).sum())
