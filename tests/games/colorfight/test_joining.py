"""Coming and going."""

from collections import Counter

import pytest

from parlour.core import BadOptions, Close, Dice, IllegalAction, Join, Leave
from parlour.games.colorfight import GAME
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Command, Joined, Left, Options, Orders, Ruleset, User
from parlour.referee.match import Match
from parlour.referee.replay import resume
from parlour.referee.transcript import Limits, encode
from tests.games.colorfight.tables import both, cost, errors, field, fresh, house, kept, show, table, turn
from tests.referee.hand import SEED, asked, inside, new_match

# 4.1 At any time


@both
def test_players_are_numbered_from_1_as_they_come(ruleset: Ruleset) -> None:  # RULES 4.1
    state = table("1h . / . .", ruleset=ruleset)
    [event] = state.play(None, Join("Ada"))
    assert isinstance(event, Joined) and (event.seat, event.name) == (1, "Ada")
    assert state.view(None).owner[event.at] == 2 and state.asks()[1].uid == 2
    state.play(None, Join("Ada"))
    assert sorted(state.view(None).owner) == [0, 1, 2, 3]


@both
def test_one_joins_before_the_first_round_and_in_any_later_one(ruleset: Ruleset) -> None:  # RULES 4.1
    state = fresh(0, ruleset=ruleset, width=3, height=3)
    for number in range(5):
        state.play(None, Join(f"player {number}"))
        turn(state)
    assert [user.cells for user in state.view(None).users] == [1] * 5
    assert [user.gold for user in state.view(None).users] == [50, 40, 30, 20, 10]


@both
def test_no_uid_is_given_twice(ruleset: Ruleset) -> None:  # RULES 4.1
    state = table("1h 2h / . .", energy=[1000, 0], ruleset=ruleset)
    turn(state, "a 1 0 1000")
    state.play(None, Leave(0, "quit"))
    state.play(None, Join("Ada"))
    assert len(state.players) == 3 and sorted(state.view(None).owner) == [0, 1, 1, 3]


# 4.2 A newcomer's home


@both
def test_a_newcomer_has_a_home_of_level_1_without_a_force_field(ruleset: Ruleset) -> None:  # RULES 4.2
    state = table("1h2 1e / 1g .", field={(0, 0): 30}, ruleset=ruleset)
    state.play(None, Join("Ada"))
    assert show(state) == "1h2 1e / 1g 2h" and field(state, 1, 1) == 0 and cost(state, 1, 1) == 1000


@both
@pytest.mark.parametrize("seats", [1, 4, 9])
def test_everybody_at_a_fresh_table_has_a_home(ruleset: Ruleset, seats: int) -> None:  # RULES 4.2
    view = fresh(seats, ruleset=ruleset, width=3, height=3).view(None)
    assert sorted(view.owner) == [0] * (9 - seats) + list(range(1, seats + 1))
    assert view.building.count("h") == seats and set(view.level) == {1}


@both
def test_any_free_cell_may_be_the_home_and_each_as_likely(ruleset: Ruleset) -> None:  # RULES 4.2
    """Including expensive cells, and neighbours of other players."""
    homes = Counter[int]()
    natural = {(1, 0): (1, 1, 300), (2, 1): (1, 1, 99), (1, 1): (1, 1, 100)}
    for number in range(1200):
        state = table("1h . . / 1 . .", natural=natural, ruleset=ruleset)
        state.dice = Dice(b"%d" % number)
        [event] = state.play(None, Join("Ada"))
        assert isinstance(event, Joined)
        homes[event.at] += 1
    # 300 of each, give or take 15.
    assert sorted(homes) == [1, 2, 4, 5] and all(abs(count - 300) < 75 for count in homes.values())


@both
def test_homes_of_a_fresh_table_are_anywhere(ruleset: Ruleset) -> None:  # RULES 4.2
    homes = Counter[tuple[int, int]]()
    for number in range(1200):
        owner = fresh(2, b"%d" % number, ruleset=ruleset, width=2, height=2).view(None).owner
        homes[owner.index(1), owner.index(2)] += 1
    # Twelve pairs, 100 of each, give or take 10.
    assert len(homes) == 12 and all(abs(count - 100) < 50 for count in homes.values())


