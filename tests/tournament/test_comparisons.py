"""Head-to-head results, p-values, the words for them, and standings of players and seats."""

from itertools import product

import numpy as np
import pytest

from parlour.tournament.comparisons import (
    duplicate_gain,
    head_to_head,
    holm,
    more_deals,
    pair_sums,
    sentence,
    sign_flip_p,
)
from parlour.tournament.records import MatchResult, collect
from parlour.tournament.resampling import Bootstrap
from parlour.tournament.standings import seat_standings, standings
from tests.tournament.simulator import Luck, World, play, results, round_robin

QUICK = Bootstrap(rounds=200)


def pairs_of(first_wins: int, second_wins: int, ties: int = 0) -> list[MatchResult]:
    """Deals played in both seatings, with the same winner in both."""
    ranks = [(1, 2)] * first_wins + [(2, 1)] * second_wins + [(1, 1)] * ties
    told = []
    for deal, (one, other) in enumerate(ranks):
        told.append(MatchResult(2 * deal, deal, 0, (0, 1), (one, other), (3.0 - one, 3.0 - other), seatings=2))
        told.append(MatchResult(2 * deal + 1, deal, 0, (1, 0), (other, one), (3.0 - other, 3.0 - one), seatings=2))
    return told


@pytest.mark.parametrize("differences", [[3, -1, 2, 2, 0, 1], [1] * 9, [2, -2, 5, 1, 1, -3, 4, 2], [-4, -4, 1]])
def test_the_p_value_is_that_of_all_sign_flips(differences: list[int]) -> None:
    flips = np.array(list(product((1, -1), repeat=len(differences)))) @ np.array(differences)
    assert sign_flip_p(differences) == pytest.approx(np.mean(np.abs(flips) >= abs(sum(differences))))


def test_the_p_value_of_many_deals_is_close_to_the_exact_one() -> None:
    differences = np.random.default_rng(1).integers(-2, 4, 1990) - np.arange(1990) % 2
    exact = sign_flip_p(differences)
    many = sign_flip_p(np.tile(differences, 2))
    assert 0 < exact < 1 and many < exact
    assert sign_flip_p(np.tile([1, -1], 2000)) == 1.0


