"""Attacks, builds and upgrades, and the order of their execution."""

import pytest

from parlour.core import Close
from parlour.games.colorfight.values import Command, Ruleset
from tests.games.colorfight.tables import both, cost, errors, failed, field, kept, show, table, turn, word

# 5.3 Attacks


@both
def test_an_attack_takes_a_neighbouring_cell_and_spends_the_energy(ruleset: Ruleset) -> None:  # RULES 5.3
    state = table("1h . / . .", energy=100, ruleset=ruleset)
    turn(state, "a 1 0 60")
    assert show(state) == "1h 1 / . ." and kept(state, 1) == (40, 0) and not errors(state)


@both
def test_the_attack_cost_itself_is_enough(ruleset: Ruleset) -> None:  # RULES 5.3
    state = table("1h . / . .", energy=50, ruleset=ruleset)
    turn(state, "a 1 0 50")
    assert show(state) == "1h 1 / . ." and kept(state, 1) == (0, 0)


@both
def test_less_than_the_attack_cost_fails_and_costs_nothing(ruleset: Ruleset) -> None:  # RULES 5.3, 7.1
    state = table("1h . / . .", energy=100, ruleset=ruleset)
    turn(state, "a 1 0 49")
    assert show(state) == "1h . / . ." and kept(state, 1) == (100, 0)
    assert errors(state) == failed("a 1 0 49", "The energy spent is less than attack cost")


@both
def test_the_force_field_must_be_paid_for(ruleset: Ruleset) -> None:  # RULES 5.2, 5.3
    state = table("1h 2 / . 2h", energy=500, field={(1, 0): 70}, ruleset=ruleset)
    turn(state, "a 1 0 119")
    assert errors(state) == failed("a 1 0 119", "The energy spent is less than attack cost")
    state = table("1h 2 / . 2h", energy=500, field={(1, 0): 70}, ruleset=ruleset)
    turn(state, "a 1 0 120")
    assert show(state) == "1h 1 / . 2h"


@both
def test_more_than_one_has_fails_and_costs_nothing(ruleset: Ruleset) -> None:  # RULES 5.3
    state = table("1h . / . .", energy=100, ruleset=ruleset)
    turn(state, "a 1 0 101")
    assert kept(state, 1) == (100, 0)
    assert errors(state) == failed("a 1 0 101", "Do not have enough energy to attack")


@both
def test_what_is_spent_is_not_there_for_the_next_attack(ruleset: Ruleset) -> None:  # RULES 5.3
    state = table("1h . / . .", energy=100, ruleset=ruleset)
    turn(state, "a 1 0 60, a 0 1 60, a 0 1 40, a 0 1 50")
    assert show(state) == "1h 1 / . ." and kept(state, 1) == (40, 0)
    assert errors(state) == [
        "a 0 1 60 failed, Do not have enough energy to attack.",
        "a 0 1 40 failed, The energy spent is less than attack cost.",
        "a 0 1 50 failed, Do not have enough energy to attack.",
    ]


@both
def test_there_must_be_an_own_cell_beside_it(ruleset: Ruleset) -> None:  # RULES 5.3
    state = table("1h . . / . 2h .", energy=100, ruleset=ruleset)
    turn(state, "a 2 0 60, a 2 1 60, a 1 0 60")
    assert show(state) == "1h 1 . / . 2h ." and kept(state, 1) == (40, 0)
    assert errors(state) == [
        "a 2 0 60 failed, No valid surrounding cell to attack.",
        "a 2 1 60 failed, No valid surrounding cell to attack.",
    ]


@both
def test_what_is_taken_in_a_round_is_nobodys_neighbour_before_the_next(ruleset: Ruleset) -> None:  # RULES 5.3
    state = table("1h . . / . . .", energy=200, ruleset=ruleset)
    turn(state, "a 1 0 50, a 2 0 50")
    assert show(state) == "1h 1 . / . . ."
    assert errors(state) == failed("a 2 0 50", "No valid surrounding cell to attack")
    turn(state, "a 2 0 50")
    assert show(state) == "1h 1 1 / . . ."


