"""The end, and who has won."""

from typing import Any

import pytest

from parlour.core import Close, IllegalAction, Join, Leave, Result, Stop
from parlour.games.colorfight import GAME
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Command, Options, Ruleset
from tests.games.colorfight.tables import both, errors, house, show, table, turn
from tests.referee.hand import ended, inside, new_match

# 8.1 When


@both
@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_it_is_over_after_so_many_rounds_exactly(ruleset: Ruleset, rounds: int) -> None:  # RULES 8.1
    state = table("1h . / . 2h", ruleset=ruleset, max_turn=rounds)
    for _ in range(rounds):
        assert state.result() is None and not state.view(None).over and state.asks()
        turn(state)
    assert state.view(None).turn == rounds and state.view(None).over and state.result() is not None


@both
def test_the_last_round_is_played_like_any_other(ruleset: Ruleset) -> None:  # RULES 8.1
    state = table("1h . / . 2h", ruleset=ruleset, max_turn=1)
    turn(state, "a 1 0 60, huh", "")
    assert show(state) == "1h 1 / . 2h" and len(errors(state)) == 1
    assert state.result() == Result((12, 10), (1, 2))


def two(ruleset: Ruleset, **options: Any) -> State:
    """The first player can take the second player's last cell."""
    return table("1h 2h / . .", energy=[1000, 0], gold=[0, 500], ruleset=ruleset, **options)


@both
def test_a_game_with_one_owner_left_goes_on(ruleset: Ruleset) -> None:  # RULES 8.1
    state = two(ruleset, max_turn=3)
    turn(state, "a 1 0 1000")
    assert [user.dead for user in state.view(None).users] == [False, True] and state.result() is None
    turn(state)
    assert state.result() is None
    turn(state)
    assert state.result() is not None


@both
def test_a_game_may_end_with_one_owner_left(ruleset: Ruleset) -> None:  # RULES 8.1
    state = two(ruleset, last_standing_ends=True)
    assert state.result() is None
    turn(state)
    assert state.result() is None
    turn(state, "a 1 0 1000")
    assert state.view(None).over and state.result() == Result((22, 510), (2, 1))


@both
def test_the_last_one_standing_has_not_won_by_that(ruleset: Ruleset) -> None:  # RULES 8.1, 8.2
    state = two(ruleset, last_standing_ends=True)
    turn(state, "a 1 0 1000")
    assert state.result() == Result((12, 500), (2, 1))


@both
def test_two_of_three_left_are_not_one(ruleset: Ruleset) -> None:  # RULES 8.1
    state = table("1h 2h / . 3h", energy=[1000, 0, 0], ruleset=ruleset, last_standing_ends=True)
    turn(state, "a 1 0 1000")
    assert state.result() is None


@both
def test_a_player_that_plays_alone_plays_to_the_end(ruleset: Ruleset) -> None:  # RULES 8.1
    state = table("1h . / . .", ruleset=ruleset, last_standing_ends=True, max_turn=3)
    turn(state)
    turn(state)
    assert state.result() is None
    turn(state)
    assert state.result() == Result((30,), (1,))


@both
def test_a_player_that_left_and_has_cells_is_still_standing(ruleset: Ruleset) -> None:  # RULES 4.6, 8.1
    state = table("1h . / . 2h", ruleset=ruleset, last_standing_ends=True)
    state.play(None, Leave(1, "quit"))
    turn(state)
    assert state.result() is None


# 8.2 Gold decides


@both
@pytest.mark.parametrize(
    ("gold", "ranks"),
    [
        ([5, 9, 7], (3, 1, 2)),
        ([7, 7, 7], (1, 1, 1)),
        ([9, 9, 7], (1, 1, 3)),
        ([7, 9, 9], (3, 1, 1)),
        ([9, 7, 7], (1, 2, 2)),
        ([0, 0, 1], (2, 2, 1)),
    ],
)
def test_the_most_gold_is_first_and_equal_gold_is_equal_rank(
    ruleset: Ruleset, gold: list[int], ranks: tuple[int, ...]
) -> None:  # RULES 8.2
    state = table("1h 2h 3h / . . .", energy=[0, 5, 9000], gold=gold, ruleset=ruleset, max_turn=1)
    turn(state)
    assert state.result() == Result(tuple(10 + each for each in gold), ranks)


@both
def test_neither_cells_nor_energy_count(ruleset: Ruleset) -> None:  # RULES 8.2
    natural = {(x, y): (1, 10, 50) for x in range(3) for y in range(2)}
    state = table("1h 1 1e4 / 1 1 2h", energy=[9999, 0], gold=[0, 99], natural=natural, ruleset=ruleset, max_turn=1)
    turn(state)
    assert state.result() == Result((14, 109), (2, 1))


@both
def test_the_gold_of_the_dead_and_of_a_player_that_left_counts(ruleset: Ruleset) -> None:  # RULES 8.2
    state = table("1h . / . 3h", users=3, gold=[10, 300, 200], ruleset=ruleset, max_turn=1)
    state.play(None, Leave(2, "quit"))
    turn(state)
    assert state.result() == Result((20, 300, 210), (3, 1, 2))


@both
def test_gold_that_was_spent_is_gone(ruleset: Ruleset) -> None:  # RULES 8.2
    state = table("1h 1 / . 2h", gold=[120, 100], ruleset=ruleset, max_turn=1)
    turn(state, "b 1 0 g")
    assert state.result() == Result((34, 110), (2, 1))


# 8.3 Time is up


@both
def test_a_game_may_be_stopped(ruleset: Ruleset) -> None:  # RULES 8.3
    state = table("1h . / . 2h", gold=[30, 20], ruleset=ruleset)
    turn(state)
    state.play(0, Command(("a 1 0 60",)))
    assert state.play(None, Stop()) == []
    assert show(state) == "1h . / . 2h" and state.view(None).turn == 1 and state.view(None).over
    assert state.result() == Result((40, 30), (1, 2))


def test_a_game_may_be_stopped_before_anything_happened() -> None:  # RULES 8.3
    match = new_match(GAME, 0, options=Options(width=3, height=3), eager=False)
    match.begin(0.0)
    [over] = ended(match.table(Stop(), 0.0))
    assert over.end == Result((), ())


# 8.4 When it is over


@both
@pytest.mark.parametrize("how", [Close(), Stop()])
def test_nothing_changes_any_more(ruleset: Ruleset, how: Close | Stop) -> None:  # RULES 8.4
    state = table("1h . / . 2h", ruleset=ruleset, max_turn=1)
    state.play(None, how)
    before = state.copy()
    assert state.asks() == {}
    for act in (Join("Ada"), Leave(0, "quit"), Close(), Stop()):
        with pytest.raises(IllegalAction) as refusal:
            state.play(None, act)
        assert refusal.value.code == "over"
    with pytest.raises(IllegalAction):
        state.play(0, Command())
    assert state == before


def test_the_referee_ends_the_match() -> None:  # RULES 8.1, 8.4
    match = new_match(GAME, 2, options=house(width=3, height=3, max_turn=2))
    match.begin(0.0)
    for _ in range(2):
        assert match.end is None
        for seat in (0, 1):
            out = match.answer(seat, Command(), 0.0)
    assert [over.end for over in ended(out)] == [Result((20, 20), (1, 1))] and inside(match).turn == 2
    assert not match.table(Join("late"), 0.0).lines and not match.open
