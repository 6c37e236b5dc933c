"""How often intervals cover the truth, and claims are wrong, in simulated tournaments.

`python -m tests.tournament.coverage` prints the tables of docs/tournaments-method.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from msgspec import Struct

from parlour.tournament.comparisons import HeadToHead, duplicate_gain, head_to_head
from parlour.tournament.ratings import ratings
from parlour.tournament.records import Floats, Sample
from parlour.tournament.resampling import Bootstrap, Interval
from parlour.tournament.sequential import SequentialPlan, decide, shares_by_deal
from parlour.tournament.standings import seat_standings, standings
from tests.tournament.simulator import Luck, Schedule, World, gauntlet, joined, play, round_robin, swiss

NONE = Schedule((), ())
FIVE = (-0.6, -0.2, 0.0, 0.2, 0.6)
NAMES = ("rating", "win share", "mean place", "mean score", "head-to-head", "score difference", "seat")

OF_PAIRS = ("head-to-head", "score difference")


class Case(Struct, frozen=True):
    """A kind of tournament."""

    title: str
    world: World
    schedule: Schedule
    deals: int
    luck: Luck = "duplicate"
    swiss_rounds: int = 0

    def tournament(self, number: int) -> Sample:
        seed = [number, self.deals, 31]
        if self.swiss_rounds:
            return swiss(self.world, self.swiss_rounds, self.deals, seed)
        return play(self.world, self.schedule, self.deals, seed, self.luck)

    def many(self, matches: int) -> Sample:
        """About as many matches of this kind, from which the truth is taken."""
        if self.swiss_rounds:
            size = self.swiss_rounds * self.deals * self.world.players
            return joined([self.tournament(10_000 + number) for number in range(matches // size)])
        return play(self.world, self.schedule, matches // len(self.schedule.lineups), [99], self.luck)


TWO_SEATS = Case("2 seats, round robin, duplicate", World(FIVE, 2), round_robin(5, 2), 25)
THREE_SEATS = Case("3 seats, round robin, duplicate", World(FIVE, 3), round_robin(5, 3), 20)
EVEN = tuple(
    Case(f"{seats} seats, equal players", World((0.0,) * players, seats, habit=0), round_robin(players, seats), 30)
    for seats, players in ((2, 4), (3, 4))
)
FIXED = (
    *EVEN,
    TWO_SEATS,
    Case("2 seats, round robin, same deals for all", World(FIVE, 2), round_robin(5, 2), 40, "shared"),
    Case("2 seats, round robin, independent", World(FIVE, 2), round_robin(5, 2), 25, "independent"),
    Case("2 seats, gauntlet, duplicate", World(FIVE, 2), gauntlet(5, 2), 40),
    Case("2 seats, Swiss, 5 rounds, duplicate", World((*FIVE, -0.4, 0.1, 0.4), 2), NONE, 20, swiss_rounds=5),
    Case("2 seats, strong and weak, duplicate", World((-2.0, -0.5, 0.5, 2.0), 2), round_robin(4, 2), 30),
    THREE_SEATS,
    Case("4 seats, all seatings, duplicate", World(FIVE[:4], 4), round_robin(4, 4, every_seating=True), 40),
    Case("5 seats, rotations, independent", World(FIVE, 5), round_robin(5, 5), 20, "independent"),
)


def intervals(sample: Sample, how: Bootstrap, pairs: Sequence[HeadToHead]) -> dict[str, list[Interval]]:
    players = standings(sample, how)
    found = (
        [player.rating for player in ratings(sample, how)],
        [player.win_share for player in players],
        [player.mean_place for player in players],
        [player.mean_score for player in players],
        [pair.share for pair in pairs],
        [pair.score_difference for pair in pairs],
        [seat.win_share for seat in seat_standings(sample, how)],
    )
    return dict(zip(NAMES, found, strict=True))


def index(players: int, pairs: Iterable[HeadToHead]) -> list[int]:
    """The places of pairs among all pairs."""
    places = {pair: place for place, pair in enumerate(combinations(range(players), 2))}
    return [places[pair.first, pair.second] for pair in pairs]


@cache
def truth(case: Case, matches: int) -> dict[str, Floats]:
    """The same estimators on very many matches. Estimates do not depend on which match has which deal."""
    sample = case.many(matches)
    merged = Sample(
        sample.players, sample.seats, sample.ranks, sample.scores, np.arange(sample.size) % 2, sample.lineups
    )
    how = Bootstrap(rounds=2)
    pairs = head_to_head(merged, how)
    found = {
        name: np.array([interval.estimate for interval in own]) for name, own in intervals(merged, how, pairs).items()
    }
    for name in OF_PAIRS:
        spread = np.full(comb(sample.players, 2), np.nan)
        spread[index(sample.players, pairs)] = found[name]
        found[name] = spread
    return found


def covers(found: Iterable[Interval], true: Floats, width: float = 1.0) -> float:
    """The share of intervals that cover the truth, if they had this part of their width."""
    low, high = np.array([(interval.low, interval.high) for interval in found]).T
    middle, half = (low + high) / 2, (high - low) / 2
    return float((np.abs(true - middle) <= half * width).mean())


class Covered(Struct):
    """What tournaments of a fixed format showed, as shares of all."""

    shares: list[dict[str, float]]
    """By width and by kind of interval: how many cover the truth."""
    wrong: float = 0.0
    """Tournaments that claim anything wrong ("B beats A")."""
    decided: float = 0.0
    """Pairs that are decided."""


def coverage(
    case: Case, tournaments: int, matches: int, *, rounds: int = 300, widths: tuple[float, ...] = (1.0,)
) -> Covered:
    true = truth(case, matches)
    better = np.zeros_like(true["head-to-head"]) if case in EVEN else true["head-to-head"] - 0.5
    told = Covered([dict.fromkeys(NAMES, 0.0) for _ in widths])
    for number in range(tournaments):
        how = Bootstrap(rounds=rounds, seed=number)
        sample = case.tournament(number)
        pairs = head_to_head(sample, how)
        found = intervals(sample, how, pairs)
        met = index(sample.players, pairs)
        for width, own in zip(widths, told.shares, strict=True):
            for name in NAMES:
                own[name] += (
                    covers(found[name], true[name][met] if name in OF_PAIRS else true[name], width) / tournaments
                )
        claims = [
            (pair.share.estimate - 0.5) * by <= 0 for pair, by in zip(pairs, better[met], strict=True) if pair.decided()
        ]
        told.wrong += any(claims) / tournaments
        told.decided += len(claims) / len(pairs) / tournaments
    return told


PLAN = SequentialPlan(margin=40, batch=20, most_batches=40)
SEQUENTIAL = (
    Case("2 seats, equal", World((0.0, 0.0), 2, habit=0), round_robin(2, 2), 800),
    Case("2 seats, 24 Elo apart", World((0.0, 0.15), 2, habit=0), round_robin(2, 2), 800),
    Case("2 seats, 47 Elo apart", World((0.0, 0.3), 2, habit=0), round_robin(2, 2), 800),
    Case("3 seats, equal", World((0.0, 0.0, 0.3), 3, habit=0), round_robin(3, 3), 800),
    Case("3 seats, 44 Elo apart", World((0.0, 0.3, 0.3), 3, habit=0), round_robin(3, 3), 800),
    Case("4 seats, 117 Elo apart", World((0.0, 0.5, 0.1, 0.3), 4), round_robin(4, 4), 800),
)


class Stopped(Struct):
    """What sequential tournaments ended with, as shares of all."""

    outcomes: dict[str, float]
    deals: float
    rating: float
    head_to_head: float
    naive: float
    """The coverage of ratings if the intervals were made as for a fixed number of deals."""


def stopped(case: Case, tournaments: int, matches: int, plan: SequentialPlan = PLAN) -> Stopped:
    true = truth(case, matches)
    told = Stopped(dict.fromkeys(("first", "second", "close", "open"), 0.0), 0.0, 0.0, 0.0, 0.0)
    for number in range(tournaments):
        sample = case.tournament(number)
        shares = shares_by_deal(sample, 0, 1)
        outcome, batches, *_ = decide(np.split(shares, plan.most_batches), plan)
        played = sample.first(batches * plan.batch)
        honest = Bootstrap(rounds=200, seed=number, stopping="sequential")
        told.outcomes[outcome] += 1 / tournaments
        told.deals += batches * plan.batch / tournaments
        told.rating += covers(_ratings(played, honest), true["rating"]) / tournaments
        told.naive += covers(_ratings(played, Bootstrap(rounds=200, seed=number)), true["rating"]) / tournaments
        pairs = [pair.share for pair in head_to_head(played, honest)]
        told.head_to_head += covers(pairs, true["head-to-head"]) / tournaments
    return told


def _ratings(sample: Sample, how: Bootstrap) -> list[Interval]:
    return [player.rating for player in ratings(sample, how)]


def fixed_table(tournaments: int, matches: int) -> Iterator[tuple[object, ...]]:
    yield ("", *(f"{name}, %" for name in NAMES), "wrong claim, %", "pairs decided, %", "variance ratio")
    for case in FIXED:
        run = coverage(case, tournaments, matches)
        gains = [duplicate_gain(case.tournament(number)).variance_ratio for number in range(50)]
        shares = (*run.shares[0].values(), run.wrong, run.decided)
        yield (case.title, *(100 * share for share in shares), f"{np.mean(gains):.2f}")


def sequential_table(tournaments: int, matches: int) -> Iterator[tuple[object, ...]]:
    ends = ("first better, %", "second better, %", "close, %", "open, %", "mean deals")
    yield ("", *ends, "ratings covered, %", "head-to-head covered, %", "ratings covered as if fixed, %")
    for case in SEQUENTIAL:
        run = stopped(case, tournaments, matches)
        covered = (100 * share for share in (run.rating, run.head_to_head, run.naive))
        yield (case.title, *(100 * share for share in run.outcomes.values()), run.deals, *covered)


def main(tournaments: int = 1000, matches: int = 1_000_000) -> None:
    """Print the tables as Markdown."""
    for table in (fixed_table, sequential_table):
        for number, row in enumerate(table(tournaments, matches)):
            cells = [f"{cell:.1f}" if isinstance(cell, float) else str(cell) for cell in row]
            print(f"| {' | '.join(cells)} |", flush=True)
            if number == 0:
                print("|" + " --- |" * len(cells), flush=True)
        print()


if __name__ == "__main__":
    main()