@both
def test_a_player_that_is_about_to_lose_a_cell_still_attacks_from_it(ruleset: Ruleset) -> None:  # RULES 5.3
    state = table("2h 1 . / . . .", energy=100, ruleset=ruleset)
    turn(state, "a 2 0 50", "a 1 0 50")
    assert show(state) == "2h 2 1 / . . ."


@both
@pytest.mark.parametrize("order", ["a -1 0 60", "a 0 -1 60", "a 2 0 60", "a 0 2 60", f"a {10**50} 0 60"])
def test_attacks_outside(ruleset: Ruleset, order: str) -> None:  # RULES 5.3
    state = table("1h . / . .", ruleset=ruleset)
    turn(state, order)
    assert errors(state) == failed(order, "Attack position is not in the map") and kept(state, 1) == (100, 0)


@both
@pytest.mark.parametrize("energy", [0, -1, -1000, -(10**60)])
def test_no_energy_is_gained_by_attacking_with_less_than_none(ruleset: Ruleset, energy: int) -> None:  # RULES 5.3
    state = table("1h . / . .", ruleset=ruleset)
    turn(state, f"a 1 0 {energy}")
    assert kept(state, 1) == (100, 0)
    assert errors(state) == failed(f"a 1 0 {energy}", "The energy spent is less than attack cost")


@both
def test_the_tests_of_an_attack_come_in_order(ruleset: Ruleset) -> None:  # RULES 5.3
    """An order with several errors reports only the first: outside, below the cost, too expensive, too far."""
    state = table("1h . . / . . .", energy=10, ruleset=ruleset)
    turn(state, "a 9 9 1, a 2 1 1, a 2 1 60, a 1 0 60")
    assert errors(state) == [
        "a 9 9 1 failed, Attack position is not in the map.",
        "a 2 1 1 failed, The energy spent is less than attack cost.",
        "a 2 1 60 failed, Do not have enough energy to attack.",
        "a 1 0 60 failed, Do not have enough energy to attack.",
    ]


@both
def test_the_own_cell_may_be_attacked(ruleset: Ruleset) -> None:  # RULES 5.3, 5.9, 5.10
    state = table("1h 1e2 / . .", energy=100, field={(1, 0): 10}, ruleset=ruleset)
    turn(state, "a 1 0 60")
    assert show(state) == "1h 1e2 / . ." and field(state, 1, 0) == 120 and kept(state, 1) == (40, 0)


@both
def test_the_own_cell_needs_an_own_neighbour(ruleset: Ruleset) -> None:  # RULES 5.3
    state = table("1h . / . 1", energy=100, ruleset=ruleset)
    turn(state, "a 1 1 60")
    assert errors(state) == failed("a 1 1 60", "No valid surrounding cell to attack")


@both
def test_the_own_home_may_be_given_a_force_field(ruleset: Ruleset) -> None:  # RULES 5.2, 5.3
    state = table("1h 1 / . .", energy=1100, ruleset=ruleset)
    turn(state, "a 0 0 1000")
    assert show(state) == "1h 1 / . ." and field(state, 0, 0) == 1000
    assert cost(state, 0, 0) == {"seed": 2000, "classic": 1000}[ruleset]


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_taking_a_home_in_seed(level: int) -> None:  # RULES 5.2
    state = table(f"1h 2h{level} / . .", energy=[1000, 0])
    turn(state, "a 1 0 999")
    assert errors(state) == failed("a 1 0 999", "The energy spent is less than attack cost")
    turn(state, "a 1 0 1000")
    assert show(state) == "1h 1 / . ."


