"""Play until decided."""

import random

import numpy as np
import pytest

from parlour.tournament.resampling import sequential_factor
from parlour.tournament.sequential import (
    PairDecision,
    SequentialPlan,
    decide,
    decisions,
    expected_share,
    log_likelihood_ratio,
    shares_by_deal,
)
from tests.tournament.simulator import World, play, results, round_robin

PLAN = SequentialPlan(margin=60, batch=10)


def test_the_ratio_is_that_of_the_pentanomial_model() -> None:
    """Against the approximation of fishtest: N (s1 - s0) (2 m - s0 - s1) / (2 v)."""
    values = np.repeat([0, 0.25, 0.5, 0.75, 1.0], [30, 220, 480, 240, 30])
    low, high = 0.5, expected_share(10)
    near = len(values) * (high - low) * (2 * values.mean() - low - high) / (2 * values.var())
    assert log_likelihood_ratio(values, low, high) == pytest.approx(near, rel=0.02)
    assert log_likelihood_ratio(values, high, low) == pytest.approx(-log_likelihood_ratio(values, low, high))


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_results_without_any_spread_have_a_finite_ratio(share: float) -> None:
    ratio = log_likelihood_ratio(np.full(50, share), 0.5, expected_share(20))
    assert np.isfinite(ratio) and (ratio > 0) == (share > 0.5)


def test_the_bounds_are_those_of_wald_for_every_pair_and_both_directions() -> None:
    assert SequentialPlan(alpha=0.1, beta=0.05).bounds() == pytest.approx((-2.94, 2.94), abs=0.01)
    assert SequentialPlan().bounds(pairs=10)[1] > SequentialPlan().bounds()[1]


def test_a_clear_difference_is_found_and_later_batches_are_not_looked_at() -> None:
    def batches() -> object:
        yield from (np.tile([0.5, 1.0], 5) for _ in range(20))
        raise AssertionError("looked too far")

    outcome, looks, for_first, for_second = decide(batches(), PLAN)  # type: ignore[arg-type]  # it yields arrays
    assert outcome == "first" and looks < 20 and for_first > 0 > for_second
    assert decide((np.tile([0.5, 0.0], 5) for _ in range(20)), PLAN)[0] == "second"


def test_equal_players_are_close_and_few_deals_leave_it_open() -> None:
    even = [np.tile([0.0, 0.25, 0.5, 0.75, 1.0], 2)] * 200
    assert decide(even, PLAN)[0] == "close" and decide(even[:2], PLAN)[:2] == ("open", 2)
    assert decide([], PLAN) == ("open", 0, 0.0, 0.0)


def test_all_pairs_are_judged_and_the_order_of_finishing_does_not_matter() -> None:
    sample = play(World((0.0, 0.0, 1.5), 3, habit=0), round_robin(3, 3), 200, [1])
    told = results(sample, seatings=3)
    found = decisions(told, 3, PLAN)
    assert [(pair.first, pair.second) for pair in found] == [(0, 1), (0, 2), (1, 2)]
    assert [pair.outcome for pair in found[1:]] == ["second", "second"]
    assert decisions(random.Random(1).sample(told, len(told)), 3, PLAN) == found
    early = max(pair.batches for pair in found[1:])
    assert decisions([one for one in told if one.deal < early * PLAN.batch], 3, PLAN)[1:] == found[1:]
    assert isinstance(found[0], PairDecision)


def test_an_unfinished_batch_is_refused() -> None:
    told = results(play(World((0.0, 0.0), 2), round_robin(2, 2), 10, [1]), seatings=2)
    with pytest.raises(ValueError, match="batch 0 is not finished: 1 matches wait"):
        decisions(told[:-1], 2, PLAN)


def test_shares_turn_with_the_players() -> None:
    sample = play(World((0.0, 0.5), 2), round_robin(2, 2), 10, [1])
    assert shares_by_deal(sample, 0, 1) == pytest.approx(1 - shares_by_deal(sample, 1, 0))
    assert set(shares_by_deal(sample, 0, 1)) <= {0, 0.25, 0.5, 0.75, 1}


def test_the_factor_covers_all_looks_at_once() -> None:
    """Random walks leave the bounds at any of 2,000 steps in at most 5 % of cases."""
    steps = np.random.default_rng(1).standard_normal((2000, 2000))
    count = np.arange(1, 2001)
    factor = sequential_factor(count.astype(float), 0.95)
    left = (np.abs(steps.cumsum(axis=1)) / np.sqrt(count) > factor).any(axis=1).mean()
    assert 0.005 < left < 0.05
