"""The rule book, rule by rule. Every test cites the number in RULES.md that it holds the code to."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import BadOptions, Close, Dice, Event, IllegalAction, Join, Leave, Result, Sitting
from parlour.games.maze import GAME, setup
from parlour.games.maze.board import fixed
from parlour.games.maze.rules import State
from parlour.games.maze.tiles import COLOURS, PAIRS, SHAPES
from parlour.games.maze.values import (
    Began,
    Decided,
    GoalGiven,
    Hear,
    Joined,
    Left,
    Moved,
    Options,
    Passed,
    Prepared,
    SetUp,
    Slide,
    TakeTurn,
    View,
)
from tests.games.maze.tables import SEED, asked, crosses, drawing, fresh, gems, places, play, position, spots, table

FIVE = crosses(5, 5)
"""Its fixed tiles are 1,1 1,3 3,1 and 3,3; one can walk from anywhere to anywhere."""


def two(**more: Any) -> State:
    """Seat 1 is to move; it stands at 3,3 and wants to go to 3,1, seat 0 from 1,1 to 1,3."""
    return table(**{"rows": FIVE, "homes": "1,1 3,3", "goals": "1,3 3,1", **more})


def three(**more: Any) -> State:
    """Seats 2, 1 and 0 move in this order, and are as far from their goals as from each other's."""
    return table(**{"rows": FIVE, "homes": "1,1 3,3 3,1", "goals": "1,3 3,1 1,1", **more})


def refusal(state: State, words: str) -> str:
    """The code with which a move is refused. A refused move leaves no trace."""
    before = state.copy()
    with pytest.raises(IllegalAction) as refused:
        play(state, words)
    assert state == before and state.asks() == before.asks()
    return refused.value.code


def decided(events: Sequence[Event]) -> Decided:
    [event] = [event for event in events if isinstance(event, Decided)]
    return event


def finished(state: State) -> Result:
    """The result, once everybody has heard how it ended."""
    for seat in [seat for seat in state.asks() if seat is not None]:
        play(state, f"{seat} hears")
    result = state.result()
    assert result is not None
    return result


def own(state: State, seat: int) -> tuple[tuple[int, int] | None, bool, int]:
    """What a seat sees of its own: goal, whether it is the last, and treasures."""
    view = state.view(seat)
    return view.goal, view.going_home, view.treasures


# 1. The board


def test_rows_are_counted_from_the_top_and_columns_from_the_left() -> None:  # RULES 1.1
    state = table(rows="│││││ ───── ┼┼┼┼┼", homes="1,1 1,3", goals="1,3 1,1", at="0,4 2,0", spare="┐")
    view = state.view(None)
    assert (view.rows, view.columns) == (3, 5)
    assert view.tiles == ("│││││", "─────", "┼┼┼┼┼") and view.spare == "┐"
    assert [avatar.at for avatar in view.avatars] == [(0, 4), (2, 0)]


def test_a_fresh_board_has_the_size_of_the_options() -> None:  # RULES 1.1
    view = fresh(2, rows=4, columns=9).view(None)
    assert (view.rows, view.columns, len(view.tiles), {len(row) for row in view.tiles}) == (4, 9, 4, {9})
    view = fresh(2).view(None)
    assert (view.rows, view.columns) == (7, 7)


@pytest.mark.parametrize("option", ["rows", "columns"])
def test_sizes(option: str) -> None:  # RULES 1.1, 12
    for size in (2, 7, 40):
        assert getattr(msgspec.convert({"type": "Options", option: size}, Options), option) == size
    for size in (1, 41, 0, -7):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"type": "Options", option: size}, Options)


def test_house_rules_and_their_defaults() -> None:  # RULES 12
    assert Options() == Options(rows=7, columns=7, goals_per_player=1, extra_goals=0, round_cap=1000)
    assert GAME.rules.resolve(Options(), [Sitting("a"), Sitting("b")]) == Options()


@pytest.mark.parametrize(
    ("option", "good", "bad"),
    [("goals_per_player", (1, 20), (0, 21)), ("extra_goals", (0, 100), (-1, 101)), ("round_cap", (1, 1000), (0, 1001))],
)
def test_bounds_of_house_rules(option: str, good: tuple[int, ...], bad: tuple[int, ...]) -> None:  # RULES 12
    for value in good:
        assert getattr(msgspec.convert({"type": "Options", option: value}, Options), option) == value
    for value in bad:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"type": "Options", option: value}, Options)


def test_everybody_sees_the_treasures() -> None:  # RULES 1.3, 7.1
    state = two()
    view = state.view(None)
    assert view.gems == gems(25) and view.spare_gems == gems(26)[-1]
    play(state, "1 slides row 0 left to 1,1")
    view = state.view(None)
    assert view.gems[4] == gems(26)[-1] and view.spare_gems == gems(1)[0]


def test_avatars_do_not_block_each_other() -> None:  # RULES 1.5
    state = two(rows="┼┼┼┼┼ ───── ┼┼┼┼┼ ───── ┼┼┼┼┼", homes="3,1 3,3", goals="1,1 1,1", at="3,1 3,3")
    play(state, "1 slides row 0 left to 3,0")  # past seat 0
    play(state, "0 slides row 0 left to 3,0")
    assert places(state) == [(3, 0), (3, 0)]


def test_a_slide_opens_the_way() -> None:  # RULES 1.5, 3.1
    state = table(rows="│││ │─│ │││", homes="1,1", goals="1,1", spare="─")
    assert refusal(state, "0 slides row 0 left turning 90 to 1,0") == "unreachable"
    state = table(rows="└││ │─│ │││", homes="1,1", goals="1,1", spare="─")
    assert refusal(state, "0 slides column 0 up to 1,0") == "unreachable"
    play(state, "0 slides column 0 down to 1,0")  # the corner comes down beside it, and is open to it


# 2. Setting up


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_two_to_six_play(seats: int) -> None:  # RULES 2.1
    assert len(fresh(seats).view(None).avatars) == seats


@pytest.mark.parametrize("seats", [1, 7, 9])
def test_no_fresh_game_for_others(seats: int) -> None:  # RULES 2.1
    with pytest.raises(BadOptions, match="2 to 6"):
        fresh(seats)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_two_homes_are_needed(size: tuple[int, int]) -> None:  # RULES 2.1
    with pytest.raises(BadOptions, match="1 homes"):
        GAME.rules.resolve(Options(rows=size[0], columns=size[1]), [Sitting("a"), Sitting("b")])
    assert GAME.rules.resolve(Options(rows=2, columns=4), [Sitting("a"), Sitting("b")])


def test_everybody_needs_a_home() -> None:  # RULES 2.1
    assert len(fresh(2, rows=2, columns=4).view(None).avatars) == 2
    with pytest.raises(BadOptions):
        fresh(3, rows=2, columns=4)


@pytest.mark.parametrize("seats", [1, 2, 7, 9])
def test_any_number_plays_a_prepared_position(seats: int) -> None:  # RULES 2.1, 2.5
    state = table(rows=FIVE, homes=" ".join(["1,1"] * seats), goals=" ".join(["3,3"] * seats))
    for seat in reversed(range(seats)):
        assert asked(state) == [seat]
        play(state, f"{seat} slides row 0 left to {seat % 5},0")
    assert state.view(None).round == 2


def test_one_plays_alone_from_a_prepared_position() -> None:  # RULES 2.1
    state = table(rows=FIVE, homes="1,1", goals="3,3")
    play(state, "0 slides row 0 left to 3,3", "0 hears", "0 slides row 0 left to 1,1")
    assert finished(state) == Result((1,), (1,))