def test_taking_a_home_with_a_force_field_in_seed() -> None:  # RULES 5.2
    state = table("1h 2h3 / . .", energy=[2000, 0], field={(1, 0): 19})
    turn(state, "a 1 0 1018")
    assert errors(state) == failed("a 1 0 1018", "The energy spent is less than attack cost")
    turn(state, "a 1 0 1019")
    assert show(state) == "1h 1 / . ."


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_taking_a_home_in_classic(level: int) -> None:  # RULES 5.2
    state = table(f"1h 2h{level} / . .", energy=[4000, 0], field={(1, 0): 800}, ruleset="classic")
    short = f"a 1 0 {1000 * level - 1}"
    turn(state, short)
    assert errors(state) == failed(short, "The energy spent is less than attack cost")
    turn(state, f"a 1 0 {1000 * level}")
    assert show(state) == "1h 1 / . ."


# 5.4 Builds


@both
@pytest.mark.parametrize("letter", ["e", "g"])
def test_a_build_costs_100_gold_and_works_at_once(ruleset: Ruleset, letter: str) -> None:  # RULES 5.4, 6.1
    state = table("1h 1 / . .", gold=130, ruleset=ruleset)
    turn(state, f"b 1 0 {letter}")
    assert show(state) == f"1h 1{letter} / . ." and kept(state, 1) == (100, 30)
    user = state.view(None).users[0]
    assert (user.energy_source, user.gold_source) == {"e": (10 + 6, 10 + 2), "g": (10 + 3, 10 + 4)}[letter]


@both
def test_gold_below_100_builds_nothing(ruleset: Ruleset) -> None:  # RULES 5.4
    state = table("1h 1 / . .", gold=99, ruleset=ruleset)
    turn(state, "b 1 0 e")
    assert show(state) == "1h 1 / . ." and kept(state, 1) == (100, 99)
    assert errors(state) == failed("b 1 0 e", "Not enough gold")


@both
def test_what_is_spent_is_not_there_for_the_next_build(ruleset: Ruleset) -> None:  # RULES 5.4
    state = table("1h 1 / 1 .", gold=199, ruleset=ruleset)
    turn(state, "b 1 0 e, b 0 1 g")
    assert show(state) == "1h 1e / 1 ." and errors(state) == failed("b 0 1 g", "Not enough gold")


@both
def test_one_builds_on_own_cells_alone(ruleset: Ruleset) -> None:  # RULES 5.4
    state = table("1h . / 2 2h", gold=500, ruleset=ruleset)
    turn(state, "b 1 0 e, b 0 1 e, b 1 1 e")
    words = "You need to build on your own cell"
    assert errors(state) == [f"b {spot} e failed, {words}." for spot in ("1 0", "0 1", "1 1")]
    assert kept(state, 1) == (100, 500)


@both
def test_a_cell_that_is_attacked_in_this_round_is_not_ones_own_yet(ruleset: Ruleset) -> None:  # RULES 5.4, 5.6
    state = table("1h . / . .", gold=500, ruleset=ruleset)
    turn(state, "a 1 0 50, b 1 0 e")
    assert show(state) == "1h 1 / . ." and errors(state) == failed("b 1 0 e", "You need to build on your own cell")


@both
@pytest.mark.parametrize("word", ["1e", "1g", "1g3", "1h"])
def test_one_builds_on_empty_cells_alone(ruleset: Ruleset, word: str) -> None:  # RULES 5.4
    state = table(f"1h {word} / . .", gold=500, ruleset=ruleset)
    turn(state, "b 1 0 e")
    assert errors(state) == failed("b 1 0 e", "There is a building on this cell already")
    assert show(state) == f"1h {word} / . ."


@both
def test_a_cell_is_built_on_once_in_a_round(ruleset: Ruleset) -> None:  # RULES 5.4
    state = table("1h 1 / . .", gold=500, ruleset=ruleset)
    turn(state, "b 1 0 e, b 1 0 g")
    assert show(state) == "1h 1e / . ." and kept(state, 1) == (100, 400)
    assert errors(state) == failed("b 1 0 g", "There is a building on this cell already")


