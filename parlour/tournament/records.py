"""The facts about a finished match for the statistics, and the matches of a tournament as arrays.

The written rule for ties, faults and voids, with its reasons, is in docs/tournaments-method.md.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

EMPTY = -1
"""Stands for the player of a seat that a match does not have, because other matches have more seats."""
SMALLEST_STRATUM = 5


class MatchResult(Struct, frozen=True, forbid_unknown_fields=True):
    """One finished match. Players are numbered from 0; everything else is by seat, as the game itself said."""

    match: int
    """The number of the match in the schedule. Its order is the order of the statistics, whatever finished first."""
    deal: int
    """The number of the seed. Matches that share it had the same luck, so they are resampled together."""
    lineup: int
    """The number of the line-up. A deal and a line-up make a duplicate set: the same players in other seats."""
    players: tuple[int, ...]
    ranks: tuple[int, ...] = ()
    """From 1; players who share a place share its number. Empty for a void match."""
    scores: tuple[float, ...] = ()
    faults: tuple[int, ...] = ()
    forfeits: tuple[bool, ...] = ()
    """Whether the seat's player resigned or was removed before the end."""
    void: bool = False
    seatings: int = 1
    """How many matches the duplicate set has when it is complete."""


class Sample(Struct, frozen=True, dict=True):  # the dictionary holds the cached properties
    """The matches that count, as arrays: one row per match, one column per seat."""

    players: int
    seats: Integers
    """The player at each seat, or EMPTY."""
    ranks: Integers
    scores: Floats
    deals: Integers
    """The deal of each match, numbered from 0 without gaps."""
    lineups: Integers

    @property
    def size(self) -> int:
        """The number of matches."""
        return len(self.deals)

    @property
    def number_of_deals(self) -> int:
        return int(self.deals.max()) + 1 if self.size else 0

    @cached_property
    def taken(self) -> NDArray[np.bool_]:
        """By match and seat: whether the seat has a player."""
        taken: NDArray[np.bool_] = self.seats != EMPTY
        return taken

    @cached_property
    def ahead(self) -> NDArray[np.int8]:
        """By match, seat and other seat: 1 if the seat is ranked before the other, -1 if after, 0 if they tie."""
        both = self.taken[:, :, None] & self.taken[:, None, :]
        return np.where(both, np.sign(self.ranks[:, None, :] - self.ranks[:, :, None]), 0).astype(np.int8)

    @cached_property
    def strata(self) -> Integers:
        """The stratum of each deal: deals that the same line-ups played in the same seatings. Small ones are pooled."""
        seating = row_numbers(np.column_stack([self.lineups, self.seats]))
        labels = np.random.default_rng(0).integers(0, 2**63, seating.max(initial=0) + 1, dtype=np.uint64)
        sums = np.zeros(self.number_of_deals, dtype=np.uint64)
        np.add.at(sums, self.deals, labels[seating])  # equal sums of random labels: the same seatings
        _, group, sizes = np.unique(sums, return_inverse=True, return_counts=True)
        small = sizes < SMALLEST_STRATUM
        rest = len(sizes)
        if sizes[small].sum() < SMALLEST_STRATUM and not small.all():  # too few even together
            rest = int(sizes.argmax())
        return np.where(small[group], rest, group)

    @cached_property
    def degrees_of_freedom(self) -> int:
        """The number of deals that are free to vary."""
        return self.number_of_deals - len(np.unique(self.strata))

    def first(self, deals: int) -> "Sample":
        """The sample as it was when only the first deals had been played."""
        kept = self.deals < deals
        return Sample(
            self.players, self.seats[kept], self.ranks[kept], self.scores[kept], self.deals[kept], self.lineups[kept]
        )


class PlayerCount(Struct, frozen=True):
    """Counts for a player over all its matches that were not void, whether the statistics use them or not."""

    player: int
    matches: int
    faults: int
    matches_with_faults: int
    forfeits: int


class UsedMatches(Struct, frozen=True):
    """How many matches the statistics use, and why not the others."""

    used: int
    void: int
    dropped: int
    """Finished matches whose duplicate set has a void match."""
    waiting: int
    """Finished matches whose duplicate set is not complete yet."""
    players: tuple[PlayerCount, ...]


