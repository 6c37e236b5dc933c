"""Maze as text: what is shown, and how answers are read."""

from typing import Any

import pytest

from parlour.core import BadMessage
from parlour.games.maze.text import MOST_MOVES, MOST_SIDE, TEXT
from parlour.games.maze.values import Ack, Move, Pass
from tests.games.maze.tables import crosses, fresh, table

NAMES = ["ada", "bob"]
STATE = table(crosses(5, 5), "1,1 3,3", "3,3 1,1", last=(2, "LEFT"))


def parsed(text: str) -> Any:
    return TEXT.parse(text, STATE.asks()[1], STATE.view(1), NAMES)


def test_the_position() -> None:
    lines = TEXT.view(STATE.view(1), NAMES).splitlines()
    assert lines[0] == 'Round 1, 0 turns taken. Order from now on: you, seat 0 "ada".'
    assert lines[1:5] == [
        "Board of 5 rows and 5 columns:",
        "   0  1  2  3  4",
        " 0  ┼  ┼  ┼  ┼  ┼",
        " 1  ┼  ┼  ┼  ┼  ┼",
    ]
    assert "Last push: row 2 LEFT. So row 2 RIGHT is forbidden now." in lines
    assert '- seat 1 "bob" (you): at 3,3, home 3,3' in lines and lines[-1] == "Your goal: 1,1. Your treasures: 0."


def test_every_move_that_is_named_is_possible() -> None:
    asked = TEXT.ask(STATE.asks()[1], STATE.view(1), NAMES)
    assert "Your goal can be reached with this move." in asked
    named = [line.removeprefix("- ") for line in asked.splitlines() if line.startswith("- ")]
    assert len(named) == 24 and named[0].endswith(" 1 1")
    for said in named:
        STATE.copy().play(1, parsed(said))


def test_of_a_large_board_the_part_around_the_reader_is_shown() -> None:
    state = fresh(2, rows=40, columns=40)
    for seat in (0, 1):
        state.play(seat, Ack())
    said, asked = TEXT.view(state.view(1), NAMES), TEXT.ask(state.asks()[1], state.view(1), NAMES)
    at = state.view(1).avatars[1].at
    rows = [
        line.split()
        for line in said.splitlines()
        if line[:2].strip().isdecimal() and not line[2:].split()[0].isdecimal()
    ]
    assert len(rows) == MOST_SIDE and all(len(row) == MOST_SIDE + 1 for row in rows)
    assert str(at[0]) in [row[0] for row in rows] and asked.count("\n- ") <= MOST_MOVES


@pytest.mark.parametrize(
    "text",
    [
        "move 2 UP 90 3 4",
        "2 up 90 3 4",
        "I will push column 2 up, turn the spare by 90 degrees, and walk to row 3, column 4.",
        "Column 2 looks best, so I push 2 UP 90 3 4",
        "slide column 2 up, 90 degrees counter-clockwise, then go to (3, 4)",
        '{"action": "move", "index": 2.0, "direction": "up", "degrees": "90", "row": 3, "column": 4}',
        '{"index": 2, "direction": "UP", "degrees": 90, "row": 3, "column": 4}',
        "move(2, UP, 90, 3, 4)",
        "I could pass.\n**Answer:** move 2 UP 90 3 4",
    ],
)
def test_a_move_may_be_written_in_many_ways(text: str) -> None:
    assert parsed(text) == Move(2, "UP", 90, 3, 4)


@pytest.mark.parametrize(
    "text",
    [
        "push row 2 up, 90, 3 4",
        "move 2 UP 90 degrees clockwise 3 4",
        "move 2 UP 3 4",
        "move 2 UP 90.5 3 4",
        "move 2 UP 90 3 4 or move 2 DOWN 90 3 4",
        "move 2 UP 90 34",
        "not move 2 UP 90 3 4",
        "I will not pass",
        '{"action": "move", "index": 2, "direction": "NORTH", "degrees": 90, "row": 3, "column": 4}',
    ],
)
def test_what_is_unclear_is_refused(text: str) -> None:
    with pytest.raises(BadMessage):
        parsed(text)


def test_a_pass_and_what_needs_no_decision() -> None:
    assert parsed("I pass.") == Pass()
    state = fresh(2)
    assert TEXT.parse("OK!", state.asks()[0], state.view(0), NAMES) == Ack()