def test_without_players_it_is_over_at_once() -> None:  # RULES 2.1
    state = State.new(0, Options(), position(FIVE, "", ""), Dice(SEED))
    assert asked(state) == [None]
    with pytest.raises(IllegalAction):
        state.play(None, Join("Ada"))
    assert play(state, "the table closes") == [Decided((), "nobody")]
    assert state.result() == Result((), ()) and asked(state) == []


def test_a_table_that_closes_empty() -> None:  # RULES 2.3, 5.1
    state = fresh(0)
    play(state, "the table closes")
    assert state.result() == Result((), ())


@pytest.mark.parametrize("number", range(20))
def test_a_fresh_board(number: int) -> None:  # RULES 1.3, 2.2
    state = fresh(2, seed=bytes([number]))
    view = state.view(None)
    treasures = [*view.gems, view.spare_gems]
    assert len({frozenset(pair) for pair in treasures}) == len(treasures) == 50
    assert set(treasures) <= set(PAIRS)
    assert set("".join(view.tiles)) <= set(SHAPES) and view.spare in SHAPES
    assert view.last is None and view.round == 0 and view.turn == 0


def test_every_glyph_is_as_likely() -> None:  # RULES 2.2
    glyphs = "".join("".join(fresh(2, bytes([n]), rows=20, columns=20).view(None).tiles) for n in range(10))
    for glyph in SHAPES:  # 4000 tiles, 364 of a glyph on the average, with a deviation of 18
        assert 270 < glyphs.count(glyph) < 460


def test_spares_are_of_any_glyph() -> None:  # RULES 2.2
    assert {fresh(2, bytes([n])).view(None).spare for n in range(120)} == set(SHAPES)


def test_the_largest_board_has_treasures_enough() -> None:  # RULES 1.1, 1.3
    view = fresh(6, rows=40, columns=40).view(None)
    assert len({*view.gems, view.spare_gems}) == 1601


def test_equal_seeds_give_equal_tables() -> None:  # RULES 2.2
    assert fresh(4, b"x") == fresh(4, b"x") and fresh(4, b"x") != fresh(4, b"y")


def test_the_last_to_sign_up_moves_first() -> None:  # RULES 2.3
    state = fresh(3)
    began = play(state, "0 hears", "2 hears", "1 hears")
    assert began == [Began((2, 1, 0))]
    assert asked(state) == [2] and state.view(None).order == (2, 1, 0)
    play(state, "2 passes")
    assert asked(state) == [1] and state.view(None).order == (1, 0, 2)
    play(state, "1 passes")
    assert asked(state) == [0] and state.view(None).order == (0, 2, 1)


def test_signing_up_at_an_open_table() -> None:  # RULES 2.3
    state = fresh(0)
    assert asked(state) == [None] and state.view(None).phase == "registration" and state.result() is None
    events = play(state, "Ada signs up")
    assert events[0] == Joined(0, "Ada") and isinstance(events[1], GoalGiven)
    assert (events[1].goal, False, 0) == own(state, 0) and not events[1].home
    play(state, "Bob signs up", "Cyd signs up")
    assert asked(state) == [None] and len(state.view(None).avatars) == 3
    assert play(state, "the table closes") == []
    assert asked(state) == [0, 1, 2] and state.view(None).phase == "setup"
    assert play(state, "0 hears", "1 hears", "2 hears") == [Began((2, 1, 0))]


def test_what_cannot_be_when_the_table_is_closed() -> None:  # RULES 2.3
    state = fresh(2)
    assert refusal(state, "Cyd signs up") == "not_here" and refusal(state, "the table closes") == "not_here"
    play(state, "0 hears", "1 hears")
    assert refusal(state, "Cyd signs up") == "not_here" and refusal(state, "the table closes") == "not_here"
    play(state, "time is up")
    assert refusal(state, "Cyd signs up") == "not_here"


def test_a_seventh_cannot_sign_up() -> None:  # RULES 2.1, 2.3
    state = fresh(0)
    for number in range(6):
        play(state, f"n{number} signs up")
    assert refusal(state, "n6 signs up") == "not_here"
    play(state, "2 leaves", "n6 signs up")
    assert refusal(state, "n7 signs up") == "not_here"


def test_no_more_than_there_are_homes() -> None:  # RULES 2.1, 2.3
    state = fresh(0, rows=2, columns=4)
    play(state, "Ada signs up", "Bob signs up")
    assert refusal(state, "Cyd signs up") == "not_here"


def test_a_home_is_free_again_when_somebody_withdraws() -> None:  # RULES 2.3
    state = fresh(0, rows=2, columns=4)
    play(state, "Ada signs up", "Bob signs up")
    home = state.view(None).avatars[0].home
    assert play(state, "0 leaves") == [Left(0, "quit")]
    play(state, "Cyd signs up")
    assert state.view(None).avatars[2].home == home
    play(state, "the table closes")
    assert asked(state) == [1, 2]
    assert play(state, "2 hears", "1 hears") == [Began((2, 1))]


def test_salts_stir_the_dice() -> None:  # RULES 2.3
    tables = [fresh(0, b"x") for _ in range(3)]
    for state, salt in zip(tables, ("", "pepper", "salt"), strict=True):
        state.play(None, Join("Ada", salt))
    assert tables[0] != tables[1] != tables[2]
    assert [state.view(None).tiles for state in tables] == [tables[0].view(None).tiles] * 3


@pytest.mark.parametrize("number", range(30))
def test_homes_and_goals_of_a_fresh_game(number: int) -> None:  # RULES 2.4
    state = fresh(6, seed=bytes([number]))
    still = {(row, column) for row in (1, 3, 5) for column in (1, 3, 5)}
    avatars = state.view(None).avatars
    assert len({avatar.home for avatar in avatars}) == 6 and {avatar.home for avatar in avatars} <= still
    assert all(avatar.at == avatar.home and avatar.here for avatar in avatars)
    for seat, avatar in enumerate(avatars):
        goal, going_home, treasures = own(state, seat)
        assert goal in still and goal != avatar.home and not going_home and treasures == 0


def test_goals_may_coincide_with_others_goals_and_homes() -> None:  # RULES 2.4
    same = others = 0
    for number in range(30):
        state = fresh(3, seed=bytes([number]))
        goals = [own(state, seat)[0] for seat in range(3)]
        same += len(set(goals)) < 3
        others += bool(set(goals) & {avatar.home for avatar in state.view(None).avatars})
    assert 0 < same < 30 and 0 < others < 30


@pytest.mark.parametrize(
    ("seats", "each", "extra", "queued"), [(2, 1, 0, 0), (3, 2, 0, 3), (2, 1, 5, 5), (4, 3, 2, 10), (6, 20, 100, 214)]
)
def test_the_queue_of_a_fresh_game(seats: int, each: int, extra: int, queued: int) -> None:  # RULES 2.4
    state = fresh(seats, goals_per_player=each, extra_goals=extra)
    assert len(state.queue) == queued and set(state.queue) <= set(fixed(7, 7))
    if queued > 50:
        assert set(state.queue) == set(fixed(7, 7))


def test_the_queue_is_made_for_those_who_signed_up() -> None:  # RULES 2.4
    state = fresh(0, goals_per_player=3, extra_goals=1)
    play(state, "Ada signs up", "Bob signs up", "Cyd signs up", "1 leaves", "the table closes")
    assert len(state.queue) == 5


