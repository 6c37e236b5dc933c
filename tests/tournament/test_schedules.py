"""Which matches a tournament has."""

import random
from collections import Counter
from itertools import combinations, pairwise, permutations

import pytest

from parlour.tournament.plan import TournamentPlan
from parlour.tournament.records import MatchResult
from parlour.tournament.schedules import (
    Fixture,
    Round,
    balanced_seatings,
    deal_seed,
    every_lineup,
    most_matches,
    next_round,
    seatings,
    usual_seatings,
)
from tests.tournament.plans import first_round, plan


def result(fixture: Fixture, strengths: list[int]) -> MatchResult:
    """The stronger player is always ranked before the weaker."""
    order = sorted(fixture.players, key=lambda player: -strengths[player])
    ranks = tuple(order.index(player) + 1 for player in fixture.players)
    scores = tuple(float(strengths[player]) for player in fixture.players)
    return MatchResult(
        fixture.match, fixture.deal, fixture.lineup, fixture.players, ranks, scores, seatings=fixture.seatings
    )


def played(it: TournamentPlan, strengths: list[int]) -> list[Round]:
    """All rounds of a tournament in which the stronger always wins."""
    rounds: list[Round] = []
    results: list[MatchResult] = []
    while (round := next_round(it, rounds, results)) is not None:
        results += [result(fixture, strengths) for fixture in round.fixtures()]
        random.Random(1).shuffle(results)  # the order of finishing does not matter
        rounds.append(round)
    return rounds


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8])
def test_balanced_seatings_put_everybody_everywhere_and_after_everybody_equally_often(seats: int) -> None:
    rows = balanced_seatings(seats)
    assert len(rows) == seats * (1 + seats % 2) and len(set(rows)) == len(rows)
    assert all(sorted(row) == list(range(seats)) for row in rows)
    at = Counter((player, seat) for row in rows for seat, player in enumerate(row))
    after = Counter(pair for row in rows for pair in pairwise(row))
    assert len(at) == seats**2 and len(set(at.values())) == 1
    assert len(after) == seats * (seats - 1) and len(set(after.values())) == 1


def test_few_seatings_are_all_played() -> None:
    assert [usual_seatings(seats) for seats in (2, 3, 4)] == ["all", "all", "balanced"]
    assert set(seatings(3, "all")) == set(permutations(range(3)))


def test_round_robin_plays_every_lineup_with_the_same_deals_in_every_seating() -> None:
    it = plan(["random"] * 4, deals=5)
    fixtures = list(first_round(it).fixtures())
    assert [fixture.match for fixture in fixtures] == list(range(4 * 5 * 6)) and most_matches(it) == 120
    sets = Counter((fixture.deal, fixture.lineup) for fixture in fixtures)
    assert len(sets) == 20 and set(sets.values()) == {6} == {fixture.seatings for fixture in fixtures}
    seated = {(f.deal, f.lineup, f.players) for f in fixtures}
    lineups = {f.lineup: tuple(sorted(f.players)) for f in fixtures}
    assert len(seated) == 120 and sorted(lineups.values()) == list(combinations(range(4), 3))
    assert {fixture.deal for fixture in fixtures} == set(range(5))


def test_connected_players_get_a_deal_for_every_match() -> None:
    it = plan(["random"] * 4, deals=12, duplicate=False)
    fixtures = list(first_round(it).fixtures())
    assert len(fixtures) == 48 == len({fixture.deal for fixture in fixtures})
    assert {fixture.seatings for fixture in fixtures} == {1}
    assert set(Counter((f.lineup, f.players) for f in fixtures).values()) == {2}  # seats are still balanced


def test_a_gauntlet_has_its_player_in_every_match() -> None:
    fixtures = list(first_round(plan(["random"] * 5, "gauntlet", against=2, deals=1)).fixtures())
    assert all(2 in fixture.players for fixture in fixtures) and len({f.lineup for f in fixtures}) == 6