def test_holm_corrects_for_all_pairs() -> None:
    assert holm([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert holm([]) == []


def test_a_decided_pair_in_words() -> None:
    sample, _ = collect(pairs_of(5, 17), 2)
    [pair] = head_to_head(sample, QUICK)
    assert (pair.wins, pair.ties, pair.losses, pair.deals, pair.matches) == (10, 0, 34, 22, 44)
    assert pair.p == pair.holm == pytest.approx(0.0169, abs=1e-4)  # 22 coins, 17 or more on one side
    assert sentence(pair, ["A", "B"]) == "B beats A (Holm-corrected p = 0.02)"
    assert pair.more_matches is None and pair.share.low < 5 / 22 < pair.share.high < 0.52
    assert pair.score_difference.estimate == pytest.approx(-12 / 22)


def test_an_undecided_pair_in_words() -> None:
    [pair] = head_to_head(collect(pairs_of(12, 8), 2)[0], QUICK)
    assert sentence(pair, ["A", "B"]).startswith("A and B: undecided (Holm-corrected p = 0.50); about 3")
    assert pair.more_deals is not None and pair.more_matches == 2 * pair.more_deals
    [even] = head_to_head(collect(pairs_of(8, 8, 4), 2)[0], QUICK)
    assert sentence(even, ["A", "B"]) == "A and B: undecided (Holm-corrected p = 1.00); no difference was seen"
    [single] = head_to_head(collect(pairs_of(1, 0), 2)[0], QUICK)
    assert sentence(single, ["A", "B"]) == "A and B: undecided (Holm-corrected p = 1.00); one deal is too few"
    [clear] = head_to_head(collect(pairs_of(60, 0), 2)[0], QUICK)
    assert sentence(clear, ["A", "B"]) == "A beats B (Holm-corrected p < 0.001)"
    assert clear.share.estimate == clear.share.high == 1 and 0.9 < clear.share.low < 1


def test_the_estimate_of_more_deals_decides_as_often_as_it_says() -> None:
    """The estimate is made from the true difference, seen in many deals; POWER is 0.8."""
    world, schedule = World((0.0, 0.25), seats=2, habit=0), round_robin(2, 2)
    sums = pair_sums(play(world, schedule, 20_000, [1]))
    signs, seats = sums.signs.toarray().ravel(), sums.seats.toarray().ravel()
    needed = more_deals(signs, seats, 0.05, played=0)
    assert needed is not None

    def decided(deals: int) -> float:
        played = (play(world, schedule, deals, [seed, 5]) for seed in range(200))
        return float(np.mean([head_to_head(sample, Bootstrap(rounds=2))[0].decided() for sample in played]))

    assert 0.7 < decided(needed) < 0.9 and decided(needed // 4) < 0.5


def test_pairs_that_never_met_are_left_out() -> None:
    told = [*pairs_of(3, 4), MatchResult(99, 99, 1, (0, 2), (1, 2), (2.0, 1.0))]
    pairs = head_to_head(collect(told, 3)[0], QUICK)
    assert [(pair.first, pair.second) for pair in pairs] == [(0, 1), (0, 2)]


def test_empty_samples_have_no_comparisons() -> None:
    sample, _ = collect([], 2)
    assert not head_to_head(sample) and not seat_standings(sample)
    assert [player.matches for player in standings(sample, QUICK)] == [0, 0]


def test_duplicate_play_narrows_the_error_if_hands_matter() -> None:
    lucky = World((0.0, 0.0), seats=2, hand=3.0, taste=0.0, habit=0)
    gain = duplicate_gain(play(lucky, round_robin(2, 2), 400, [1]))
    assert gain.variance_ratio > 2 and gain.error_cut == pytest.approx(1 - gain.variance_ratio**-0.5)
    assert duplicate_gain(play(lucky, round_robin(2, 2), 400, [1], "independent")).variance_ratio == 1


def test_the_stated_gain_is_the_gain() -> None:
    """The variance of the result over many tournaments, without duplicate play and with it."""
    lucky = World((0.0, 0.2), seats=2, hand=2.0, taste=0.2, habit=0)

    def variance(luck: Luck) -> float:
        played = (play(lucky, round_robin(2, 2), 50, [seed], luck) for seed in range(400))
        return float(np.var([pair_sums(sample).signs.sum() for sample in played]))

    told = np.mean([duplicate_gain(play(lucky, round_robin(2, 2), 50, [seed])).variance_ratio for seed in range(50)])
    assert variance("independent") / variance("duplicate") == pytest.approx(told, rel=0.4)


def test_seat_advantage_is_found_whoever_sits_there() -> None:
    first, second = seat_standings(play(World((0.0, 1.0), 2, seat_effect=0.8), round_robin(2, 2), 300, [1]), QUICK)
    assert first.advantage.low > 0 > second.advantage.high and first.matches == 600
    fair = seat_standings(play(World((0.0, 1.0), 2, seat_effect=0.0, habit=0), round_robin(2, 2), 300, [1]), QUICK)
    assert all(seat.advantage.low < 0 < seat.advantage.high for seat in fair)


def test_standings_add_up() -> None:
    sample = play(World((0.0, 0.3, 0.5, 0.9), 3), round_robin(4, 3), 20, [2])
    found = standings(sample, QUICK)
    assert sum(player.win_share.estimate * player.matches for player in found) == pytest.approx(sample.size)
    assert sum(player.mean_place.estimate for player in found) == pytest.approx(4 * 2)
    assert sum(player.points.estimate for player in found) == pytest.approx(4 * 0.5)
    told, _ = collect(results(sample, seatings=3), 4)
    assert standings(told, QUICK) == found
