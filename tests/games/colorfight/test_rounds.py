"""Rounds: when they close, and what follows when all orders have been carried out."""

from typing import Any

import msgspec
import pytest

from parlour.core import Close, Leave, Result
from parlour.games.colorfight import GAME
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Command, Options, Orders, Ruleset, Turned, User
from parlour.referee.match import Match
from parlour.referee.transcript import Limits
from tests.games.colorfight.tables import RULESETS, both, cost, errors, field, fresh, house, kept, show, table, turn
from tests.referee.hand import asked, inside, new_match

# 1. Rounds


@both
def test_the_turn_is_the_number_of_rounds_played(ruleset: Ruleset) -> None:  # RULES 1.1
    state = table("1h . / . 2h", ruleset=ruleset)
    assert state.view(None).turn == 0 and state.asks()[0].turn == 0
    turn(state, "", "")
    assert state.view(None).turn == 1 and state.asks()[0].turn == 1
    [event] = turn(state)
    assert isinstance(event, Turned) and event.turn == 2


@pytest.mark.parametrize(
    ("option", "good", "bad"),
    [("max_turn", (1, 500, 10_000), (0, -1, 10_001)), ("round_time", (0, 0.2, 60), (-0.1, 61))],
)
def test_bounds_of_house_rules(option: str, good: tuple[Any, ...], bad: tuple[Any, ...]) -> None:  # RULES 12
    for value in good:
        assert getattr(house(**{option: value}), option) == value
    for value in bad:
        with pytest.raises(msgspec.ValidationError):
            house(**{option: value})


def test_house_rules_and_their_defaults() -> None:  # RULES 12
    usual = {"ruleset": "seed", "width": 30, "height": 30, "max_turn": 500, "round_time": 1}
    assert Options() == house(**usual, last_standing_ends=False, errors="shown")
    for wrong in ({"ruleset": "modern"}, {"errors": "some"}, {"last_standing_ends": 1}):
        with pytest.raises(msgspec.ValidationError):
            house(**wrong)


@pytest.mark.parametrize("round_time", [0, 0.5, 60])
def test_no_rule_depends_on_the_time(round_time: float) -> None:  # RULES 1.2
    one, other = fresh(2, width=4, height=4), fresh(2, width=4, height=4, round_time=round_time)
    for state in (one, other):
        turn(state, "a 1 1 100, b 0 0 e", "u 1 1")
    assert one.view(None) == other.view(None)


def room(seats: int = 2, eager: bool = False, **options: Any) -> Match[Command]:
    """Rounds of one second."""
    options = {"width": 4, "height": 4, "max_turn": 50, **options}
    match = new_match(GAME, seats, Limits(1000), house(**options), eager=eager)
    match.begin(0.0)
    return match


def turns(match: Match[Command]) -> int:
    state: State = inside(match)
    return state.turn


def test_a_round_closes_when_its_time_is_up() -> None:  # RULES 1.2
    match = room()
    match.answer(0, Command(("huh",)), 0.5)
    match.expire(0.999)
    assert turns(match) == 0 and match.due() == 1.0
    match.expire(1.0)
    assert turns(match) == 1 and len(errors(inside(match))) == 1


def test_a_round_may_close_when_everybody_has_sent_a_list() -> None:  # RULES 1.2
    match = room(eager=True)
    match.answer(0, Command(), 0.1)
    assert turns(match) == 0
    match.answer(1, Command(), 0.2)
    assert turns(match) == 1 and match.due() == 1.2


def test_a_round_stays_open_to_its_time_where_the_host_wants_that() -> None:  # RULES 1.2
    match = room()
    for seat in (0, 1):
        match.answer(seat, Command(), 0.1)
    assert turns(match) == 0
    match.answer(1, Command(("huh",)), 0.9)
    match.expire(1.0)
    assert turns(match) == 1 and len(errors(inside(match), 2)) == 1


def test_rounds_do_not_drift() -> None:  # RULES 1.2
    match = room()
    match.expire(1.4)
    assert turns(match) == 1 and match.due() == 2.0
    match.expire(5.9)
    assert turns(match) == 5 and match.due() == 6.0


def test_a_list_that_comes_too_late_is_for_the_next_round() -> None:  # RULES 1.2
    match = room()
    match.answer(0, Command(("huh",)), 1.0)
    assert turns(match) == 1 and not errors(inside(match))
    match.expire(2.0)
    assert turns(match) == 2 and len(errors(inside(match))) == 1