@both
@pytest.mark.parametrize("letter", ["h", "f", "E", "G", "eg", "energy_well", "0"])
def test_no_other_buildings_can_be_built(ruleset: Ruleset, letter: str) -> None:  # RULES 5.4
    state = table("1h 1 / . .", gold=5000, energy=5000, ruleset=ruleset)
    turn(state, f"b 1 0 {letter}")
    assert errors(state) == failed(f"b 1 0 {letter}", "Not a correct building") and kept(state, 1) == (5000, 5000)


@both
def test_the_tests_of_a_build_come_in_order(ruleset: Ruleset) -> None:  # RULES 5.4
    state = table("1h 1 / . .", gold=0, ruleset=ruleset)
    turn(state, "b 9 9 x, b 1 1 x, b 0 0 x, b 1 0 x, b 1 0 e")
    assert errors(state) == [
        "b 9 9 x failed, Build position is not in the map.",
        "b 1 1 x failed, You need to build on your own cell.",
        "b 0 0 x failed, There is a building on this cell already.",
        "b 1 0 x failed, Not a correct building.",
        "b 1 0 e failed, Not enough gold.",
    ]


@both
def test_a_build_keeps_the_force_field(ruleset: Ruleset) -> None:  # RULES 5.4
    state = table("1h 1 / . .", gold=100, field={(1, 0): 37}, ruleset=ruleset)
    turn(state, "b 1 0 g")
    assert field(state, 1, 0) == 37


# 5.5 Upgrades

PRICES: dict[tuple[str, str], tuple[int, int, int]] = {
    ("seed", "h"): (1000, 2000, 4000),
    ("seed", "e"): (200, 400, 800),
    ("seed", "g"): (200, 400, 800),
    ("classic", "h"): (1000, 2000, 4000),
    ("classic", "e"): (200, 400, 800),
    ("classic", "g"): (200, 400, 800),
}
"""In gold, to levels 2, 3 and 4; as much energy, but not for wells and mines in classic."""
STEPS = [(*kind, level, gold) for kind, golds in PRICES.items() for level, gold in enumerate(golds, start=1)]


def price(ruleset: str, letter: str, gold: int) -> tuple[int, int]:
    """Energy and gold."""
    return (0 if ruleset == "classic" and letter != "h" else gold), gold


@pytest.mark.parametrize(("ruleset", "letter", "level", "gold"), STEPS)
def test_prices_of_upgrades(ruleset: Ruleset, letter: str, level: int, gold: int) -> None:  # RULES 5.5
    before, after = (f"1h4 {word(1, letter, level)} / . ." for level in (level, level + 1))
    energy, gold = price(ruleset, letter, gold)
    state = table(before, energy=energy, gold=gold, ruleset=ruleset)
    turn(state, "u 1 0")
    assert show(state) == after and kept(state, 1) == (0, 0) and not errors(state)
    state = table(before, energy=energy, gold=gold - 1, ruleset=ruleset)
    turn(state, "u 1 0")
    assert show(state) == before and kept(state, 1) == (energy, gold - 1)
    assert errors(state) == failed("u 1 0", "Not enough gold")
    if energy:
        state = table(before, energy=energy - 1, gold=gold, ruleset=ruleset)
        turn(state, "u 1 0")
        assert show(state) == before and kept(state, 1) == (energy - 1, gold)
        assert errors(state) == failed("u 1 0", "Not enough energy")


@both
@pytest.mark.parametrize("letter", ["h", "e", "g"])
def test_no_level_is_above_4(ruleset: Ruleset, letter: str) -> None:  # RULES 3.2, 5.5
    state = table(f"1h4 1{letter}4 / . .", energy=99999, gold=99999, ruleset=ruleset)
    turn(state, "u 1 0")
    assert show(state) == f"1h4 1{letter}4 / . ." and kept(state, 1) == (99999, 99999)
    assert errors(state) == failed("u 1 0", "Level is already at maximum")


@both
def test_an_upgrade_works_at_once(ruleset: Ruleset) -> None:  # RULES 5.5, 6.1
    state = table("1h2 1g / . .", energy=200, gold=200, ruleset=ruleset)
    turn(state, "u 1 0")
    assert state.view(None).users[0].gold_source == 20 + 2 * 3


