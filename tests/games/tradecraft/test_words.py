"""A person at a terminal: the display, and what can be typed."""

from typing import Any

import pytest

from parlour.games.tradecraft import GAME
from parlour.games.tradecraft.rules import State
from parlour.games.tradecraft.values import Apply, Check, Decide, Done, Propose
from parlour.games.tradecraft.words import board, hear, hint
from tests.games.tradecraft.tables import NAMES, bench, play, table

PROPOSING = table("2 coal 2 stick", "3 stick")


def deciding() -> State:
    state = table("2 coal 2 stick", "3 stick", targets=["1 ladder", "1 bow"])
    play(state, "0 offers 1 1 coal for 2 stick: please")
    return state


def heard(state: State, text: str) -> Any:
    [seat, *_] = [seat for seat in state.asks() if seat is not None]
    return hear(text, state.view(seat), state.asks()[seat])


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("offer 1 coal to 1 for 2 stick", Propose(1, {"coal": 1}, {"stick": 2})),
        ("offer 1 coal, 2 stick to 1 for nothing", Propose(1, {"coal": 1, "stick": 2})),
        ("offer nothing to 1 for nothing", Propose(1)),
        ("offer nothing to 1", Propose(1)),
        ("OFFER 1 coal to 1 for 2 stick: Please: do", Propose(1, {"coal": 1}, {"stick": 2}, "Please: do")),
        ("offer 9 coal to 7", Propose(7, {"coal": 9})),
    ],
)
def test_a_proposal_as_it_is_typed(text: str, action: Propose) -> None:
    assert heard(PROPOSING, text) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("accept", Decide("accept")),
        ("reject not for that", Decide("reject", "not for that")),
        ("Accept ", Decide("accept")),
    ],
)
def test_a_decision_as_it_is_typed(text: str, action: Decide) -> None:
    assert heard(deciding(), text) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("check 1 coal 1 stick = 4 torch", Check({"coal": 1, "stick": 1}, {"torch": 4})),
        ("check 1/8 coal + 1 raw_iron -> 1 iron_ingot", Check({"coal": "1/8", "raw_iron": 1}, {"iron_ingot": 1})),
        ("apply", Apply()),
        ("done", Done()),
    ],
)
def test_crafting_as_it_is_typed(text: str, action: Any) -> None:
    assert heard(bench("2 coal 2 stick", "1 dirt"), text) == action


@pytest.mark.parametrize(
    "text", ["", "hello", "offer", "offer 1 coal", "offer 1 coal to bob", "accept", "done", "check"]
)
def test_what_makes_no_sense_or_not_now(text: str) -> None:
    assert heard(PROPOSING, text) is None


@pytest.mark.parametrize("text", ["check 1 coal", "apply it", "done now", "accept"])
def test_what_makes_no_sense_while_crafting(text: str) -> None:
    assert heard(bench("2 coal 2 stick", "1 dirt"), text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("offer coal to 1", "an amount and an item"),
        ("offer x coal to 1", "is no amount"),
        ("offer 0 coal to 1", "above 0"),
        ("offer 1 Coal! to 1", "is no item"),
        ("item torch", "1 charcoal or coal + 1 stick -> 4 torch"),
        ("item happiness", "There is no item"),
        ("recipes", "4 torch"),
    ],
)
def test_what_is_wrong_is_said_and_questions_are_answered(text: str, words: str) -> None:
    assert words in heard(PROPOSING, text)


def test_a_recipe_that_cannot_be_read_is_said_to_be_so() -> None:
    assert "is no amount" in heard(bench("1 coal", "1 dirt"), "check one coal = 1 torch")


def test_what_one_is_told_to_type() -> None:
    for state, words in (
        (PROPOSING, "offer 2 stick 1 coal to SEAT"),
        (deciding(), "accept [WORDS]"),
        (bench("2 coal 2 stick", "1 dirt"), "(200 left), done;"),
    ):
        [ask, *_] = state.asks().values()
        assert words in hint(ask)
    state = bench("2 coal 2 stick", "1 dirt")
    play(state, "0 checks 1 coal 1 stick = 4 torch")
    assert "apply" in hint(state.asks()[0])


def test_the_table() -> None:
    shown = board(PROPOSING.view(0), NAMES)
    assert shown.heading == "Turn 1 of 15, ada's proposal: to be made"
    assert shown.rows == (("ada", "0", "", "2 coal, 2 stick"), ("bob", "1", "", "3 stick"))
    assert shown.footer == "Your target: 1 beacon"


def test_what_only_the_viewer_knows_is_below_the_table() -> None:
    state = deciding()
    assert board(state.view(1), NAMES).footer.splitlines() == [
        "Your target: 1 bow",
        'ada offers you 1 coal for 2 stick, saying: "please"',
    ]
    assert board(state.view(None), NAMES).footer == ""
    play(state, "1 rejects", "0 checks 1 coal 1 stick = 4 torch", "1 is done")
    assert board(state.view(0), NAMES).footer.splitlines() == [
        "Your target: 1 ladder",
        "You now hold 2 coal, 2 stick",
        "Ready to be applied: 1 coal + 1 stick -> 4 torch",
    ]
    assert [row[2] for row in board(state.view(0), NAMES).rows] == ["", "done"]


def test_the_table_in_the_end() -> None:
    state = table("1 coal 1 stick", "3 stick", "1 dirt", targets=["1 torch"])
    play(state, "2 leaves", "0 offers 1 nothing", "1 rejects", "0 crafts 1 coal 1 stick = 4 torch", "all are done")
    shown = board(state.view(1), NAMES)
    assert [row[2] for row in shown.rows] == ["won", "", "gone"]
    assert shown.footer.splitlines()[0] == "ada wanted 1 torch"


def test_the_game_is_wired() -> None:
    assert GAME.words.hear is hear and GAME.words.board is board and GAME.words.hint is hint
