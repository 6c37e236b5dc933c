"""The Plackett-Luce fit, its intervals, and the running ratings."""

import time
from itertools import pairwise, permutations

import choix
import numpy as np
import pytest

from parlour.tournament.ratings import log_strengths, ratings, running_ratings
from parlour.tournament.records import MatchResult, Sample, collect
from parlour.tournament.resampling import Bootstrap
from parlour.tournament.skills import NEWCOMER, rate
from tests.tournament.simulator import World, play, results, round_robin

WORLD = World((-0.6, -0.2, 0.0, 0.2, 0.6), seats=3)


def orders(sample: Sample) -> list[tuple[int, ...]]:
    """Every ranking six times; a tie in all orders, equally often."""
    found = []
    for seats, ranks in zip(sample.seats.tolist(), sample.ranks.tolist(), strict=True):
        fitting = {
            order for order in permutations(range(len(seats))) if all(ranks[a] <= ranks[b] for a, b in pairwise(order))
        }
        found += [tuple(seats[at] for at in order) for order in fitting] * (6 // len(fitting))
    return found


def with_imaginary_player(data: list[tuple[int, ...]], players: int, copies: int) -> list[tuple[int, ...]]:
    """Half a win and half a loss against player number `players`, counted in the same copies as the data."""
    against = [pair for player in range(players) for pair in ((player, players), (players, player))]
    return data + against * (copies // 2)


def test_the_fit_is_the_maximum_that_choix_finds() -> None:
    sample = play(WORLD, round_robin(5, 3), 3, [4])
    assert (sample.ranks[:, 0] == sample.ranks[:, 1]).any()
    expected = choix.opt_rankings(6, with_imaginary_player(orders(sample), 5, 6), alpha=1e-9, tol=1e-9)
    assert log_strengths(sample) == pytest.approx(expected[:5] - expected[5], abs=1e-5)


def match(number: int, players: tuple[int, ...], ranks: tuple[int, ...]) -> MatchResult:
    return MatchResult(number, number, 0, players, ranks, tuple(float(-rank) for rank in ranks))


def test_a_player_that_always_wins_is_finite_and_its_interval_is_not_a_point() -> None:
    sample, _ = collect([match(number, (0, 1), (1, 2)) for number in range(100)], 2)
    best, worst = (rating.rating for rating in ratings(sample, zero=1))
    assert 600 < best.estimate < 1300 and best.low < 570 < best.high  # exact lower bound for 100 wins of 100: 570
    assert worst.estimate == worst.low == worst.high == 0


def test_for_two_seats_the_scale_is_that_of_elo() -> None:
    sample, _ = collect([match(number, (0, 1), (1, 2) if number % 11 else (2, 1)) for number in range(11_000)], 2)
    assert ratings(sample, Bootstrap(rounds=50), zero=1)[0].rating.estimate == pytest.approx(400, abs=1)


def test_a_tie_is_half_a_win_each() -> None:
    tied, _ = collect([match(number, (0, 1), (1, 1)) for number in range(20)], 2)
    assert log_strengths(tied) == pytest.approx([0, 0])
    mixed, _ = collect([match(0, (0, 1), (1, 1)), match(1, (0, 1), (1, 2))], 2)
    split, _ = collect([match(0, (0, 1), (1, 2)), match(1, (0, 1), (1, 2))], 2)
    assert 0 < log_strengths(mixed)[0] < log_strengths(split)[0]


def test_a_player_may_hold_several_seats() -> None:
    places = [(1, 2, 3), (2, 3, 1), (3, 1, 2)]
    sample, _ = collect([match(number, (0, 1, 1), places[number % 3]) for number in range(90)], 2)
    assert log_strengths(sample) == pytest.approx([0, 0], abs=1e-6)  # first, second and third equally often
    better, _ = collect([match(number, (0, 1, 1), places[number % 2]) for number in range(90)], 2)
    assert log_strengths(better)[0] > log_strengths(better)[1]


def test_a_player_without_matches_is_average_and_unknown() -> None:
    sample, _ = collect([match(number, (0, 1), (1 + number % 2, 2 - number % 2)) for number in range(50)], 3)
    unknown = ratings(sample)[2].rating
    assert unknown.estimate == pytest.approx(0, abs=1e-6) and unknown.high - unknown.low > 900


def test_one_deal_has_no_interval() -> None:
    sample, _ = collect([match(0, (0, 1), (1, 2))], 2)
    assert ratings(sample)[0].rating.high == float("inf")


def test_equal_seeds_give_equal_ratings_and_the_order_of_results_does_not_matter() -> None:
    told = results(play(WORLD, round_robin(5, 3), 20, [8]), seatings=3)
    one = ratings(collect(told, 5)[0], Bootstrap(rounds=100, seed=3))
    assert one == ratings(collect(told[::-1], 5)[0], Bootstrap(rounds=100, seed=3))
    assert one != ratings(collect(told, 5)[0], Bootstrap(rounds=100, seed=4))


def test_a_thousand_fits_of_2240_matches_take_seconds() -> None:
    sample = play(World(tuple(np.linspace(-1, 1, 8)), seats=4), round_robin(8, 4), 8, [1])
    started = time.process_time()
    ratings(sample, Bootstrap(rounds=1000))
    assert sample.size == 2240 and time.process_time() - started < 10


def test_running_ratings_follow_the_schedule_and_skip_voids() -> None:
    told = [match(number, (0, 1, 2), (1, 2, 2)) for number in range(30)]
    told.append(MatchResult(30, 30, 0, (0, 1, 2), void=True))
    steps = list(running_ratings(told[::-1], 3))
    assert [number for number, _ in steps] == list(range(30))
    first, second, third = steps[-1][1]
    assert first.safe > second.mu and second == third and first.sigma < NEWCOMER.sigma


def test_equal_ranks_are_ties_to_openskill() -> None:
    one, other = rate([NEWCOMER, NEWCOMER], [1, 1])
    assert one.mu == pytest.approx(other.mu) == pytest.approx(NEWCOMER.mu)