def test_seeds_of_deals_follow_from_the_seed_and_tell_nothing_of_each_other() -> None:
    one, other = plan(), plan(seed="06")
    seeds = [deal_seed(it, deal) for it in (one, other) for deal in range(50)]
    assert len(set(seeds)) == 100 and deal_seed(plan(), 3) == seeds[3] and len(seeds[0]) == 32


def test_swiss_lets_neighbours_meet_and_avoids_meeting_again() -> None:
    strengths = [3, 1, 8, 6, 2, 5, 7, 4]
    rounds = played(plan(["random"] * 8, "swiss", seats=2, rounds=3, deals=1), strengths)
    assert [len(round.lineups) for round in rounds] == [4, 4, 4]
    met = [lineup for round in rounds for lineup in round.lineups]
    assert len(set(met)) == len(met)
    assert (2, 6) in rounds[-1].lineups  # the two strongest


def test_swiss_gives_byes_to_different_players() -> None:
    rounds = played(plan(["random"] * 5, "swiss", seats=2, rounds=5, deals=1), [5, 4, 3, 2, 1])
    byes = [bye for round in rounds for bye in round.byes]
    assert sorted(byes) == [0, 1, 2, 3, 4]
    assert all(sorted([*sum(round.lineups, ()), *round.byes]) == [0, 1, 2, 3, 4] for round in rounds)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("players", range(4, 20))
def test_the_strongest_wins_a_knock_out_of_any_size(players: int, seats: int) -> None:
    strengths = random.Random(players).sample(range(players), players)
    it = plan(["random"] * players, "knock-out", seats=seats, deals=1)
    rounds = played(it, strengths)
    final = rounds[-1].lineups
    assert len(final) == 1 and strengths.index(players - 1) in final[0]
    assert sum(round.size for round in rounds) == most_matches(it)
    for round in rounds:
        inside = [*sum(round.lineups, ()), *round.byes]
        assert len(set(inside)) == len(inside) and all(len(lineup) == seats for lineup in round.lineups)


def test_matches_lineups_and_deals_are_numbered_on_from_round_to_round() -> None:
    rounds = played(plan(["random"] * 6, "swiss", rounds=3, deals=2), [6, 5, 4, 3, 2, 1])
    fixtures = [fixture for round in rounds for fixture in round.fixtures()]
    assert [fixture.match for fixture in fixtures] == list(range(3 * 2 * 2 * 6))
    assert {fixture.deal for fixture in fixtures} == set(range(6))
    assert {fixture.lineup for fixture in fixtures} == set(range(6))


def test_until_decided_comes_in_batches_with_new_deals() -> None:
    rounds = played(plan(["random"] * 2, "until-decided", seats=2, deals=25, batch=10), [2, 1])
    assert [round.deals for round in rounds] == [10, 10, 5]
    fixtures = [fixture for round in rounds for fixture in round.fixtures()]
    assert {fixture.deal for fixture in fixtures} == set(range(25)) and {f.lineup for f in fixtures} == {0}


def test_a_void_match_does_not_stop_the_next_round() -> None:
    it = plan(["random"] * 4, "knock-out", seats=2, deals=1)
    first = first_round(it)
    voids = [MatchResult(f.match, f.deal, f.lineup, f.players, void=True, seatings=2) for f in first.fixtures()]
    final = next_round(it, [first], voids)
    assert final is not None and final.lineups == ((0, 1),)  # the first of the plan go on


@pytest.mark.parametrize(
    ("players", "seats", "lineups"),
    [
        (3, 2, [(0, 1), (0, 2), (1, 2)]),
        (3, 3, [(0, 1, 2)]),
        (3, 4, [(0, 0, 1, 2), (0, 1, 1, 2), (0, 1, 2, 2)]),
        (3, 5, [(0, 0, 1, 1, 2), (0, 0, 1, 2, 2), (0, 1, 1, 2, 2)]),
        (2, 6, [(0, 0, 0, 1, 1, 1)]),
    ],
)
def test_few_players_fill_large_tables_as_evenly_as_possible(
    players: int, seats: int, lineups: list[tuple[int, ...]]
) -> None:
    assert every_lineup(players, seats) == lineups