def test_a_prepared_position() -> None:  # RULES 2.5
    start = position("│─│─│ " * 5, "1,1 3,3", "1,3 3,1", at="0,4 2,2", spare="┬", queue="1,1 3,3 3,1", last=(4, "DOWN"))
    state = State.new(2, Options(rows=9, goals_per_player=5, extra_goals=7), start, Dice(SEED))
    view = state.view(None)
    assert view.tiles == ("│─│─│",) * 5 and view.spare == "┬" and (view.rows, view.columns) == (5, 5)
    assert view.gems == gems(25) and view.last == (4, "DOWN")
    assert [avatar.at for avatar in view.avatars] == [(0, 4), (2, 2)]
    assert [avatar.home for avatar in view.avatars] == [(1, 1), (3, 3)]
    assert [avatar.colour for avatar in view.avatars] == ["red", "blue"]
    assert [own(state, seat)[0] for seat in (0, 1)] == [(1, 3), (3, 1)]
    assert state.queue == [6, 18, 16]


def test_the_last_to_sign_up_has_the_first_entry() -> None:  # RULES 2.5
    start = position(FIVE, "1,1 3,3 1,3", "3,3 1,1 1,1")
    assert start.players[0].home == (1, 3)  # seat 2
    state = State.new(0, Options(), start, Dice(SEED))
    play(state, "Ada signs up", "Bob signs up", "Cyd signs up")
    assert refusal(state, "Dan signs up") == "not_here"
    play(state, "the table closes")
    assert [avatar.home for avatar in state.view(None).avatars] == [(1, 1), (3, 3), (1, 3)]
    assert play(state, "0 hears", "1 hears", "2 hears") == [Began((2, 1, 0))]


def test_the_first_entries_are_played_by_fewer() -> None:  # RULES 2.6
    start = position(FIVE, "1,1 3,3 1,3 3,1", "3,3 1,1 1,1 1,1")
    for state in (State.new(2, Options(), start, Dice(SEED)), State.new(0, Options(), start, Dice(SEED))):
        if not state.players:
            play(state, "Ada signs up", "Bob signs up", "the table closes")
        assert [avatar.home for avatar in state.view(None).avatars] == [(1, 3), (3, 1)]
        assert [avatar.colour for avatar in state.view(None).avatars] == ["green", "white"]
        assert own(state, 0)[0] == (1, 1)
        assert state.asks()[0] == SetUp(goal=(1, 1), whole=True)


def test_a_player_that_withdraws_has_no_entry() -> None:  # RULES 2.3, 2.6
    state = State.new(0, Options(), position(FIVE, "1,1 3,3 1,3", "3,3 1,1 1,1"), Dice(SEED))
    play(state, "Ada signs up", "Bob signs up", "Cyd signs up", "0 leaves", "the table closes")
    assert asked(state) == [1, 2]
    assert [avatar.home for avatar in state.view(None).avatars[1:]] == [(3, 3), (1, 3)]


def test_a_prepared_position_outlasts_any_coming_and_going() -> None:  # RULES 2.3, 2.5
    state = State.new(0, Options(), position(FIVE, "1,1 3,3", "3,3 1,1"), Dice(SEED))
    for seat in range(8):
        play(state, f"n{seat} signs up", f"{seat} leaves")
    play(state, "Ada signs up", "Bob signs up", "the table closes")
    assert asked(state) == [8, 9]
    assert [avatar.home for avatar in state.view(None).avatars[8:]] == [(1, 1), (3, 3)]
    assert [own(state, seat)[0] for seat in (8, 9)] == [(3, 3), (1, 1)]


@given(st.lists(st.integers(0, 5), max_size=12), st.booleans())
def test_no_goal_that_was_ever_told_to_one_is_anothers(moves: list[int], prepared: bool) -> None:  # RULES 2.6, 7
    """Looks across time: what was told while players came and went, against what is in play afterwards."""
    start = position(crosses(7, 7), "1,1 3,3 1,3 5,5", "1,5 3,5 5,1 5,3") if prepared else None
    state = State.new(0, Options(), start, Dice(SEED))
    told: dict[int, set[tuple[int, int]]] = {}

    def hear(events: list[Event]) -> None:
        for event in events:
            for seat in range(len(state.players)):
                if isinstance(seen := event.seen_by(seat), GoalGiven):
                    told.setdefault(seat, set()).add(seen.goal)
        for seat in range(len(state.players)):
            if (goal := state.view(seat).goal) is not None:
                told.setdefault(seat, set()).add(goal)

    for move in moves:
        here = state.here()
        if move < 3 and len(here) < state.most():
            hear(play(state, f"n{len(state.players)} signs up"))
        elif here:
            hear(play(state, f"{here[move % len(here)]} leaves"))
    hear(play(state, "the table closes"))
    for seat in state.here():
        assert told[seat] == {own(state, seat)[0]}, "what was told stays true"
    if prepared:
        assert told.keys() <= set(state.here()), "who withdraws knows nothing of those who play"


def test_no_match_with_more_than_there_are_entries() -> None:  # RULES 2.7
    with pytest.raises(BadOptions):
        State.new(3, Options(), position(FIVE, "1,1 3,3", "3,3 1,1"), Dice(SEED))


def test_prepared_homes_may_coincide_and_avatars_stand_anywhere() -> None:  # RULES 2.5
    state = table(rows=FIVE, homes="1,1 1,1", goals="1,1 1,1", at="0,0 0,0")
    assert places(state) == [(0, 0), (0, 0)]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"tiles": ()}, "rectangle"),
        ({"tiles": ("",)}, "rectangle"),
        ({"tiles": ("┼┼┼┼┼", "┼┼┼┼┼", "┼┼┼┼", "┼┼┼┼┼", "┼┼┼┼┼┼")}, "rectangle"),
        ({"tiles": ("┼┼┼┼┼", "┼┼┼┼┼", "┼┼x┼┼", "┼┼┼┼┼", "┼┼┼┼┼")}, "connector"),
        ({"spare": "x"}, "connector"),
        ({"spare": ""}, "connector"),
        ({"spare": "┼┼"}, "connector"),
        ({"gems": gems(24)}, "24 treasures for 25"),
        ({"gems": gems(26)}, "26 treasures for 25"),
        ({"goals": ((1_000_000, 1),)}, "both must be from 0 to 999999"),
        ({"goals": ((1, -1),)}, "both must be from 0 to 999999"),
        ({"last": (-2, "LEFT")}, "last slide"),
        ({"last": (1_000_000, "UP")}, "last slide"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], why: str) -> None:  # RULES 2.5
    start = msgspec.structs.replace(position(FIVE, "1,1 3,3", "1,3 3,1"), **change)
    with pytest.raises(BadOptions, match=why):
        State.new(2, Options(), start, Dice(SEED))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"at": (0, 5)}, "not on the board"),
        ({"at": (-1, 0)}, "not on the board"),
        ({"at": (5, 0)}, "not on the board"),
        ({"home": (2, -4)}, "both must be from 0 to 999999"),
        ({"goal": (7, 1_000_000)}, "both must be from 0 to 999999"),
        ({"colour": "mauve"}, "colour"),
    ],
)
def test_players_that_cannot_be(change: dict[str, Any], why: str) -> None:  # RULES 2.5
    start = position(FIVE, "1,1 3,3", "1,3 3,1")
    blue, red = start.players
    start = msgspec.structs.replace(start, players=(msgspec.structs.replace(blue, **change), red))
    with pytest.raises(BadOptions, match=why):
        State.new(2, Options(), start, Dice(SEED))