@both
def test_a_round_without_a_list_is_played_like_any_other(ruleset: Ruleset) -> None:  # RULES 1.3
    state = table("1h 1g / . 2h", ruleset=ruleset)
    turn(state)
    assert [(user.energy, user.gold) for user in state.view(None).users] == [(100 + 13, 14), (110, 10)]


def test_an_empty_room_goes_on() -> None:  # RULES 1.3
    match = room(seats=0, max_turn=5)
    match.table(Close(), 0.0)
    for second in (1.0, 2.0, 3.0):
        assert match.due() == second
        match.expire(second)
    assert turns(match) == 4 and match.end is None
    match.expire(4.0)
    assert turns(match) == 5 and match.end == Result((), ())


def test_a_room_that_all_have_left_goes_on() -> None:  # RULES 1.3, 4.6
    match = room(max_turn=3)
    for seat in (0, 1):
        match.table(Leave(seat, "quit"), 0.0)
    assert turns(match) == 0 and match.due() == 1.0
    match.expire(2.0)
    assert turns(match) == 2 and [user.gold for user in inside(match).view(None).users] == [20, 20]


def test_the_first_round_of_an_open_table_is_closed_by_the_host_alone() -> None:  # RULES 1.4
    match = room(seats=0)
    assert match.due() is None
    match.expire(1000.0)
    assert turns(match) == 0 and match.due() is None
    match.table(Close(), 2000.0)
    assert turns(match) == 1 and match.due() == 2001.0


def test_the_first_round_of_a_table_with_players_has_its_time() -> None:  # RULES 1.4
    assert room(seats=1).due() == 1.0


# 6.1 Counting, 6.3 Collecting


@both
def test_incomes_are_added_up_and_collected(ruleset: Ruleset) -> None:  # RULES 6.1, 6.3
    natural = {(0, 0): (9, 9, 9), (1, 0): (7, 4, 1), (2, 0): (5, 3, 1), (0, 1): (2, 6, 1)}
    state = table("1h2 1e 1g3 / 1 . 2h", energy=7, gold=3, natural=natural, ruleset=ruleset)
    turn(state)
    energy, gold = 20 + 4 * 2 + 3 + 6, 20 + 7 + 5 * 4 + 2
    assert state.view(None).users[0] == User(7 + energy, 3 + gold, energy, gold, 2, 4, False)
    turn(state)
    assert state.view(None).users[0] == User(7 + 2 * energy, 3 + 2 * gold, energy, gold, 2, 4, False)
    assert state.view(None).users[1] == User(27, 23, 10, 10, 1, 1, False)


@both
def test_a_cell_counts_for_a_player_that_has_just_taken_it(ruleset: Ruleset) -> None:  # RULES 6.1
    natural = {(1, 0): (8, 9, 50)}
    state = table("1h 2 / . 2h", energy=100, natural=natural, ruleset=ruleset)
    turn(state, "a 1 0 60")
    assert state.view(None).users[0] == User(40 + 19, 18, 19, 18, 1, 2, False)
    assert state.view(None).users[1] == User(110, 10, 10, 10, 1, 1, False)


@both
def test_income_cannot_be_spent_in_its_own_round(ruleset: Ruleset) -> None:  # RULES 6.3
    state = table("1h . / . .", energy=45, ruleset=ruleset)
    turn(state, "a 1 0 50")
    assert errors(state) == ["a 1 0 50 failed, Do not have enough energy to attack."]
    turn(state, "a 1 0 50")
    assert show(state) == "1h 1 / . ." and kept(state, 1) == (5, 10)


@both
@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_the_tech_level_is_that_of_the_home(ruleset: Ruleset, level: int) -> None:  # RULES 3.3, 6.1
    state = table(f"1h{level} 1e4 / . .", ruleset=ruleset)
    turn(state)
    assert state.view(None).users[0].tech_level == level


@both
def test_the_event_tells_what_changed_and_how_everybody_stands(ruleset: Ruleset) -> None:  # RULES 9.1
    state = table("1h 1 . / . . 2h", energy=100, gold=100, ruleset=ruleset)
    [event] = turn(state, "a 2 0 60, b 1 0 g")
    assert event == Turned(1, ((1, 1, "gold_mine", 1, 0), (2, 1, "empty", 1, 120 - 6)), state.view(None).users)


# 6.2 Force fields fade

FADING = {
    1: (950, 903, 858, 816, 776),
    2: (900, 810, 729, 657, 592),
    3: (850, 723, 615, 523, 445),
    4: (800, 640, 512, 410, 328),
}


