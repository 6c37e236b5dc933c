"""Who takes a cell, and what happens to its building and force field."""

import pytest

from parlour.games.colorfight.values import Ruleset
from tests.games.colorfight.tables import both, cost, errors, field, kept, show, table, turn

# 5.6 Who takes a cell


@both
def test_more_than_half_takes_the_cell(ruleset: Ruleset) -> None:  # RULES 5.6
    state = table("1h . 2h / . . .", ruleset=ruleset)
    turn(state, "a 1 0 60", "a 1 0 61")
    assert show(state) == "1h 2 2h / . . ." and kept(state, 1) == (40, 0) and kept(state, 2) == (39, 0)


@both
def test_half_is_not_enough_and_the_energy_is_lost(ruleset: Ruleset) -> None:  # RULES 5.6
    state = table("1h . 2h / . . .", ruleset=ruleset)
    turn(state, "a 1 0 60", "a 1 0 60")
    assert show(state) == "1h . 2h / . . ." and field(state, 1, 0) == 0
    assert kept(state, 1) == kept(state, 2) == (40, 0) and not errors(state, 1) + errors(state, 2)


@both
def test_the_most_of_three_is_not_always_more_than_half(ruleset: Ruleset) -> None:  # RULES 5.6
    rows = "1h . 2h / . 3h ."
    state = table(rows, energy=200, ruleset=ruleset)
    turn(state, "a 1 0 50", "a 1 0 60", "a 1 0 110")
    assert show(state) == rows
    state = table(rows, energy=200, ruleset=ruleset)
    turn(state, "a 1 0 50", "a 1 0 60", "a 1 0 111")
    assert show(state) == "1h 3 2h / . 3h ."


@both
def test_the_owner_stays_the_owner_if_nobody_has_more_than_half(ruleset: Ruleset) -> None:  # RULES 5.6
    state = table("1h 3 2h / 3h . .", energy=200, field={(1, 0): 20}, ruleset=ruleset)
    turn(state, "a 1 0 90", "a 1 0 90")
    assert show(state) == "1h 3 2h / 3h . ." and field(state, 1, 0) == 20 - 2  # two enemies around it


@both
def test_the_owner_may_defend_a_cell_by_attacking_it(ruleset: Ruleset) -> None:  # RULES 5.6, 5.10
    state = table("1h 2 / . 2h", energy=500, ruleset=ruleset)
    turn(state, "a 1 0 60", "a 1 0 100")
    assert show(state) == "1h 2 / . 2h" and kept(state, 1) == (440, 0) and kept(state, 2) == (400, 0)
    assert field(state, 1, 0) == 80 - 4


def test_a_players_orders_are_added_up_in_seed() -> None:  # RULES 5.6
    state = table("1h . 2h / . . .", energy=200)
    turn(state, "a 1 0 60, a 1 0 60", "a 1 0 100")
    assert show(state) == "1h 1 2h / . . ." and field(state, 1, 0) == 2 * (2 * 120 - 220) - 2


def test_each_order_counts_by_itself_in_classic() -> None:  # RULES 5.6
    state = table("1h . 2h / . . .", energy=200, ruleset="classic")
    turn(state, "a 1 0 60, a 1 0 60", "a 1 0 100")
    assert show(state) == "1h . 2h / . . ." and kept(state, 1) == (80, 0) and kept(state, 2) == (100, 0)


def test_twice_60_of_one_player_alone() -> None:  # RULES 5.6
    seed, classic = (table("1h . / . .", energy=200, ruleset=each) for each in ("seed", "classic"))
    turn(seed, "a 1 0 60, a 1 0 60")
    turn(classic, "a 1 0 60, a 1 0 60")
    assert show(seed) == "1h 1 / . ." and field(seed, 1, 0) == 240
    assert show(classic) == "1h . / . ." and field(classic, 1, 0) == 0
    assert kept(seed, 1) == kept(classic, 1) == (80, 0) and not errors(classic)


