"""Which matches count, and the written rule for ties, faults and voids."""

import random

import numpy as np
import pytest

from parlour.tournament.records import MatchResult, PlayerCount, UsedMatches, collect, places, points, win_shares


def result(match: int, deal: int, players: tuple[int, ...], ranks: tuple[int, ...], **more: object) -> MatchResult:
    told = {"scores": tuple(10.0 - rank for rank in ranks), "seatings": 2, "lineup": 0} | more
    return MatchResult(match=match, deal=deal, players=players, ranks=ranks, **told)  # type: ignore[arg-type]  # mixed


def void(match: int, deal: int, players: tuple[int, ...]) -> MatchResult:
    return MatchResult(match, deal, 0, players, void=True, seatings=2)


def test_a_set_with_a_void_match_is_dropped_whole_and_counted() -> None:
    matches = [
        result(0, 5, (0, 1), (1, 2)),
        result(1, 5, (1, 0), (1, 2)),
        result(2, 6, (0, 1), (1, 2)),
        void(3, 6, (1, 0)),
        result(4, 7, (0, 1), (2, 1)),
    ]
    sample, counts = collect(matches, 2)
    assert sample.deals.tolist() == [0, 0] and sample.seats.tolist() == [[0, 1], [1, 0]]
    assert (counts.used, counts.void, counts.dropped, counts.waiting) == (2, 1, 1, 1)
    assert [player.matches for player in counts.players] == [4, 4]


def test_the_order_of_finishing_does_not_matter() -> None:
    matches = [result(deal * 2 + turn, deal, (turn, 1 - turn), (1, 2)) for deal in range(9) for turn in range(2)]
    shuffled = random.Random(3).sample(matches, len(matches))
    one, other = collect(matches, 2), collect(shuffled, 2)
    assert one[1] == other[1]
    assert all(np.array_equal(getattr(one[0], name), getattr(other[0], name)) for name in ("seats", "ranks", "deals"))


def test_a_forfeit_keeps_the_ranks_of_the_game_and_is_counted() -> None:
    told = result(0, 0, (0, 1, 0), (1, 2, 3), faults=(0, 3, 1), forfeits=(False, True, False), seatings=1)
    sample, counts = collect([told], 2)
    assert sample.ranks.tolist() == [[1, 2, 3]]
    assert counts == UsedMatches(1, 0, 0, 0, (PlayerCount(0, 1, 1, 1, 0), PlayerCount(1, 1, 3, 1, 1)))


def test_ties_split_the_win_and_share_places() -> None:
    sample, _ = collect([result(0, 0, (0, 1, 2, 3), (1, 1, 3, 4), seatings=1)], 4)
    assert win_shares(sample).tolist() == [[0.5, 0.5, 0, 0]]
    assert places(sample).tolist() == [[1.5, 1.5, 3, 4]]
    assert points(sample).tolist() == pytest.approx(np.array([[2.5, 2.5, 1, 0]]) / 3)


def test_tables_of_different_sizes_go_together() -> None:
    small, large = result(0, 0, (0, 1), (2, 1), seatings=1), result(1, 1, (2, 0, 1), (1, 1, 3), seatings=1)
    sample, _ = collect([small, large], 3)
    assert win_shares(sample).tolist() == [[0, 1, 0], [0.5, 0.5, 0]]
    assert places(sample).tolist() == [[2, 1, 0], [1.5, 1.5, 3]]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (result(4, 0, (0, 2), (1, 2)), r"match 4: players are numbered from 0 to 1, not \(0, 2\)"),
        (result(4, 0, (0, 1), (1,)), "match 4: 2 players, 1 ranks and 1 scores"),
        (result(4, 0, (0, 1), (1, 2), faults=(1,)), "match 4: faults and forfeits are by seat, and there are 2 seats"),
        (result(4, 0, (0, 1), (1, 2), scores=(1.0, float("nan"))), "match 4: scores are finite numbers"),
    ],
)
def test_a_wrong_result_is_named(wrong: MatchResult, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        collect([wrong], 2)


def test_no_matches_make_an_empty_sample() -> None:
    sample, counts = collect([], 2)
    assert sample.size == sample.number_of_deals == counts.used == 0