def test_a_position_is_a_value_that_crosses_the_wire() -> None:  # RULES 2.5
    start = position(FIVE, "1,1 3,3", "1,3 3,1", queue="1,1", last=(0, "LEFT"))
    assert msgspec.json.decode(msgspec.json.encode(start), type=Prepared) == start


def test_colours_go_by_signing_up() -> None:  # RULES 2.8
    assert tuple(avatar.colour for avatar in fresh(6).view(None).avatars) == COLOURS[:6]
    shades = [setup.colour(number) for number in range(300)]
    assert len(set(shades)) == 300 and shades[:9] == list(COLOURS)
    assert all(len(shade) == 6 and set(shade) <= set("0123456789ABCDEF") for shade in shades[9:])


# 3. A turn


def test_a_turn_is_a_pass_or_a_move() -> None:  # RULES 3.1
    state = two()
    assert state.asks() == {1: TakeTurn()}
    before = drawing(state.board)
    assert play(state, "1 passes") == [Passed(1)]  # there are moves, too
    assert asked(state) == [0] and drawing(state.board) == before and places(state) == [(1, 1), (3, 3)]
    events = play(state, "0 slides column 2 up turning 270 to 3,1")
    assert events == [Moved(0, 2, "UP", 270, (3, 1))] and asked(state) == [1]


def test_a_player_that_has_no_move_passes() -> None:  # RULES 3.1
    state = table(rows="│││ │─│ │││", homes="1,1 1,1", goals="1,1 1,1", spare="│")
    for slide in ("row 0 left", "row 0 right", "row 2 left", "column 0 up", "column 2 down"):
        for to in ("0,1", "2,1", "1,0", "1,2"):
            assert refusal(state, f"1 slides {slide} turning 90 to {to}") == "unreachable"
    play(state, "1 passes")
    assert asked(state) == [0]


def test_a_heard_is_no_turn() -> None:  # RULES 3.1, 6.1
    assert refusal(two(), "1 hears") == "wrong_kind"


def test_the_spare_goes_into_the_gap() -> None:  # RULES 3.2, 3.3
    state = two(rows="│───┐ ┼┼┼┼┼ ┼┼┼┼┼ ┼┼┼┼┼ ┼┼┼┼┼", spare="┴")
    play(state, "1 slides row 0 left turning 90 to 3,1", "1 hears")
    assert state.view(None).tiles[0] == "───┐┤" and state.view(None).spare == "│"
    play(state, "0 slides column 0 down turning 90 to 1,0")
    assert [row[0] for row in state.view(None).tiles] == ["─", "─", "┼", "┼", "┼"]
    assert state.view(None).spare == "┼"


def test_everybody_on_the_line_is_carried() -> None:  # RULES 3.4
    state = three(at="0,0 0,4 0,2")
    play(state, "2 slides row 0 left to 4,4")
    assert places(state) == [(0, 4), (0, 3), (4, 4)]
    play(state, "1 slides row 0 left to 4,4")
    assert places(state) == [(0, 3), (4, 4), (4, 4)]
    play(state, "0 slides column 4 down to 4,3")
    assert places(state) == [(4, 3), (0, 4), (0, 4)]


@pytest.mark.parametrize(
    ("slide", "at", "after"),
    [
        ("row 0 left", "0,0", (0, 4)),
        ("row 0 left", "0,3", (0, 2)),
        ("row 2 right", "2,4", (2, 0)),
        ("row 2 right", "2,0", (2, 1)),
        ("column 4 up", "0,4", (2, 4)),
        ("column 4 up", "1,4", (0, 4)),
        ("column 0 down", "2,0", (0, 0)),
        ("column 0 down", "1,0", (2, 0)),
        ("row 0 left", "2,0", (2, 0)),
        ("column 4 down", "0,3", (0, 3)),
    ],
)
def test_carried_on_a_board_that_is_not_square(slide: str, at: str, after: tuple[int, int]) -> None:  # RULES 3.4
    state = table(rows=crosses(3, 5), homes="1,1 1,3", goals="1,3 1,1", at=f"{at} 1,1")
    play(state, f"1 slides {slide} to 1,2")
    assert places(state)[0] == after


def test_a_player_that_was_carried_away_may_walk_back() -> None:  # RULES 3.5
    state = two(at="1,1 0,2")
    assert refusal(state, "1 slides row 0 left to 0,1") == "stays"
    play(state, "1 slides row 0 left to 0,2")
    assert places(state)[1] == (0, 2)


def test_a_player_that_is_put_on_the_new_tile_walks_from_there() -> None:  # RULES 3.4, 3.5
    rows = "│││ │││ │││"
    state = table(rows=rows, homes="1,1", goals="1,1", at="0,0", spare="─")
    assert refusal(state, "0 slides row 0 left to 1,2") == "unreachable"
    assert refusal(state, "0 slides row 0 left turning 90 to 1,0") == "unreachable"
    play(state, "0 slides row 0 left turning 90 to 2,2")
    assert places(state) == [(2, 2)]


def test_to_stay_put_is_no_move() -> None:  # RULES 3.5
    state = two()
    assert refusal(state, "1 slides row 0 left to 3,3") == "stays"
    assert refusal(state, "1 slides column 0 up turning 90 to 3,3") == "stays"


@pytest.mark.parametrize(
    ("first", "undo"),
    [
        ("row 0 left", "row 0 right"),
        ("row 2 right", "row 2 left"),
        ("column 4 up", "column 4 down"),
        ("column 0 down", "column 0 up"),
    ],
)
def test_no_undo(first: str, undo: str) -> None:  # RULES 3.6
    state = two(goals="1,1 3,3")
    play(state, f"1 slides {first} to 1,1")
    for degrees in (0, 90, 180, 270):
        assert refusal(state, f"0 slides {undo} turning {degrees} to 3,3") == "undo"
    play(state, f"0 slides {first} to 3,3")  # the same again is fine
    assert refusal(state, f"1 slides {undo} to 3,3") == "undo"


def test_other_lines_and_the_line_across_are_no_undo() -> None:  # RULES 3.6
    for slide in ("row 2 right", "column 0 up", "column 0 down", "row 0 left"):
        state = two(goals="1,1 3,3")
        play(state, "1 slides row 0 left to 1,1", f"0 slides {slide} to 3,3")
        assert asked(state) == [1]


def test_only_the_last_slide_counts() -> None:  # RULES 3.6, 3.7
    state = two(goals="1,1 3,3")
    play(state, "1 slides row 0 left to 1,1", "0 slides row 2 left to 3,3", "1 slides row 0 right to 3,3")
    assert state.view(None).last == (0, "RIGHT")


def test_a_slide_given_with_the_position_must_not_be_undone() -> None:  # RULES 2.5, 3.6
    assert refusal(two(last=(2, "UP")), "1 slides column 2 down to 1,1") == "undo"
    play(two(last=(2, "UP")), "1 slides row 2 left to 1,1")


def test_passes_and_rounds_keep_the_memory() -> None:  # RULES 3.7
    state = three(goals="1,1 3,3 3,1")
    play(state, "2 slides row 0 left to 1,1", "1 passes", "0 passes")
    assert state.view(None).last == (0, "LEFT") and state.view(None).round == 2
    assert refusal(state, "2 slides row 0 right to 3,3") == "undo"
    play(state, "2 passes")
    assert refusal(state, "1 slides row 0 right to 1,1") == "undo"


def test_leaving_keeps_the_memory() -> None:  # RULES 3.7
    state = three(goals="1,1 3,3 3,1")
    play(state, "2 slides row 0 left to 1,1", "2 leaves")
    assert refusal(state, "1 slides row 0 right to 1,1") == "undo"
    play(state, "1 leaves")
    assert refusal(state, "0 slides row 0 right to 3,3") == "undo"


