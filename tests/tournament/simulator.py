"""Simulated tournaments with luck that the models of the statistics do not have."""

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct

from parlour.tournament.records import Floats, Integers, MatchResult, Sample, points

Luck: TypeAlias = Literal["shared", "duplicate", "independent"]
"""All line-ups play the same deals; each line-up plays its own in several seatings; each match has its own."""


class World(Struct, frozen=True):
    """Players, seats and luck. All effects are on the scale of scores; a match's own noise has heavy tails."""

    strengths: tuple[float, ...]
    seats: int
    seat_effect: float = 0.3
    """How much better each seat is than the one after it."""
    hand: float = 0.8
    """The spread of how good a seat's hand is: the same for all matches of a deal, whoever sits there."""
    taste: float = 0.5
    """The spread of how well a deal suits a player: the same wherever it sits."""
    habit: float = 0.3
    """The spread of how well a seat suits a player, in all deals."""
    noise: float = 1.0
    steps: float = 4.0
    """Scores are whole numbers of this many to the unit, so that some ranks tie."""

    @property
    def players(self) -> int:
        return len(self.strengths)

    def habits(self) -> Floats:
        random = np.random.default_rng([7, self.players, self.seats])
        return self.habit * random.standard_normal((self.players, self.seats))


class Schedule(Struct, frozen=True):
    """The matches of one deal: the line-up and the player at each seat."""

    lineups: tuple[int, ...]
    seats: tuple[tuple[int, ...], ...]


def round_robin(players: int, seats: int, *, every_seating: bool = False) -> Schedule:
    """Every line-up in every seating, or in the rotations of one."""
    lineups: list[int] = []
    rows: list[tuple[int, ...]] = []
    for number, lineup in enumerate(combinations(range(players), seats)):
        turned = [lineup[turn:] + lineup[:turn] for turn in range(seats)]
        for row in permutations(lineup) if every_seating else turned:
            lineups.append(number)
            rows.append(row)
    return Schedule(tuple(lineups), tuple(rows))


def gauntlet(players: int, seats: int) -> Schedule:
    """Only the line-ups with player 0."""
    whole = round_robin(players, seats)
    kept = [at for at, row in enumerate(whole.seats) if 0 in row]
    return Schedule(tuple(whole.lineups[at] for at in kept), tuple(whole.seats[at] for at in kept))


def play(world: World, schedule: Schedule, deals: int, seed: Sequence[int], luck: Luck = "duplicate") -> Sample:
    """Play the schedule `deals` times over."""
    random = np.random.default_rng(seed)
    seats = np.tile(np.array(schedule.seats), (deals, 1))
    lineups = np.tile(np.array(schedule.lineups), deals)
    rounds = np.repeat(np.arange(deals), len(schedule.lineups))
    dealt = {
        "shared": rounds,
        "duplicate": rounds * (max(schedule.lineups) + 1) + lineups,
        "independent": np.arange(len(seats)),
    }[luck]
    deal = np.unique(dealt, return_inverse=True)[1]
    scores = _scores(world, seats, deal, random)
    return Sample(world.players, seats, _ranks(scores), scores, deal, lineups)


def joined(samples: Sequence[Sample]) -> Sample:
    """Samples of the same players, one after the other; their deals are different."""
    deals = np.cumsum([0, *(sample.number_of_deals for sample in samples[:-1])])
    return Sample(
        samples[0].players,
        np.vstack([sample.seats for sample in samples]),
        np.vstack([sample.ranks for sample in samples]),
        np.vstack([sample.scores for sample in samples]),
        np.concatenate([sample.deals + first for sample, first in zip(samples, deals, strict=True)]),
        np.concatenate([sample.lineups for sample in samples]),
    )


def swiss(world: World, rounds: int, deals: int, seed: Sequence[int]) -> Sample:
    """Two seats: in each round, players of nearly equal points who have not met play the same number of deals."""
    total = np.random.default_rng(seed).random(world.players) / 1000
    met: set[tuple[int, int]] = set()
    played: list[Sample] = []
    for number in range(rounds):
        waiting = np.argsort(-total).tolist()
        pairs: list[tuple[int, int]] = []
        while waiting:
            one = waiting.pop(0)
            new = [other for other in waiting if (min(one, other), max(one, other)) not in met]
            other = (new or waiting)[0]
            waiting.remove(other)
            pairs.append((min(one, other), max(one, other)))
        met.update(pairs)
        seats = tuple(row for one, other in pairs for row in ((one, other), (other, one)))
        lineups = tuple(min(row) * world.players + max(row) for row in seats)
        sample = play(world, Schedule(lineups, seats), deals, [*seed, number])
        played.append(sample)
        np.add.at(total, sample.seats, points(sample))
    return joined(played)


def _scores(world: World, seats: Integers, deal: Integers, random: np.random.Generator) -> Floats:
    luck = int(deal.max()) + 1
    at = np.arange(world.seats)
    scores = np.array(world.strengths)[seats] + world.habits()[seats, at] - world.seat_effect * at
    scores = scores + world.hand * random.standard_normal((luck, world.seats))[deal]
    scores += world.taste * random.standard_normal((luck, world.players))[deal[:, None], seats]
    scores += world.noise * random.standard_t(3, seats.shape) / np.sqrt(3)
    rounded: Floats = np.round(scores * world.steps)
    return rounded


def _ranks(scores: Floats) -> Integers:
    ranks: Integers = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    return ranks


def results(sample: Sample, seatings: int = 1) -> list[MatchResult]:
    """The matches of a sample as single results."""
    rows = zip(sample.deals, sample.lineups, sample.seats, sample.ranks, sample.scores, strict=True)
    return [
        MatchResult(
            match, int(deal), int(lineup), tuple(seats.tolist()), tuple(ranks.tolist()), tuple(scores.tolist()),
            seatings=seatings,
        )
        for match, (deal, lineup, seats, ranks, scores) in enumerate(rows)
    ]  # fmt: skip