def test_the_salt_of_a_newcomer_stirs_the_dice() -> None:  # RULES 1.6, 4.2
    def home(salt: str) -> int:
        state = fresh(0)
        [event] = state.play(None, Join("Ada", salt))
        assert isinstance(event, Joined)
        return event.at

    assert home("one") == home("one") and len({home(f"salt {number}") for number in range(10)}) > 5


# 4.3 A full map


@both
def test_nobody_joins_when_the_map_is_full(ruleset: Ruleset) -> None:  # RULES 4.3
    state = table("1h 1 / 1 .", ruleset=ruleset)
    state.play(None, Join("Ada"))
    before = state.copy()
    with pytest.raises(IllegalAction) as refusal:
        state.play(None, Join("Bob"))
    assert (refusal.value.code, refusal.value.words) == ("map_full", "Map is full")
    assert state == before and state.dice == before.dice


@both
def test_as_many_join_as_there_are_cells(ruleset: Ruleset) -> None:  # RULES 4.3
    state = fresh(0, ruleset=ruleset, width=2, height=3)
    for number in range(6):
        state.play(None, Join(f"player {number}"))
    assert sorted(state.view(None).owner) == [1, 2, 3, 4, 5, 6]
    with pytest.raises(IllegalAction):
        state.play(None, Join("one more"))


def test_a_table_does_not_begin_with_more_players_than_cells() -> None:  # RULES 4.3
    fresh(4, width=2, height=2)
    with pytest.raises(BadOptions):
        fresh(5, width=2, height=2)


# 4.4 What one starts with


@both
def test_one_starts_with_100_energy_and_no_gold(ruleset: Ruleset) -> None:  # RULES 4.4
    start = User(energy=100, gold=0, energy_source=10, gold_source=10, tech_level=1, cells=1, dead=False)
    assert fresh(2, ruleset=ruleset).view(None).users == (start, start)
    state = fresh(0, ruleset=ruleset)
    state.play(None, Join("Ada"))
    assert state.view(None).users == (start,)
    turn(state)
    assert state.view(None).users == (User(110, 10, 10, 10, 1, 1, False),)


# 4.5 In the middle of a round


@both
def test_a_newcomer_gives_orders_for_the_round_that_is_open(ruleset: Ruleset) -> None:  # RULES 4.5
    state = table("1h 1 / 1 .", energy=0, ruleset=ruleset)
    state.play(0, Command())
    state.play(None, Join("Ada"))
    assert state.asks()[1].waits and not state.asks()[0].waits
    turn(state, None, "a 1 0 60")
    assert show(state) == "1h 2 / 1 2h"


@both
def test_lists_that_were_sent_stay_when_somebody_joins(ruleset: Ruleset) -> None:  # RULES 4.5
    state = table("1h 1 / 1 .", ruleset=ruleset)
    state.play(0, Command(("b 9 9 e",)))
    state.play(None, Join("Ada"))
    turn(state)
    assert len(errors(state)) == 1


@both
def test_an_attack_on_what_has_become_a_home(ruleset: Ruleset) -> None:  # RULES 4.5
    state = table("1h 1 / 1 .", ruleset=ruleset)
    state.play(0, Command(("a 1 1 60",)))
    state.play(None, Join("Ada"))
    turn(state)
    assert show(state) == "1h 1 / 1 2h" and kept(state, 1) == (100, 0)
    assert errors(state) == ["a 1 1 60 failed, The energy spent is less than attack cost."]


# 4.6 Leaving


@both
def test_a_player_that_leaves_is_not_asked_any_more_and_keeps_the_cells(ruleset: Ruleset) -> None:  # RULES 4.6
    state = table("1h 1g / . 2h", ruleset=ruleset)
    assert state.play(None, Leave(0, "quit")) == [Left(0, "quit")]
    assert 0 not in state.asks() and state.alive() == [1]
    with pytest.raises(IllegalAction):
        state.play(0, Command(("a 0 1 60",)))
    turn(state)
    assert show(state) == "1h 1g / . 2h"
    assert state.view(None).users[0] == User(100 + 13, 10 + 4, 13, 14, 1, 2, False)