@pytest.mark.parametrize(("rows", "columns"), [(5, 3), (3, 5), (2, 8), (8, 2), (12, 12)])
def test_which_lines_there_are(rows: int, columns: int) -> None:  # RULES 1.4, 3.8
    for what, directions, lines in (("row", ("left", "right"), rows), ("column", ("up", "down"), columns)):
        for direction in directions:
            for index in range(-4, 15):
                state = table(rows=crosses(rows, columns), homes="1,1", goals="1,1", at="1,1")
                words = f"0 slides {what} {index} {direction} to 0,1"
                if index % 2 == 0 and 0 <= index < lines:
                    play(state, words)
                else:
                    assert refusal(state, words) == "no_such_line"


# 4. Goals


def test_an_own_move_onto_the_goal() -> None:  # RULES 4.1, 4.2
    state = two(queue="1,1 1,3")
    events = play(state, "1 slides row 0 left to 3,1")
    assert events == [Moved(1, 0, "LEFT", 0, (3, 1)), GoalGiven(1, (1, 1), False, 1)]
    assert state.asks() == {1: SetUp(goal=(1, 1), whole=False)}
    assert own(state, 1) == ((1, 1), False, 1) and own(state, 0) == ((1, 3), False, 0)
    assert play(state, "1 hears") == [] and asked(state) == [0]


def test_the_treasure_stays_on_its_tile() -> None:  # RULES 4.2
    state = two()
    play(state, "1 slides row 0 left to 3,1")
    assert state.view(None).gems[16] == gems(17)[16]


def test_to_begin_on_the_goal_does_not_count() -> None:  # RULES 4.1, 4.5
    state = two(at="1,3 3,1")
    play(state, "1 passes", "0 slides row 0 left to 1,1")
    assert own(state, 1) == ((3, 1), False, 0) and own(state, 0) == ((1, 3), False, 0)
    play(state, "1 slides row 0 left to 3,3", "0 slides row 0 left to 1,3")
    assert own(state, 1)[2] == 0 and own(state, 0)[2] == 1
    play(state, "0 hears", "1 slides row 0 left to 3,1")
    assert own(state, 1)[2] == 1


def test_to_be_carried_onto_the_goal_does_not_count() -> None:  # RULES 4.1
    for mover, first in ((1, "1 slides row 0 left to 3,1"), (0, "1 passes")):
        state = two(at="0,2 0,2")
        for player in state.players:
            player.goal = 1  # 0,1: tiles that never move cannot be reached in this way
        play(state, first)
        if mover == 0:
            play(state, "0 slides row 0 left to 0,4")
        carried = 1 - mover
        assert places(state)[carried] == (0, 1) and own(state, carried)[2] == 0
        play(state, f"{carried} passes")
        assert own(state, carried) == ((0, 1), False, 0)


def test_to_walk_across_the_goal_does_not_count() -> None:  # RULES 4.1
    state = two(rows="│││││ ───── │││││ ───── │││││", homes="1,1 3,3", goals="1,3 3,1")
    play(state, "1 slides row 0 left to 3,0")
    assert own(state, 1) == ((3, 1), False, 0) and asked(state) == [0]


def test_the_goal_of_another_does_not_count() -> None:  # RULES 4.1
    state = two()
    play(state, "1 slides row 0 left to 1,3")
    assert own(state, 1) == ((3, 1), False, 0) and own(state, 0) == ((1, 3), False, 0) and asked(state) == [0]


def test_the_queue_is_one_for_all() -> None:  # RULES 2.4, 4.2
    state = two(queue="1,1 1,3 3,3")
    play(state, "1 slides row 0 left to 3,1", "1 hears", "0 slides row 0 left to 1,3", "0 hears")
    assert own(state, 1) == ((1, 1), False, 1) and own(state, 0) == ((1, 3), False, 1)
    play(state, "1 slides row 0 left to 1,1", "1 hears")
    assert own(state, 1) == ((3, 3), True, 2)  # the last of the queue, and its home: see below


def test_home_is_the_last_goal() -> None:  # RULES 4.3
    state = two()
    events = play(state, "1 slides row 0 left to 3,1")
    assert events[1] == GoalGiven(1, (3, 3), True, 1) and own(state, 1) == ((3, 3), True, 1)
    play(state, "1 hears", "0 passes")
    events = play(state, "1 slides row 0 left to 3,3")
    assert events == [Moved(1, 0, "LEFT", 0, (3, 3)), Decided((1,), "home")]
    assert finished(state) == Result((0, 1), (2, 1))


def test_home_does_not_count_before_the_treasure() -> None:  # RULES 4.3
    state = two(at="1,3 1,1")
    play(state, "1 slides row 0 left to 3,3", "0 slides row 0 left to 1,1")
    assert asked(state) == [1] and own(state, 1) == ((3, 1), False, 0) and state.winners is None


def test_the_way_home_takes_another_move() -> None:  # RULES 4.2, 4.3
    state = two(homes="1,1 3,1", goals="3,1 1,3", at="1,3 3,3")
    play(state, "1 passes", "0 slides row 0 left to 3,1", "0 hears")
    assert own(state, 0) == ((1, 1), True, 1) and state.winners is None and asked(state) == [1]


def test_the_queued_home_that_empties_the_queue_is_the_way_home() -> None:  # RULES 4.4
    state = two(queue="3,3")
    events = play(state, "1 slides row 0 left to 3,1")
    assert events[1] == GoalGiven(1, (3, 3), True, 1)
    play(state, "1 hears", "0 passes")
    assert decided(play(state, "1 slides row 0 left to 3,3")) == Decided((1,), "home")
    assert finished(state).scores == (0, 1)


def test_the_queued_home_before_other_goals_is_a_goal_like_any_other() -> None:  # RULES 4.4
    state = two(queue="3,3 1,1")
    assert play(state, "1 slides row 0 left to 3,1")[1] == GoalGiven(1, (3, 3), False, 1)
    play(state, "1 hears", "0 passes")
    assert play(state, "1 slides row 0 left to 3,3")[1] == GoalGiven(1, (1, 1), False, 2)
    play(state, "1 hears", "0 passes")
    assert play(state, "1 slides row 0 left to 1,1")[1] == GoalGiven(1, (3, 3), True, 3)


def test_it_stays_ordinary_when_others_empty_the_queue_later() -> None:  # RULES 4.4
    state = two(queue="3,3 1,1")
    play(state, "1 slides row 0 left to 3,1", "1 hears", "0 slides row 0 left to 1,3", "0 hears")
    assert own(state, 0) == ((1, 1), True, 1)  # emptied the queue, and it is its home
    assert own(state, 1) == ((3, 3), False, 1)
    assert play(state, "1 slides row 0 left to 3,3")[1] == GoalGiven(1, (3, 3), True, 2)


def test_the_home_of_another_is_a_goal_like_any_other() -> None:  # RULES 4.4
    state = two(queue="1,1")
    assert play(state, "1 slides row 0 left to 3,1")[1] == GoalGiven(1, (1, 1), False, 1)


def test_a_goal_under_ones_feet() -> None:  # RULES 4.5
    state = two(queue="3,1 1,1")
    play(state, "1 slides row 0 left to 3,1", "1 hears", "0 passes")
    assert own(state, 1) == ((3, 1), False, 1)
    assert refusal(state, "1 slides row 0 left to 3,1") == "stays"
    play(state, "1 slides row 0 left to 3,0", "0 passes")
    assert own(state, 1) == ((3, 1), False, 1)
    play(state, "1 slides row 0 left to 3,1")
    assert own(state, 1) == ((1, 1), False, 2)


