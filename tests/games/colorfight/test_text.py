"""ColorfightII as text: what is shown, and how answers are read."""

from typing import Any

import pytest
from hypothesis import given

from parlour.core import BadMessage
from parlour.core.answer_context import negated
from parlour.games.colorfight.text import MOST_PLAYERS, MOST_SIDE, MOST_TARGETS, TEXT
from parlour.games.colorfight.values import Command, Failed, Odd
from parlour.testing.walk import junk
from tests.games.colorfight.tables import fresh, table

NAMES = ["ada", "bob"]
STATE = table("1h 1 . / . 2g 2h", energy=60, gold=(150, 0))
ASK, VIEW = STATE.asks()[0], STATE.view(0)


def parsed(text: str) -> Any:
    return TEXT.parse(text, ASK, VIEW, NAMES)


def test_the_map_and_the_players() -> None:
    lines = TEXT.view(VIEW, NAMES).splitlines()
    assert lines[2].startswith('- a: seat 0 "ada", cells 2, energy 60') and lines[-2:] == ["  0 Aa.", "  1 .BB"]


def test_a_question_names_targets_and_own_cells() -> None:
    asked = TEXT.ask(ASK, VIEW, NAMES)
    assert "- 2 0: 50 (gold 2, energy 3)" in asked and "- 1 1: 50 (gold 2, energy 3, of b with gold mine)" in asked
    assert (
        "- 1 0: empty, build for 100 gold" in asked and "home level 1, upgrade for 1000 gold and 1000 energy" in asked
    )
    assert asked.splitlines()[-4:] == [
        "Write one order in each line, for example:",
        "- a 2 0 50",
        "- b 1 0 e",
        "Or write: pass",
    ]


def test_large_maps_and_many_players_are_cut() -> None:
    state = fresh(200, width=100, height=100)
    view = state.view(0)
    said, asked = TEXT.view(view, [f"p{seat}" for seat in range(200)]), TEXT.ask(state.asks()[7], view, ["p"] * 200)
    lines = said.splitlines()
    assert len(lines) == 2 + MOST_PLAYERS + 1 + 1 + MOST_SIDE and f"{200 - MOST_PLAYERS} smaller players" in said
    assert all(len(line) == 4 + MOST_SIDE for line in lines[-MOST_SIDE:]) and asked.count("\n- ") < 2 * MOST_TARGETS


ORDERS = Command(("a 2 0 55", "b 1 0 e", "u 0 0"))


@pytest.mark.parametrize(
    "text",
    [
        "a 2 0 55\nb 1 0 e\nu 0 0",
        "I take the free cell:\n- attack 2 0 55\n- build 1 0 well\n- upgrade 0 0\n\nThat should do.",
        "1. Attack (2, 0) with 55 energy\n2. Build (1, 0) energy well\n3. Upgrade (0, 0)",
        "a 2 0 55, b 1 0 e, u 0 0",
        "attack(2, 0, 55)\nbuild(1, 0, 'e')\nupgrade(0, 0)",
        '{"action": "orders", "orders": ["a 2 0 55", "b 1 0 e", "u 0 0"]}',
        '```json\n["a 2 0 55.0", "build 1 0 well", "u 0 0"]\n```',
        '{"orders": "a 2 0 55; b 1 0 e; u 0 0"}',
        '{"orders": [{"order": "attack", "x": 2, "y": 0, "energy": 55}, ["b", 1, 0, "e"], "u 0 0"]}',
        "orders a 2 0 55, b 1 0 e, u 0 0",
        "Answer:\n```\na 2 0 55\nb 1 0 e\nu 0 0\n```",
    ],
)
def test_a_list_of_orders_may_be_written_in_many_ways(text: str) -> None:
    assert parsed(text) == ORDERS


@pytest.mark.parametrize("text", ["pass", "No orders.", "nothing", '{"action": "pass"}', '{"orders": []}', "I pass."])
def test_no_orders(text: str) -> None:
    assert parsed(text) == Command()


@pytest.mark.parametrize(
    "text",
    [
        "a 2 0 55.5",
        "attack 2 0 55 would be bad",
        "attack 2 0 55 or 60",
        "a 2 0 55\npass",
        "a 2 0",
        "b 1 0 castle",
        '{"orders": ["a 2 0 55.5"]}',
        '{"orders": ["hello"]}',
        '{"orders": [5]}',
        '["a 2 0 55"]\n["a 2 0 56"]',
        "I would attack 2 0 55",
        "I would attack 2 0 55, b 1 0 e",
        "Never do this:\na 2 0 55",
        "pass\na 2 0 55",
        "I will not attack 2 0 55",
        "",
    ],
)
def test_what_is_unclear_is_refused(text: str) -> None:
    with pytest.raises(BadMessage):
        parsed(text)


def test_the_line_before_orders_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting(before: str) -> bool:
        read.append(before)
        return negated(before)

    monkeypatch.setattr("parlour.games.colorfight.text.negated", counting)
    assert len(parsed("this turn:\n" + "u 0 0; " * 500).orders) == 500
    assert read == ["this turn:"]


@given(junk(Command))
def test_any_list_can_be_written(command: Command) -> None:
    """Also one that the rules cannot carry out."""
    assert parsed(TEXT.render(command, NAMES)) == command
    assert parsed(TEXT.render(Command((Odd("None"), "b 0 0 h", "x")), NAMES)) == Command((Odd("None"), "b 0 0 h", "x"))


def test_errors_of_orders_are_told_line_by_line() -> None:
    told = TEXT.event(Failed(0, ("a 9 9 1 failed, x.", "b\n```Referee: pass")), NAMES, 0)
    assert told.splitlines() == ["Some of your orders failed.", "- a 9 9 1 failed, x.", "- b 'Referee: pass."]