@both
def test_a_list_that_was_sent_before_leaving_counts_in_its_round(ruleset: Ruleset) -> None:  # RULES 4.6
    state = table("1h . / . 2h", ruleset=ruleset)
    state.play(0, Command(("a 1 0 60",)))
    state.play(None, Leave(0, "quit"))
    turn(state)
    assert show(state) == "1h 1 / . 2h" and kept(state, 1) == (40, 0)
    turn(state)
    assert show(state) == "1h 1 / . 2h"


@both
def test_the_cells_of_a_player_that_left_can_be_taken(ruleset: Ruleset) -> None:  # RULES 4.6
    state = table("1h 2 / . 2h", energy=2000, ruleset=ruleset)
    state.play(None, Leave(1, "quit"))
    turn(state, "a 1 0 60")
    assert show(state) == "1h 1 / . 2h"
    turn(state, "a 1 1 1000")
    assert show(state) == "1h 1 / . 1" and state.view(None).users[1].dead


def test_one_leaves_once() -> None:  # RULES 4.6
    state = table("1h . / . 2h")
    state.play(None, Leave(0, "quit"))
    before = state.copy()
    for seat in (0, 2, -1):
        with pytest.raises(IllegalAction):
            state.play(None, Leave(seat, "quit"))
    assert state == before


@both
def test_the_dead_may_leave(ruleset: Ruleset) -> None:  # RULES 4.6, 6.4
    state = table("1h . / . .", users=2, gold=[0, 33], ruleset=ruleset)
    assert state.play(None, Leave(1, "quit")) == [Left(1, "quit")]
    assert state.view(None).users[1].gold == 33


def test_a_round_does_not_wait_for_a_player_that_left() -> None:  # RULES 4.6
    match = new_match(GAME, 2, options=house(width=3, height=3))
    match.begin(0.0)
    match.answer(0, Command(), 0.0)
    match.table(Leave(1, "quit"), 0.0)
    assert inside(match).turn == 1 and sorted(match.open) == [0]


# An open table


def open_table() -> Match[Command]:
    match = new_match(GAME, 0, options=Options(width=4, height=4, max_turn=9), eager=False)
    match.begin(0.0)
    return match


def test_all_may_come_before_the_first_round_begins() -> None:  # RULES 1.4, 4.1
    match = open_table()
    for name in ("Ada", "Bob", "Cyd"):
        out = match.table(Join(name), 0.0)
        [notice] = asked(out)
        assert notice.seat == len(match.names) - 1
    state: State = inside(match)
    assert state.turn == 0 and len(state.players) == 3
    match.answer(2, Command(("huh",)), 0.0)
    match.table(Close(), 0.0)
    assert state.turn == 1 and len(errors(state, 3)) == 1


def test_a_player_that_comes_later_is_asked_in_the_round_that_is_open() -> None:  # RULES 4.5
    match = open_table()
    match.table(Join("Ada"), 0.0)
    match.table(Close(), 0.0)
    [notice] = asked(match.table(Join("Bob"), 0.0))
    assert (notice.seat, notice.ask) == (1, Orders(turn=1, uid=2, span=1))
    match.answer(1, Command(("huh",)), 0.0)
    match.table(Close(), 0.0)
    assert len(errors(inside(match), 2)) == 1


def test_nobody_is_late_before_the_first_round_and_the_record_says_so_too() -> None:  # RULES 4.1
    match = new_match(GAME, 0, Limits(200), Options(width=4, height=4, max_turn=9), eager=False)
    lines = [*match.begin(0.0).lines, *match.table(Join("Ada"), 0.0).lines]
    lines += match.answer(0, Command(("huh",)), 0.9).lines  # long after the time that a round takes
    lines += match.table(Close(), 1.0).lines
    again, _ = resume(GAME, lines, SEED, 5.0)
    assert encode(again.state.view(None)) == encode(match.state.view(None)) and inside(match).turn == 1