def test_home_under_ones_feet() -> None:  # RULES 4.5
    state = two(goals="1,3 3,3", at="1,1 3,1")
    play(state, "1 slides row 0 left to 3,3", "1 hears")
    assert own(state, 1) == ((3, 3), True, 1) and asked(state) == [0]
    play(state, "0 passes", "1 slides row 0 left to 3,1", "0 passes")
    assert decided(play(state, "1 slides row 0 left to 3,3")) == Decided((1,), "home")


def test_a_first_goal_that_is_the_own_home_is_a_treasure() -> None:  # RULES 4.6
    state = two(goals="1,3 3,3", at="1,1 3,1")
    assert play(state, "1 slides row 0 left to 3,3")[1] == GoalGiven(1, (3, 3), True, 1)
    assert state.winners is None


# 5. The end


def test_the_round_is_not_played_out_when_somebody_comes_home() -> None:  # RULES 5.1
    state = three(goals="1,1 1,1 3,3")
    play(state, "2 slides row 0 left to 3,3", "2 hears", "1 passes", "0 passes")
    assert decided(play(state, "2 slides row 0 left to 3,1")) == Decided((2,), "home")
    assert state.asks() == {0: Hear(won=False), 1: Hear(won=False), 2: Hear(won=True)}
    assert refusal(state, "1 passes") == "wrong_kind" and state.result() is None
    assert finished(state) == Result((0, 0, 1), (2, 3, 1))  # 0 stands on its goal, 1 far from it


def test_a_round_of_passes() -> None:  # RULES 5.1
    state = three()
    play(state, "2 passes", "1 passes")
    assert decided(play(state, "0 passes")).why == "passes"
    assert state.view(None).phase == "end" and asked(state) == [0, 1, 2]


def test_passes_of_two_rounds_do_not_add_up() -> None:  # RULES 5.1
    state = three(goals="1,1 1,1 1,1")
    play(state, "2 slides row 0 left to 0,0", "1 passes", "0 passes", "2 passes", "1 passes")
    play(state, "0 slides row 0 left to 0,0")
    assert asked(state) == [2] and state.view(None).round == 3
    assert decided(play(state, "2 passes", "1 passes", "0 passes")).why == "passes"


def test_a_cap_on_rounds() -> None:  # RULES 5.1
    state = two(round_cap=2, goals="1,1 1,1")
    play(state, "1 slides row 0 left to 3,1", "0 passes", "1 slides row 0 left to 3,0")
    assert state.view(None).round == 2
    assert decided(play(state, "0 passes")) == Decided((0,), "rounds")


def test_a_cap_of_one_round_of_passes() -> None:  # RULES 5.1
    assert decided(play(two(round_cap=1), "1 passes", "0 passes")).why == "passes"


def test_a_goal_in_the_last_round_is_still_told() -> None:  # RULES 5.1, 6.2
    state = two(round_cap=1)
    play(state, "1 passes", "0 slides row 0 left to 1,3")
    assert state.asks() == {0: SetUp(goal=(1, 1), whole=False)} and state.winners is None
    assert decided(play(state, "0 hears")) == Decided((0,), "rounds")


def test_a_thousand_rounds() -> None:  # RULES 5.1
    state = two(goals="1,1 1,1")
    for n in range(1000):
        assert state.view(None).round == n + 1 and state.winners is None
        play(state, f"1 slides row 0 left to 3,{n % 2}", "0 passes")
    assert state.winners == [0] and state.view(None).turn == 2000


def test_nobody_is_left() -> None:  # RULES 5.1, 5.2
    state = two()
    play(state, "1 slides row 0 left to 3,1", "1 leaves")
    assert play(state, "0 leaves") == [Left(0, "quit"), Decided((), "nobody")]
    assert state.result() == Result((0, 1), (2, 2))


def test_rounds_and_turns_are_counted() -> None:  # RULES 5.1
    state = three(goals="1,1 1,1 1,1")
    counted = []
    for words in ("2 passes", "1 slides row 0 left to 0,0", "0 passes", "2 passes"):
        play(state, words)
        view = state.view(None)
        counted.append((view.round, view.turn, view.passed))
    assert counted == [(1, 1, 1), (1, 2, 1), (2, 3, 0), (2, 4, 1)]


def collected(state: State, *treasures: int) -> State:
    """As if they had collected so many, by seat."""
    for player, count in zip(state.players, treasures, strict=True):
        player.treasures = count
    return state


def test_most_treasures_win() -> None:  # RULES 5.2
    state = collected(three(at="0,0 3,1 0,1"), 2, 1, 2)
    assert decided(play(state, "2 passes", "1 passes", "0 passes")).winners == (2,)  # 1 is on its goal, with fewer
    assert finished(state) == Result((2, 1, 2), (2, 3, 1))


def test_a_player_that_came_home_with_the_most_wins_alone() -> None:  # RULES 5.2
    state = collected(three(at="1,3 3,1 0,0"), 1, 1, 0)
    state.players[2].goal, state.players[2].going_home = 16, True
    collected(state, 1, 1, 1)
    assert decided(play(state, "2 slides row 2 left to 3,1")) == Decided((2,), "home")
    assert finished(state) == Result((1, 1, 1), (2, 2, 1))  # all stand on their goals


def test_a_player_that_came_home_with_fewer_does_not_win() -> None:  # RULES 5.2, 5.6
    state = collected(three(at="0,0 0,1 0,3"), 2, 2, 1)
    state.players[2].goal, state.players[2].going_home = 16, True
    assert decided(play(state, "2 slides row 2 left to 3,1")) == Decided(
        (1,), "home"
    )  # 1 is 10 from 3,1, 0 is 10 from 1,3
    assert finished(state).ranks == (2, 1, 3)


@pytest.mark.parametrize(
    ("at", "winners"),
    [
        ("1,3 3,3 1,1", (0, 2)),  # 0, 4, 0
        ("0,0 0,1 0,1", (2,)),  # 10, 9, 1
        ("4,3 3,3 4,2", (1,)),  # 9, 4, 10
        ("4,3 1,3 3,3", (1, 2)),  # 9, 8, 8: three steps are farther than two and two
        ("3,3 3,3 3,1", (0, 1, 2)),
    ],
)
def test_of_equals_the_nearest_win(at: str, winners: tuple[int, ...]) -> None:  # RULES 5.2
    state = three(at=at)
    assert decided(play(state, "2 passes", "1 passes", "0 passes")).winners == winners
    asks = state.asks()
    assert {seat: asks[seat] for seat in range(3)} == {seat: Hear(won=seat in winners) for seat in range(3)}
    ranks = finished(state).ranks
    assert tuple(seat for seat, rank in enumerate(ranks) if rank == 1) == winners


def test_the_goal_that_counts_is_the_present_one() -> None:  # RULES 5.2
    state = two(round_cap=2, queue="1,1 1,3")
    play(state, "1 slides row 0 left to 3,1", "1 hears")  # on its way to 1,1
    play(state, "0 slides row 0 left to 1,3", "0 hears")  # on its goal, which is 1,3 again
    play(state, "1 slides row 0 left to 2,1", "0 slides row 0 left to 3,3")
    assert state.winners == [1]  # 1 against 4