def test_60_and_61_of_one_player_alone() -> None:  # RULES 5.6, 5.10
    seed, classic = (table("1h . / . .", energy=200, ruleset=each) for each in ("seed", "classic"))
    turn(seed, "a 1 0 60, a 1 0 61")
    turn(classic, "a 1 0 60, a 1 0 61")
    assert show(seed) == show(classic) == "1h 1 / . ."
    assert field(seed, 1, 0) == 242 and field(classic, 1, 0) == 2 * (2 * 61 - 121) == 2


@both
def test_each_order_must_reach_the_attack_cost_by_itself(ruleset: Ruleset) -> None:  # RULES 5.3, 5.6
    state = table("1h . / . .", ruleset=ruleset)
    turn(state, "a 1 0 30, a 1 0 30")
    assert show(state) == "1h . / . ." and kept(state, 1) == (100, 0) and len(errors(state)) == 2


@both
def test_two_cells_can_change_hands(ruleset: Ruleset) -> None:  # RULES 5.6
    state = table("1 2 / 1h 2h", ruleset=ruleset)
    turn(state, "a 1 0 50", "a 0 0 50")
    assert show(state) == "2 1 / 1h 2h"


# 5.9 When a building is lost


@both
@pytest.mark.parametrize("word", ["2e", "2g3", "2h"])
def test_a_building_is_lost_when_its_cell_is_taken(ruleset: Ruleset, word: str) -> None:  # RULES 5.9
    state = table(f"1h {word} / . 2", energy=[2000, 0], ruleset=ruleset)
    turn(state, "a 1 0 1000")
    assert show(state) == "1h 1 / . 2"


@pytest.mark.parametrize("word", ["3e", "3g3", "3h"])
def test_a_building_is_lost_in_seed_even_if_nobody_takes_its_cell(word: str) -> None:  # RULES 5.9
    state = table(f"1h {word} 2h / . 3 .", energy=2000)
    turn(state, "a 1 0 1000", "a 1 0 1000")
    assert show(state) == "1h 3 2h / . 3 ."


@pytest.mark.parametrize("word", ["3e", "3g3", "3h"])
def test_a_building_stands_in_classic_if_nobody_takes_its_cell(word: str) -> None:  # RULES 5.9
    rows = f"1h {word} 2h / . 3 ."
    state = table(rows, energy=2000, ruleset="classic")
    turn(state, "a 1 0 1000", "a 1 0 1000")
    assert show(state) == rows


@both
def test_a_defended_building(ruleset: Ruleset) -> None:  # RULES 5.9
    """The owner has more than half, but another's attack has been accepted."""
    state = table("1h 2g2 / . 2h2", energy=500, ruleset=ruleset)
    turn(state, "a 1 0 60", "a 1 0 100")
    assert show(state) == {"seed": "1h 2 / . 2h2", "classic": "1h 2g2 / . 2h2"}[ruleset]


@both
def test_own_attacks_destroy_nothing(ruleset: Ruleset) -> None:  # RULES 5.9
    state = table("1h2 1g2 / 1e .", energy=5000, ruleset=ruleset)
    turn(state, "a 1 0 60, a 0 0 2000, a 0 1 70, a 0 1 70")
    assert show(state) == "1h2 1g2 / 1e ." and not errors(state)


@both
def test_an_attack_that_fails_destroys_nothing(ruleset: Ruleset) -> None:  # RULES 5.9
    rows = "1h 2g2 / . 2h2"
    state = table(rows, energy=[60, 0], ruleset=ruleset)
    turn(state, "a 1 0 49, a 1 0 61, a 1 1 60")
    assert show(state) == rows and len(errors(state)) == 3


@both
def test_what_was_built_in_this_round_is_lost_as_well(ruleset: Ruleset) -> None:  # RULES 5.9
    state = table("1h 2 / . 2h", energy=100, gold=100, ruleset=ruleset)
    turn(state, "a 1 0 60", "b 1 0 e")
    assert show(state) == "1h 1 / . 2h" and kept(state, 2) == (100, 0) and not errors(state, 2)


