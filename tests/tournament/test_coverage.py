"""Against known truth: intervals cover it as often as they say, and claims are right."""

import numpy as np
import pytest

from tests.tournament.coverage import (
    EVEN,
    FIXED,
    SEQUENTIAL,
    THREE_SEATS,
    TWO_SEATS,
    Case,
    coverage,
    stopped,
)

LOWEST = 0.91
"""Of the ratings in 2 x 100 tournaments. The shares of single tournaments have a standard deviation of 0.10, their
mean one of 0.0071, so a mean of 0.95 falls below this by 5.6 of them (chance 1e-8), and one of 0.94 by 4.2 (1e-5).
Intervals that are 30 % too narrow cover 0.85 and fall below it by 5."""
HIGHEST = 0.985


def test_intervals_cover_the_truth_and_the_test_would_see_if_they_were_too_narrow() -> None:
    runs = [coverage(case, 100, 200_000, rounds=200, widths=(1.0, 0.7)) for case in (TWO_SEATS, THREE_SEATS)]
    for name in ("rating", "win share", "mean place", "mean score", "head-to-head", "score difference"):
        right, narrow = (float(np.mean([run.shares[width][name] for run in runs])) for width in (0, 1))
        assert LOWEST < right < HIGHEST, name
        assert narrow < LOWEST, name
    seats = [run.shares[0]["seat"] for run in runs]  # the two seats of a match are one observation
    assert np.mean(seats) > 0.85


@pytest.mark.parametrize("case", EVEN, ids=lambda case: case.title)
def test_equal_players_are_rarely_called_different(case: Case) -> None:
    assert coverage(case, 100, 20_000, rounds=2).wrong <= 0.16  # more than 16 of 100 at a chance of 0.05: 1e-5


@pytest.mark.parametrize("case", SEQUENTIAL[1:5:2], ids=lambda case: case.title)
def test_intervals_after_optional_stopping_cover_the_truth(case: Case) -> None:
    run = stopped(case, 100, 200_000)
    assert run.rating > LOWEST and run.head_to_head > LOWEST
    assert run.outcomes["first"] <= 0.12  # the first is never better; 0.025 is allowed to be wrong


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("case", FIXED, ids=lambda case: case.title)
def test_a_thousand_tournaments_of_a_fixed_format(case: Case) -> None:
    run = coverage(case, 1000, 1_000_000)
    assert {name: share for name, share in run.shares[0].items() if not 0.93 <= share <= 0.97} == {}
    assert run.wrong <= 0.08  # 0.05 and 4.3 standard deviations
    assert case in EVEN or run.decided > 0.01


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("case", SEQUENTIAL, ids=lambda case: case.title)
def test_a_thousand_sequential_tournaments(case: Case) -> None:
    run = stopped(case, 1000, 1_000_000)
    assert run.rating >= 0.93 and run.head_to_head >= 0.93
    assert run.outcomes["first"] <= 0.047  # 0.025 and 4.3 standard deviations