def test_the_way_home_counts_from_where_one_is() -> None:  # RULES 5.2
    state = two(round_cap=2)
    play(state, "1 slides row 0 left to 3,1", "1 hears", "0 slides row 0 left to 1,3", "0 hears")
    play(state, "1 slides row 0 left to 3,2")
    assert decided(play(state, "0 passes")) == Decided((1,), "rounds")


def test_a_player_that_left_cannot_win() -> None:  # RULES 5.2, 6.3
    state = collected(three(), 0, 0, 9)
    play(state, "2 leaves", "1 passes", "0 passes")
    assert state.winners == [0, 1]
    assert finished(state) == Result((0, 0, 9), (1, 1, 3))


def test_ranks_of_those_who_stayed() -> None:  # RULES 5.3
    homes = " ".join(["1,1"] * 6)
    state = table(rows=FIVE, homes=homes, goals=" ".join(["3,3"] * 6), at="3,3 1,3 3,1 3,2 0,0 3,3")
    collected(state, 1, 1, 1, 1, 0, 2)
    play(state, *(f"{seat} passes" for seat in (5, 4, 3, 2, 1, 0)))
    assert finished(state) == Result((1, 1, 1, 1, 0, 2), (2, 4, 4, 3, 6, 1))


def test_ranks_of_those_who_left() -> None:  # RULES 5.3
    homes = " ".join(["1,1"] * 4)
    state = collected(table(rows=FIVE, homes=homes, goals=homes), 0, 5, 3, 0)
    play(state, "1 leaves", "2 leaves", "3 passes", "0 passes")
    assert finished(state) == Result((0, 5, 3, 0), (1, 3, 3, 1))


def test_without_a_winner_nobody_is_first() -> None:  # RULES 5.3
    state = collected(three(at="0,0 3,3 3,3"), 1, 0, 0)
    play(state, "2 passes", "1 passes", "0 passes", "0 leaves", "1 hears", "2 hears")
    assert state.result() == Result((1, 0, 0), (4, 2, 3))


def test_time_is_up() -> None:  # RULES 5.4
    state = collected(three(at="0,0 3,3 1,0"), 1, 1, 1)
    play(state, "2 passes")
    assert play(state, "time is up") == [Decided((2,), "time")]
    assert asked(state) == [0, 1, 2]
    assert finished(state).ranks == (3, 2, 1)


def test_time_is_up_before_a_new_goal_was_heard() -> None:  # RULES 5.4
    state = two()
    play(state, "1 slides row 0 left to 3,1")
    assert decided(play(state, "time is up")) == Decided((1,), "time")
    assert state.asks() == {0: Hear(won=False), 1: Hear(won=True)}


def test_time_is_up_before_the_first_round() -> None:  # RULES 5.4
    state = fresh(2)
    play(state, "0 hears")
    assert decided(play(state, "time is up")).why == "time"
    finished(state)
    state = fresh(0)
    play(state, "Ada signs up")
    assert decided(play(state, "time is up")) == Decided((0,), "time")
    finished(state)


def test_time_is_up_when_it_is_decided_already() -> None:  # RULES 5.4
    state = two()
    play(state, "1 passes", "0 passes", "0 hears")
    winners = state.winners
    assert play(state, "time is up") == [] and state.winners == winners and state.result() is not None


def test_after_the_end_nothing_happens() -> None:  # RULES 5.1
    state = two()
    play(state, "1 passes", "0 passes", "0 hears", "1 hears")
    assert state.view(None).phase == "over" and state.asks() == {}
    for words in (
        "1 passes",
        "1 hears",
        "1 slides row 0 left to 3,1",
        "time is up",
        "the table closes",
        "Cyd signs up",
    ):
        refusal(state, words)
    assert refusal(state, "1 leaves") == "over"


@pytest.mark.parametrize(
    "moves",
    [
        ["2 passes", "2 leaves", "1 passes", "0 passes"],
        ["2 passes", "1 leaves", "0 passes"],
        ["2 passes", "1 passes", "0 leaves"],
        ["0 leaves", "2 passes", "1 passes"],
        ["2 slides row 0 left to 0,0", "2 leaves", "1 passes", "0 passes"],
        ["2 passes", "1 slides row 0 left to 0,0", "1 leaves", "0 passes"],
        ["2 leaves", "1 leaves", "0 passes"],
    ],
)
def test_a_round_of_passes_in_which_somebody_left(moves: list[str]) -> None:  # RULES 5.5
    assert decided(play(three(), *moves)).why == "passes"


def test_a_move_of_a_player_that_stayed_keeps_it_going() -> None:  # RULES 5.5
    state = three()
    play(state, "2 slides row 0 left to 0,0", "1 leaves", "0 passes")
    assert state.winners is None and state.view(None).round == 2 and asked(state) == [2]


# 6. Leaving. What brings it about is in test_faults.py.


def test_the_three_calls() -> None:  # RULES 6.2
    state = State.new(2, Options(), position(FIVE, "1,1 3,3", "1,3 3,1"), Dice(SEED))
    assert state.asks() == {0: SetUp(goal=(1, 3), whole=True), 1: SetUp(goal=(3, 1), whole=True)}
    assert state.view(None).phase == "setup" and state.view(None).round == 0
    play(state, "1 hears")
    assert (
        asked(state) == [0] and refusal(state, "1 hears") == "not_asked" and refusal(state, "0 passes") == "wrong_kind"
    )
    assert play(state, "0 hears") == [Began((1, 0))]
    assert state.asks() == {1: TakeTurn()} and state.view(None).phase == "play" and state.view(None).round == 1
    assert refusal(state, "0 passes") == "not_asked" and refusal(state, "0 hears") == "not_asked"
    play(state, "1 passes", "0 passes")
    assert asked(state) == [0, 1] and refusal(state, "0 passes") == "wrong_kind"
    play(state, "0 hears")
    assert asked(state) == [1] and state.result() is None
    play(state, "1 hears")
    assert state.result() is not None


def test_the_order_of_answers_does_not_matter() -> None:  # RULES 6.2
    one, other = fresh(3), fresh(3)
    play(one, "0 hears", "1 hears", "2 hears")
    play(other, "2 hears", "0 hears", "1 hears")
    assert one == other


def test_set_ups_and_ends_answer_themselves_where_a_protocol_has_no_words() -> None:  # RULES 6.2, 9.11
    assert SetUp.default is not None and Hear.default is not None and TakeTurn.default is None


def test_a_player_that_leaves_vanishes_and_the_next_is_asked() -> None:  # RULES 6.3, 6.4
    state = three()
    play(state, "2 passes")
    assert play(state, "1 leaves") == [Left(1, "quit")]
    view = state.view(None)
    assert [avatar.here for avatar in view.avatars] == [True, False, True] and view.order == (0, 2)
    assert asked(state) == [0] and view.round == 1
    play(state, "0 slides row 0 left to 3,3")
    assert asked(state) == [2] and state.view(None).round == 2
    assert refusal(state, "1 leaves") == "not_here" and refusal(state, "1 passes") == "not_asked"


def test_a_player_that_leaves_when_it_is_not_their_turn() -> None:  # RULES 6.3, 6.4
    state = three()
    play(state, "0 leaves")
    assert asked(state) == [2] and state.view(None).order == (2, 1)
    play(state, "2 slides row 0 left to 3,3", "1 passes")
    assert asked(state) == [2] and state.view(None).round == 2


def test_a_player_that_leaves_takes_the_pass_along() -> None:  # RULES 6.3
    state = three()
    play(state, "2 passes", "2 leaves")
    assert state.view(None).passed == 0