@both
def test_a_building_that_is_lost_makes_nothing_any_more(ruleset: Ruleset) -> None:  # RULES 5.9, 6.1
    state = table("1h 2g4 / . 2h4", energy=[2000, 0], ruleset=ruleset)
    turn(state, "a 1 0 60")
    assert state.view(None).users[0].gold_source == 12
    assert state.view(None).level[1] == 1


def test_a_home_that_is_lost_in_seed_leaves_an_empty_cell() -> None:  # RULES 5.9, 6.5
    state = table("1h 3h3 2h / . . .", energy=2000, field={(1, 0): 40})
    turn(state, "a 1 0 1040", "a 1 0 1040")
    assert show(state) == "1h 3 2h / . . ." and field(state, 1, 0) == 36 and cost(state, 1, 0) == 50 + 36
    user = state.view(None).users[2]
    assert (user.tech_level, user.cells, user.dead, user.gold_source) == (0, 1, False, 2)


# 5.10 The force field


@both
@pytest.mark.parametrize(("energy", "left"), [(50, 100), (60, 120), (499, 998), (500, 1000), (501, 1000), (9000, 1000)])
def test_a_player_that_attacks_alone_gets_twice_the_energy_up_to_1000(
    ruleset: Ruleset, energy: int, left: int
) -> None:  # RULES 5.10
    state = table("1h . / . .", energy=9000, ruleset=ruleset)
    turn(state, f"a 1 0 {energy}")
    assert field(state, 1, 0) == left


@both
@pytest.mark.parametrize(
    ("one", "other", "left"),
    [(51, 50, 2), (60, 50, 20), (100, 50, 100), (600, 150, 900), (600, 101, 998), (600, 100, 1000), (700, 150, 1000)],
)
def test_what_others_spent_weakens_it(ruleset: Ruleset, one: int, other: int, left: int) -> None:  # RULES 5.10
    """The other loses the cell it attacks from at the same time, so nothing fades."""
    state = table("1h . 2 / 1 1 1 / . . 2h", energy=1000, ruleset=ruleset)
    turn(state, f"a 1 0 {one}, a 2 0 50", f"a 1 0 {other}")
    assert show(state) == "1h 1 1 / 1 1 1 / . . 2h" and field(state, 1, 0) == left


@both
def test_the_attack_cost_is_not_subtracted(ruleset: Ruleset) -> None:  # RULES 5.10
    state = table("1h . / . .", energy=500, natural={(1, 0): (1, 1, 300)}, ruleset=ruleset)
    turn(state, "a 1 0 300")
    assert field(state, 1, 0) == 600


@both
@pytest.mark.parametrize("had", [0, 30, 900])
def test_it_takes_the_place_of_the_one_before(ruleset: Ruleset, had: int) -> None:  # RULES 5.10
    state = table("1h 1 / . .", energy=2000, field={(1, 0): had}, ruleset=ruleset)
    turn(state, f"a 1 0 {50 + had}")
    assert field(state, 1, 0) == min(1000, 2 * (50 + had))


@both
def test_it_may_be_lower_than_before(ruleset: Ruleset) -> None:  # RULES 5.10
    state = table("1h 2 / . 2h", energy=5000, field={(1, 0): 900}, ruleset=ruleset)
    turn(state, "a 1 0 1000", "a 1 0 990")
    assert show(state) == "1h 1 / . 2h" and field(state, 1, 0) == 2 * 10 - 1


@both
def test_it_is_added_to_the_attack_cost_of_the_next_round(ruleset: Ruleset) -> None:  # RULES 5.2, 5.10
    state = table("1h . / . .", ruleset=ruleset)
    turn(state, "a 1 0 60")
    assert cost(state, 1, 0) == 50 + 120


@both
def test_it_stays_if_nobody_takes_the_cell(ruleset: Ruleset) -> None:  # RULES 5.10
    state = table("1h 3 2h / . . .", energy=500, field={(1, 0): 10}, ruleset=ruleset)
    turn(state, "a 1 0 60", "a 1 0 60")
    assert field(state, 1, 0) == 9