def surrounded(enemies: int, other: str, force_field: int, ruleset: Ruleset) -> State:
    """The first player's cell in the middle has this many enemy neighbours."""
    north, west, east, south = ["2"] * enemies + [other] * (4 - enemies)
    return table(f"1h {north} 2h / {west} 1 {east} / . {south} .", field={(1, 1): force_field}, ruleset=ruleset)


@both
@pytest.mark.parametrize("other", [".", "1"])
@pytest.mark.parametrize("enemies", FADING)
def test_5_percent_are_lost_for_each_enemy_beside_it(ruleset: Ruleset, enemies: int, other: str) -> None:  # RULES 6.2
    state = surrounded(enemies, other, 1000, ruleset)
    values = []
    for _ in FADING[enemies]:
        turn(state)
        values.append(field(state, 1, 1))
    assert tuple(values) == FADING[enemies]


@both
@pytest.mark.parametrize("other", [".", "1"])
def test_nothing_is_lost_among_friends_and_on_nobodys_land(ruleset: Ruleset, other: str) -> None:  # RULES 6.2
    state = surrounded(0, other, 1000, ruleset)
    turn(state)
    assert field(state, 1, 1) == 1000


@both
def test_enemies_of_different_colours_count_alike(ruleset: Ruleset) -> None:  # RULES 6.2
    state = table("2h 3 4h / 2 1h 4 / 3h 2 .", field={(1, 1): 1000}, ruleset=ruleset)
    turn(state)
    assert field(state, 1, 1) == 800


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(
    ("enemies", "before", "after"),
    [
        *[(1, small, small) for small in (0, 1, 5, 18, 19)],
        *[(1, 20, 19), (1, 21, 20), (1, 39, 38), (1, 40, 38), (1, 99, 95), (1, 100, 95)],
        *[(2, 9, 9), (2, 10, 9), (2, 19, 18), (2, 20, 18), (2, 57, 52)],
        *[(3, 6, 6), (3, 7, 6), (3, 13, 12), (3, 14, 12), (3, 20, 17), (3, 60, 51)],
        *[(4, 4, 4), (4, 5, 4), (4, 9, 8), (4, 10, 8), (4, 14, 12), (4, 15, 12), (4, 999, 800)],
    ],
)
def test_the_loss_is_rounded_down(ruleset: Ruleset, enemies: int, before: int, after: int) -> None:  # RULES 6.2
    state = surrounded(enemies, ".", before, ruleset)
    turn(state)
    assert field(state, 1, 1) == after


@pytest.mark.parametrize("enemies", [1, 2, 3, 4])
def test_every_force_field_loses_what_the_plain_formula_says(enemies: int) -> None:  # RULES 6.2
    for force_field in range(1001):
        state = surrounded(enemies, ".", force_field, "seed")
        state.land.decay()
        assert state.land.field[4] == force_field - int(force_field * (0.05 * enemies))


@both
def test_it_fades_in_the_round_in_which_it_arises(ruleset: Ruleset) -> None:  # RULES 6.2
    state = table("1h . 2h / . . .", ruleset=ruleset)
    turn(state, "a 1 0 60")
    assert field(state, 1, 0) == 120 - 6


@both
def test_the_owners_after_the_round_count(ruleset: Ruleset) -> None:  # RULES 6.2
    """An enemy that loses its cell no longer weakens the neighbours; a new one does."""
    state = table("1h 2 . / 1 . . / 2h . 3h", energy=200, field={(0, 0): 100, (0, 1): 100}, ruleset=ruleset)
    turn(state, "a 1 0 50", "", "")
    assert field(state, 0, 0) == 100 and field(state, 0, 1) == 95
    state = table("1h . . / 1 . . / 3 2h .", energy=200, field={(0, 1): 100}, ruleset=ruleset)
    turn(state, "", "a 1 1 50")
    assert show(state) == "1h . . / 1 2 . / 3 2h ." and field(state, 0, 1) == 90


@both
def test_what_is_lost_is_off_the_attack_cost(ruleset: Ruleset) -> None:  # RULES 5.2, 6.2
    state = surrounded(2, ".", 100, ruleset)
    turn(state)
    assert cost(state, 1, 1) == 50 + 90


@both
def test_a_homes_force_field_fades_too(ruleset: Ruleset) -> None:  # RULES 6.2
    state = table("1h 2 / 2h .", field={(0, 0): 200}, ruleset=ruleset)
    turn(state)
    assert field(state, 0, 0) == 180


# 6.4 Death