def test_a_seat_that_is_not_there_cannot_leave() -> None:  # RULES 6.3
    state = three()
    for seat in (-1, 3):
        with pytest.raises(IllegalAction):
            state.play(None, Leave(seat, "quit"))
    with pytest.raises(IllegalAction):
        state.play(0, Leave(0, "quit"))
    with pytest.raises(IllegalAction):
        state.play(2, Close())


def test_the_goal_of_a_player_that_left_is_not_queued_again() -> None:  # RULES 6.3
    state = three(queue="3,3")
    play(state, "1 leaves")
    assert state.queue == [18]


def test_a_player_that_is_left_alone_plays_on() -> None:  # RULES 6.5
    state = two()
    play(state, "0 leaves", "1 slides row 0 left to 3,1", "1 hears")
    assert asked(state) == [1] and state.view(None).round == 2
    assert decided(play(state, "1 slides row 0 left to 3,3")) == Decided((1,), "home")


# 7. Who sees what


def test_everybody_sees_the_same_but_for_their_own() -> None:  # RULES 7.1
    state = three(at="0,0 1,1 2,2", last=(4, "UP"))
    play(state, "2 passes")
    seen = [state.view(who) for who in (None, 0, 1, 2)]
    private = {"seat": None, "goal": None, "going_home": False, "treasures": 0}
    assert [msgspec.structs.replace(view, **private) for view in seen] == [seen[0]] * 4
    view = seen[0]
    assert view.tiles == tuple(FIVE.split()) and view.last == (4, "UP") and view.order == (1, 0, 2)
    assert (view.phase, view.round, view.turn, view.passed, view.winners) == ("play", 1, 1, 1, None)
    assert [avatar.at for avatar in view.avatars] == spots("0,0 1,1 2,2")
    assert [avatar.home for avatar in view.avatars] == spots("1,1 3,3 3,1")
    assert [view.seat for view in seen] == [None, 0, 1, 2]


def test_a_goal_is_for_its_player_alone() -> None:  # RULES 7.1
    state = two(queue="1,3 1,1")
    before = [state.view(who) for who in (None, 0)]
    [moved, given] = play(state, "1 slides row 0 left to 3,1")
    assert given == GoalGiven(1, (1, 3), False, 1)
    assert [given.seen_by(who) for who in (None, 0, 1)] == [None, None, given]
    assert [moved.seen_by(who) for who in (None, 0, 1)] == [moved] * 3
    assert state.view(None).goal is None and state.view(None).treasures == 0
    changed = [msgspec.structs.asdict(state.view(who)) for who in (None, 0)]
    for view, now in zip(before, changed, strict=True):
        was = msgspec.structs.asdict(view)
        assert {name for name in was if was[name] != now[name]} <= {
            "gems",
            "spare_gems",
            "avatars",
            "order",
            "last",
            "turn",
        }


def test_others_cannot_tell_a_goal_from_any_other_tile() -> None:  # RULES 7.1
    seen: list[View] = []
    for goal in ("3,1", "1,1"):
        state = two(goals=f"1,3 {goal}")
        play(state, "1 slides row 0 left to 3,1")
        seen += [state.view(None), state.view(0)]
    assert seen[:2] == seen[2:]


def test_a_view_has_no_queue_and_no_position() -> None:  # RULES 2.5, 7.1
    state = two(queue="1,3 1,1")
    assert {"queue", "start", "goals", "players", "dice"}.isdisjoint(View.__struct_fields__)
    other = two(queue="3,3 3,1 1,1 1,3")
    assert [state.view(who) for who in (None, 0, 1)] == [other.view(who) for who in (None, 0, 1)]


def test_the_winner_is_seen_when_it_is_decided() -> None:  # RULES 7.1
    state = two()
    play(state, "1 passes", "0 passes")
    assert all(state.view(who).winners == (0, 1) for who in (None, 0, 1))
    play(state, "0 leaves")
    assert state.view(None).winners == (1,)


def test_views_follow_the_game_and_are_made_once() -> None:  # RULES 7.1
    state = two()
    view = state.view(1)
    assert state.view(1) is view
    play(state, "1 slides row 0 left to 3,1")
    assert state.view(1).goal == (3, 3) and view.goal == (3, 1)


@pytest.mark.parametrize(
    "moves", [[], ["1 passes"], ["1 slides row 0 left to 3,1"], ["1 leaves"], ["1 passes", "0 passes"]]
)
def test_dealt_again_a_seat_sees_the_same(moves: list[str]) -> None:  # RULES 7.1
    state = two(queue="1,1 1,3 3,3")
    play(state, *moves)
    twins = [state.redeal(0, Dice(bytes([n]))) for n in range(20)]
    for twin in twins:
        assert twin.view(0) == state.view(0) and twin.asks().get(0) == state.asks().get(0)
        assert len(twin.queue) == len(state.queue) and twin.board == state.board
    if state.winners is None:
        assert len({twin.players[1].goal for twin in twins}) > 1 and len({tuple(twin.queue) for twin in twins}) > 1
        assert len({twin.players[1].treasures for twin in twins}) > 1
    assert len({twin.dice.below(1 << 30) for twin in twins}) == 20


def test_whether_another_was_told_a_new_goal_might_be_otherwise() -> None:  # RULES 7.1
    state = table(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,3 3,3", queue="1,1 1,3 3,3")
    play(state, "2 slides row 0 left to 3,3")
    assert state.pending == [2] and state.upcoming == [1, 0]
    dealt = [state.redeal(0, Dice(bytes([n]))) for n in range(20)]
    assert {tuple(twin.pending) for twin in dealt} == {(), (2,)}
    assert all(state.redeal(1, Dice(bytes([n]))).pending == [2] for n in range(20)), "it would be seat 1's turn"


@pytest.mark.parametrize("moves", [[], ["2 passes", "1 passes", "0 passes"]])
def test_the_seats_that_have_heard_might_be_others(moves: list[str]) -> None:  # RULES 7.1
    state = fresh(3) if not moves else table(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,3 3,3")
    play(state, *moves)
    assert state.pending == [0, 1, 2]
    told = {tuple(state.redeal(0, Dice(bytes([n]))).pending) for n in range(40)}
    assert told == {(0,), (0, 1), (0, 2), (0, 1, 2)}
    play(state, "0 hears")
    told = {tuple(state.redeal(0, Dice(bytes([n]))).pending) for n in range(40)}
    assert told == {(1,), (2,), (1, 2)}, "somebody is still waited for"


def test_a_copy_is_another_table() -> None:
    state = two(queue="1,1 1,3")
    twin = state.copy()
    assert twin == state and twin != "a table"
    play(twin, "1 slides row 0 left to 3,1", "1 hears", "0 passes", "0 leaves")
    assert twin != state == two(queue="1,1 1,3")
    play(state.copy(), "1 passes")
    assert state == two(queue="1,1 1,3")


@pytest.mark.parametrize("moves", [["time is up"], ["1 passes", "0 passes", "0 hears"], ["1 passes"], ["0 leaves"]])
def test_a_copy_in_the_midst_of_things(moves: list[str]) -> None:
    state, same = two(), two()
    play(state, *moves)
    play(same, *moves)
    twin = state.copy()
    play(twin, "1 leaves")
    assert twin != state == same
    early, same = fresh(3), fresh(3)
    play(early.copy(), "1 hears", "0 hears")
    assert early == same


def test_slides_are_told_as_they_were() -> None:  # RULES 7.1
    last: Slide = (4, "DOWN")
    state = two()
    assert play(state, "1 slides column 4 down turning 180 to 0,0") == [Moved(1, 4, "DOWN", 180, (0, 0))]
    assert state.view(None).last == last