@both
@pytest.mark.parametrize("letter", ["e", "g"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_wells_and_mines_do_not_outgrow_the_home(ruleset: Ruleset, letter: str, level: int) -> None:  # RULES 5.5
    rows = f"{word(1, 'h', level)} {word(1, letter, level)} / . ."
    state = table(rows, energy=9999, gold=9999, ruleset=ruleset)
    turn(state, "u 1 0")
    assert show(state) == rows and kept(state, 1) == (9999, 9999)
    assert errors(state) == failed("u 1 0", "You need to upgrade home first")


@both
def test_a_better_home_counts_from_the_next_round_on(ruleset: Ruleset) -> None:  # RULES 3.3, 5.5
    state = table("1h 1e / . .", energy=9999, gold=9999, ruleset=ruleset)
    turn(state, "u 0 0, u 1 0")
    assert show(state) == "1h2 1e / . ." and errors(state) == failed("u 1 0", "You need to upgrade home first")
    assert state.view(None).users[0].tech_level == 2
    turn(state, "u 1 0")
    assert show(state) == "1h2 1e2 / . ." and not errors(state)


@both
def test_a_home_may_be_upgraded_several_times_in_a_round(ruleset: Ruleset) -> None:  # RULES 5.5
    state = table("1h . / . .", energy=7500, gold=7000, ruleset=ruleset)
    turn(state, "u 0 0, u 0 0, u 0 0, u 0 0")
    assert show(state) == "1h4 . / . ." and kept(state, 1) == (500, 0)
    assert errors(state) == failed("u 0 0", "Level is already at maximum")


@both
def test_a_well_may_be_upgraded_several_times_in_a_round(ruleset: Ruleset) -> None:  # RULES 5.5
    state = table("1h3 1e / . .", energy=9999, gold=9999, ruleset=ruleset)
    turn(state, "u 1 0, u 1 0, u 1 0")
    assert show(state) == "1h3 1e3 / . ." and errors(state) == failed("u 1 0", "You need to upgrade home first")
    assert kept(state, 1) == (9999 - (600 if ruleset == "seed" else 0), 9999 - 600)


@both
def test_the_tests_of_an_upgrade_come_in_order(ruleset: Ruleset) -> None:  # RULES 5.5
    state = table("1h2 1e2 / 2h4 1", energy=0, gold=0, ruleset=ruleset)
    turn(state, "u 9 9, u 0 1, u 1 1, u 1 0, u 0 0", "u 0 1")
    assert errors(state) == [
        "u 9 9 failed, Upgrade position is not in the map.",
        "u 0 1 failed, You need to upgrade on your own cell.",
        "u 1 1 failed, You can not upgrade empty cell.",
        "u 1 0 failed, You need to upgrade home first.",
        "u 0 0 failed, Not enough energy.",
    ]
    assert errors(state, 2) == failed("u 0 1", "Level is already at maximum")


@both
def test_energy_is_looked_at_before_gold(ruleset: Ruleset) -> None:  # RULES 5.5
    state = table("1h . / . .", energy=999, gold=0, ruleset=ruleset)
    turn(state, "u 0 0")
    assert errors(state) == failed("u 0 0", "Not enough energy")
    state = table("1h . / . .", energy=1000, gold=0, ruleset=ruleset)
    turn(state, "u 0 0")
    assert errors(state) == failed("u 0 0", "Not enough gold")


@both
def test_the_highest_home_counts(ruleset: Ruleset) -> None:  # RULES 3.3
    state = table("1h3 1h / 1e2 .", energy=999, gold=999, ruleset=ruleset)
    turn(state, "u 0 1")
    assert show(state) == "1h3 1h / 1e3 ." and state.view(None).users[0].tech_level == 3


# 5.7 In what order


def test_builds_come_before_upgrades_and_upgrades_before_attacks_in_seed() -> None:  # RULES 5.7
    state = table("1h2 1 / . .", energy=250, gold=300)
    turn(state, "a 0 1 50, u 1 0, b 1 0 e")
    assert show(state) == "1h2 1e2 / 1 ." and kept(state, 1) == (0, 0) and not errors(state)


def test_orders_come_as_they_stand_in_the_list_in_classic() -> None:  # RULES 5.7
    state = table("1h2 1 / . .", energy=250, gold=300, ruleset="classic")
    turn(state, "a 0 1 50, u 1 0, b 1 0 e")
    assert show(state) == "1h2 1e / 1 ." and kept(state, 1) == (200, 200)
    assert errors(state) == failed("u 1 0", "You can not upgrade empty cell")


@both
def test_energy_goes_to_whatever_comes_first(ruleset: Ruleset) -> None:  # RULES 5.7
    """An attack listed before an upgrade: in seed the upgrade is still carried out first."""
    state = table("1h . / . .", energy=1000, gold=1000, ruleset=ruleset)
    turn(state, "a 1 0 50, u 0 0")
    if ruleset == "seed":
        assert show(state) == "1h2 . / . ." and errors(state) == failed(
            "a 1 0 50", "Do not have enough energy to attack"
        )
    else:
        assert show(state) == "1h 1 / . ." and errors(state) == failed("u 0 0", "Not enough energy")


@both
def test_gold_goes_to_whatever_comes_first(ruleset: Ruleset) -> None:  # RULES 5.7
    state = table("1h2 1e / 1 .", energy=200, gold=200, ruleset=ruleset)
    turn(state, "u 1 0, b 0 1 g")
    if ruleset == "seed":
        assert show(state) == "1h2 1e / 1g ." and errors(state) == failed("u 1 0", "Not enough gold")
    else:
        assert show(state) == "1h2 1e2 / 1 ." and errors(state) == failed("b 0 1 g", "Not enough gold")


def test_an_earlier_players_upgrade_raises_the_price_for_a_later_one_in_classic() -> None:  # RULES 5.7
    state = table("1h 2 / . 2h", energy=[1000, 1500], gold=1000, ruleset="classic")
    turn(state, "u 0 0", "a 0 0 1000")
    assert show(state) == "1h2 2 / . 2h" and kept(state, 2) == (1500, 1000)
    assert errors(state, 2) == failed("a 0 0 1000", "The energy spent is less than attack cost")


def test_a_later_players_upgrade_comes_too_late_in_classic() -> None:  # RULES 5.7
    state = table("2h 1 / . 1h", energy=[1500, 1000], gold=1000, ruleset="classic")
    turn(state, "a 0 0 1000", "u 0 0")
    assert show(state) == "1 1 / . 1h" and kept(state, 1) == (500, 1000) and not errors(state)
    assert kept(state, 2) == (0, 0) and not errors(state, 2)


@pytest.mark.parametrize(("rows", "home", "other"), [("1h 2 / . 2h", 1, 2), ("2h 1 / . 1h", 2, 1)])
def test_the_order_of_joining_does_not_matter_in_seed(rows: str, home: int, other: int) -> None:  # RULES 5.7
    orders = {home: "u 0 0", other: "a 0 0 1000"}
    state = table(rows, energy=1500, gold=1000)
    turn(state, orders[1], orders[2])
    assert show(state) == rows.replace(f"{home}h", f"{other}") and not errors(state, 1) + errors(state, 2)
    assert kept(state, home) == (500, 0) and kept(state, other) == (500, 1000)


@both
def test_the_order_in_which_lists_arrive_does_not_matter(ruleset: Ruleset) -> None:  # RULES 5.7
    one, other = (table("1h 2 / . 2h", energy=2000, gold=1000, ruleset=ruleset) for _ in range(2))
    lists = (Command(("u 0 0", "a 1 0 70")), Command(("a 0 0 1000", "b 1 0 e")))
    for state, seats in ((one, (0, 1)), (other, (1, 0))):
        for seat in seats:
            state.play(seat, lists[seat])
        state.play(None, Close())
    assert one == other