def last_stand(ruleset: Ruleset, **more: Any) -> State:
    """The second player has a home and nothing else."""
    return table("1h 2h / . .", energy=[1000, 300], gold=[0, 77], ruleset=ruleset, **more)


@both
def test_a_player_that_has_no_cell_is_dead(ruleset: Ruleset) -> None:  # RULES 6.4
    state = last_stand(ruleset)
    turn(state, "a 1 0 1000")
    assert show(state) == "1h 1 / . ."
    assert state.view(None).users[1] == User(300, 77, 0, 0, 0, 0, True)
    assert not state.view(None).users[0].dead


@both
def test_the_dead_are_not_asked(ruleset: Ruleset) -> None:  # RULES 6.4
    state = last_stand(ruleset)
    turn(state, "a 1 0 1000")
    assert sorted(seat for seat in state.asks() if seat is not None) == [0] and state.alive() == [0]


@both
def test_the_dead_stay_dead_and_keep_what_they_have(ruleset: Ruleset) -> None:  # RULES 6.4
    state = last_stand(ruleset)
    turn(state, "a 1 0 1000")
    for _ in range(3):
        turn(state, "")
    user = state.view(None).users[1]
    assert (user.energy, user.gold, user.dead) == (300, 77, True)


@both
def test_the_list_of_a_player_that_dies_in_this_round_counts(ruleset: Ruleset) -> None:  # RULES 6.4
    """A player who takes a cell in the round of losing the last one lives on."""
    state = last_stand(ruleset)
    turn(state, "a 1 0 1000", "a 1 1 60")
    assert show(state) == "1h 1 / . 2" and not state.view(None).users[1].dead
    state = last_stand(ruleset)
    turn(state, "a 1 0 1000", "a 1 1 49, a 0 0 300")
    assert state.view(None).users[1].dead and len(errors(state, 2)) == 2


@both
def test_a_round_does_not_wait_for_the_dead(ruleset: Ruleset) -> None:  # RULES 6.4
    match = room(eager=True, ruleset=ruleset)
    match.state = last_stand(ruleset)
    match.answer(0, Command(("a 1 0 1000",)), 0.0)
    out = match.answer(1, Command(), 0.0)
    assert turns(match) == 1 and [notice.seat for notice in asked(out)] == [0]
    match.answer(0, Command(), 0.0)
    assert turns(match) == 2


# 6.5 Without a home


@both
def test_a_player_that_lost_the_home_attacks_and_builds_but_never_upgrades(ruleset: Ruleset) -> None:  # RULES 6.5
    state = table("1h 2h / . 2", energy=[1000, 5000], gold=5000, ruleset=ruleset)
    turn(state, "a 1 0 1000")
    user = state.view(None).users[1]
    assert (user.tech_level, user.cells, user.dead) == (0, 1, False)
    turn(state, "", "b 1 1 g, a 0 1 50, u 1 1, b 1 1 h")
    assert show(state) == "1h 1 / 2 2g"
    assert errors(state, 2) == [
        "u 1 1 failed, You need to upgrade home first.",
        "b 1 1 h failed, There is a building on this cell already.",
    ]
    turn(state, "", "u 1 1, b 0 1 h")
    assert errors(state, 2) == [
        "u 1 1 failed, You need to upgrade home first.",
        "b 0 1 h failed, Not a correct building.",
    ]


@both
def test_a_home_that_is_taken_is_nobodys_home_any_more(ruleset: Ruleset) -> None:  # RULES 5.9, 6.5
    state = table("1 2h4 / 1 2", energy=[4000, 0], ruleset=ruleset)
    turn(state, "a 1 0 4000")
    assert show(state) == "1 1 / 1 2" and [user.tech_level for user in state.view(None).users] == [0, 0]


@both
def test_the_tech_level_of_this_round_is_that_of_the_last_even_if_the_home_falls(ruleset: Ruleset) -> None:  # RULES 3.3
    """The home is destroyed when all orders are done, so it still counts for an upgrade in the same round."""
    state = table("1h 2h2 / . 2g", energy=[2000, 500], gold=500, ruleset=ruleset)
    turn(state, "a 1 0 2000", "u 1 1")
    assert show(state) == "1h 1 / . 2g2" and not errors(state, 2)


def test_an_ask_says_whose_cells_are_ones_own() -> None:  # RULES 4.1
    asks = table("1h . / . 2h").asks()
    assert asks[0] == Orders(turn=0, uid=1, span=0) and asks[1] == Orders(turn=0, uid=2, span=0)