def why_not_a_result(result: MatchResult, players: int) -> str | None:
    """Why this result cannot be used, in one line, or None if it can."""
    seats = len(result.players)
    if not all(0 <= player < players for player in result.players):
        return f"match {result.match}: players are numbered from 0 to {players - 1}, not {result.players}"
    if result.void:
        return None
    if seats < 2 or not len(result.ranks) == len(result.scores) == seats:
        return f"match {result.match}: {seats} players, {len(result.ranks)} ranks and {len(result.scores)} scores"
    if any(len(said) not in (0, seats) for said in (result.faults, result.forfeits)):
        return f"match {result.match}: faults and forfeits are by seat, and there are {seats} seats"
    if not np.isfinite(result.scores).all():
        return f"match {result.match}: scores are finite numbers, not {result.scores}"
    return None


def collect(results: Iterable[MatchResult], players: int) -> tuple[Sample, UsedMatches]:
    """Choose the matches that count, and count all. The order of the results does not matter."""
    ordered = sorted(results, key=lambda result: result.match)
    sets: dict[tuple[int, int], list[MatchResult]] = defaultdict(list)
    for result in ordered:
        if why := why_not_a_result(result, players):
            raise ValueError(why)
        sets[result.deal, result.lineup].append(result)
    used: list[MatchResult] = []
    dropped = waiting = 0
    for matches in sets.values():
        finished = sum(not match.void for match in matches)
        if finished < len(matches):
            dropped += finished
        elif finished < matches[0].seatings:
            waiting += finished
        else:
            used.extend(matches)
    void = sum(result.void for result in ordered)
    counts = UsedMatches(len(used), void, dropped, waiting, _players(ordered, players))
    return _sample(sorted(used, key=lambda result: result.match), players), counts


def _players(results: Sequence[MatchResult], players: int) -> tuple[PlayerCount, ...]:
    """Count a player that holds two seats of a match once for the match, and the faults of both."""
    matches, faults, faulty, forfeits = np.zeros((4, players), dtype=np.int64)
    for result in results:
        if result.void:
            continue
        for player in set(result.players):
            own = [seat for seat, who in enumerate(result.players) if who == player]
            at_fault = sum(result.faults[seat] for seat in own) if result.faults else 0
            matches[player] += 1
            faults[player] += at_fault
            faulty[player] += at_fault > 0
            forfeits[player] += any(result.forfeits[seat] for seat in own) if result.forfeits else 0
    columns = (matches, faults, faulty, forfeits)
    return tuple(PlayerCount(player, *(int(column[player]) for column in columns)) for player in range(players))


def _sample(results: Sequence[MatchResult], players: int) -> Sample:
    shape = len(results), max((len(result.players) for result in results), default=0)
    seats, ranks, scores = np.full(shape, EMPTY, dtype=np.int64), np.zeros(shape, dtype=np.int64), np.zeros(shape)
    for row, result in enumerate(results):
        width = len(result.players)
        seats[row, :width] = result.players
        ranks[row, :width] = result.ranks
        scores[row, :width] = result.scores
    deals = np.array([result.deal for result in results], dtype=np.int64)
    lineups = np.array([result.lineup for result in results], dtype=np.int64)
    return Sample(players, seats, ranks, scores, np.unique(deals, return_inverse=True)[1], lineups)


def row_numbers(rows: Integers) -> Integers:
    """Number the different rows of a matrix; the number of each row."""
    numbers = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        low = column.min(initial=0)
        numbers = numbers * (column.max(initial=0) - low + 1) + column - low
        numbers = np.unique(numbers, return_inverse=True)[1]
    return numbers


def win_shares(sample: Sample) -> Floats:
    """By match and seat: 1 for the winner, split equally among all who share the first place."""
    best = np.where(sample.taken, sample.ranks, np.iinfo(np.int64).max).min(axis=1, initial=np.iinfo(np.int64).max)
    first = sample.taken & (sample.ranks == best[:, None])
    shares: Floats = first / np.maximum(first.sum(axis=1, keepdims=True), 1)
    return shares


def places(sample: Sample) -> Floats:
    """By match and seat: the place from 1; players who tie get the mean of the places that they share."""
    others = sample.taken.sum(axis=1, keepdims=True) - 1
    shared: Floats = np.where(sample.taken, 1 + (others - sample.ahead.sum(axis=2, dtype=np.int64)) / 2, 0.0)
    return shared


def points(sample: Sample) -> Floats:
    """By match and seat: the share of the other seats that are ranked after this one; a tie counts half."""
    others = np.maximum(sample.taken.sum(axis=1, keepdims=True) - 1, 1)
    share: Floats = np.where(sample.taken, (1 + sample.ahead.sum(axis=2, dtype=np.int64) / others) / 2, 0.0)
    return share
