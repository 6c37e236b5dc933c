"""How orders are read, and the lists they come in."""

from collections.abc import Sequence

import msgspec
import pytest

from parlour.core import BadMessage, Close, IllegalAction
from parlour.games.colorfight import GAME
from parlour.games.colorfight.values import MOST_LETTERS, MOST_LISTS, MOST_ORDERS, Command, Failed, Ruleset
from parlour.referee.match import Match
from tests.games.colorfight.tables import both, cost, errors, field, fresh, house, kept, show, table, turn
from tests.referee.hand import new_match, refused

# 5.8 Numbers


@both
@pytest.mark.parametrize(
    "order",
    [
        "a +1 0 60",
        "a 01 00 0060",
        "a 1 -0 +060",
        "a 1 0 60 please",
        "a 1 0 60 70 80 90",
        "  a 1 0 60  ",
        "a\t1\n0\r\n60",
        "a 1   0 \t 60",
        "a\u00a01\u20030\u300060",
    ],
    ids=ascii,
)
def test_what_is_a_number_and_what_lies_between_words(ruleset: Ruleset, order: str) -> None:  # RULES 5.8
    state = table("1h . / . .", ruleset=ruleset)
    turn(state, [order])
    assert show(state) == "1h 1 / . ." and kept(state, 1) == (40, 0) and not errors(state)


@both
@pytest.mark.parametrize("order", ["b +1 00 g more words", " b\t1 0\ng"], ids=ascii)
def test_builds_in_other_spellings(ruleset: Ruleset, order: str) -> None:  # RULES 5.8
    state = table("1h 1 / . .", gold=100, ruleset=ruleset)
    turn(state, [order])
    assert show(state) == "1h 1g / . ."


@both
@pytest.mark.parametrize("order", ["u 0 0 4", "u +0 -0 x y z", "u\n00\t0"], ids=ascii)
def test_upgrades_in_other_spellings(ruleset: Ruleset, order: str) -> None:  # RULES 5.8
    state = table("1h 1 / . .", gold=1000, energy=1000, ruleset=ruleset)
    turn(state, [order])
    assert show(state) == "1h2 1 / . ."


NO_NUMBERS = [
    "6_0", "6__0", "_60", "1.5", "60.0", "1e3", "0x3c", "0b11", "0o17", "x", "--5", "+-5", "+", "-", "5-", "½",
    "٦٠", "\uff16\uff10", "६०", "²", "\u221260", "60,", "6\u200b0", "nan", "inf", "∞", "None", "True", "'60'", "60\x00",
]  # fmt: skip


@both
@pytest.mark.parametrize("word", NO_NUMBERS, ids=ascii)
def test_what_is_no_number(ruleset: Ruleset, word: str) -> None:  # RULES 5.8, 7.2
    state = table("1h . / . .", gold=500, ruleset=ruleset)
    orders = [
        f"a {word} 0 60",
        f"a 1 {word} 60",
        f"a 1 0 {word}",
        f"b {word} 0 e",
        f"b 0 {word} e",
        f"u {word} 0",
        f"u 0 {word}",
    ]
    turn(state, orders)
    literal = f"invalid literal for int() with base 10: {word!r}"
    assert errors(state) == [f"{order} is a wrong command, {literal}" for order in orders]
    assert kept(state, 1) == (100, 500) and show(state) == "1h . / . ."


@both
def test_absurd_numbers_are_just_far_away_or_too_much(ruleset: Ruleset) -> None:  # RULES 5.8
    huge = "9" * 80
    state = table("1h . / . .", ruleset=ruleset)
    orders = [f"a {huge} 0 60", f"a 0 -{huge} 60", f"a 1 0 {huge}", f"a 1 0 -{huge}", f"b {huge} 0 e", f"u 0 {huge}"]
    turn(state, orders)
    assert [words.partition(" failed, ")[2] for words in errors(state)] == [
        "Attack position is not in the map.",
        "Attack position is not in the map.",
        "Do not have enough energy to attack.",
        "The energy spent is less than attack cost.",
        "Build position is not in the map.",
        "Upgrade position is not in the map.",
    ]


def test_numbers_beyond_64_bits_do_not_come_round_again() -> None:  # RULES 5.8
    state = table("1h . / . .")
    turn(state, f"a {2**64 + 1} 0 60, a 1 0 {2**64 + 60}, a {2**32 + 1} {-(2**32)} 60")
    assert show(state) == "1h . / . ." and len(errors(state)) == 3


# 5.1, 5.11, 5.12 Lists


@both
def test_a_later_list_takes_the_place_of_an_earlier_one(ruleset: Ruleset) -> None:  # RULES 5.11
    state = table("1h . / . .", ruleset=ruleset)
    state.play(0, Command(("a 1 0 50", "nonsense")))
    state.play(0, Command(("a 0 1 60",)))
    turn(state)
    assert show(state) == "1h . / 1 ." and kept(state, 1) == (40, 0) and not errors(state)


@both
def test_an_empty_list_takes_everything_back(ruleset: Ruleset) -> None:  # RULES 5.11
    state = table("1h . / . .", ruleset=ruleset)
    state.play(0, Command(("a 1 0 50",)))
    state.play(0, Command())
    turn(state)
    assert show(state) == "1h . / . ." and kept(state, 1) == (100, 0)


def test_ten_lists_are_taken_in_a_round() -> None:  # RULES 5.11
    assert MOST_LISTS == 10
    state = table("1h . / . .", energy=500)
    for number in range(10):
        state.play(0, Command((f"a 1 0 {60 + number}",)))
    before = state.copy()
    with pytest.raises(IllegalAction) as refusal:
        state.play(0, Command())
    assert refusal.value.code == "too_many_lists" and state == before
    turn(state)
    assert kept(state, 1) == (500 - 69, 0)
    turn(state, "a 0 1 50")
    assert show(state) == "1h 1 / 1 ."


def test_ten_lists_are_taken_of_everybody() -> None:  # RULES 5.11
    state = table("1h . / . 2h")
    for _ in range(10):
        state.play(0, Command())
    state.play(1, Command(("a 1 0 50",)))
    turn(state)
    assert show(state) == "1h 2 / . 2h"


@both
def test_orders_are_for_one_round(ruleset: Ruleset) -> None:  # RULES 5.12
    state = table("1h . / . .", energy=200, ruleset=ruleset)
    turn(state, "a 1 0 50, b 9 9 e")
    turn(state)
    turn(state, "")
    assert kept(state, 1) == (150 + 2 * 13, 2 * 12) and not errors(state)


def a_room(seats: int = 1) -> Match[Command]:
    match = new_match(GAME, seats, options=house(width=2, height=2), eager=False)
    match.begin(0.0)
    return match


@pytest.mark.parametrize(
    "list_",
    [("u 0 0",) * (MOST_ORDERS + 1), ("u" * (MOST_LETTERS + 1),)],
    ids=["too long a list", "too long an order"],
)
def test_lists_beyond_the_limits_are_not_taken(list_: Sequence[str]) -> None:  # RULES 5.1, 7.1
    assert (MOST_ORDERS, MOST_LETTERS) == (1000, 100)
    match = a_room()
    match.answer(0, Command(("the first",)), 0.0)
    [notice] = refused(match.answer(0, msgspec.to_builtins(Command(tuple(list_))), 0.0))
    assert (notice.fault.kind, notice.cost) == ("unreadable", None)
    out = match.table(Close(), 0.0)
    [event] = [notice for notice in out.notices if isinstance(notice, Failed)]
    assert event.words == ("the first is a wrong command, cmd type the is invalid",)


def test_lists_within_the_limits_are_taken() -> None:  # RULES 5.1
    match = a_room()
    orders = ("x" * MOST_LETTERS,) * MOST_ORDERS
    assert not refused(match.answer(0, msgspec.to_builtins(Command(orders)), 0.0))
    out = match.table(Close(), 0.0)
    [event] = [notice for notice in out.notices if isinstance(notice, Failed)]
    assert event.words[-1] == f"... and {MOST_ORDERS - len(event.words) + 1} more errors"


def test_a_list_too_many_costs_nothing_at_the_referees_either() -> None:  # RULES 5.11, 7.1
    match = a_room(2)
    for _ in range(10):
        match.answer(0, Command(("a 9 9 9",)), 0.0)
    [notice] = refused(match.answer(0, Command(), 0.0))
    assert (notice.fault.kind, notice.fault.code, notice.cost) == ("illegal", "too_many_lists", None)
    [notice] = refused(match.answer(0, BadMessage("junk", "not even JSON"), 0.0))
    assert notice.cost is None
    out = match.table(Close(), 0.0)
    assert [event.words for event in out.to(0) if isinstance(event, Failed)] == [
        ("a 9 9 9 failed, Attack position is not in the map.",)
    ]


def test_a_fresh_game_is_played_by_its_own_texts_alone() -> None:  # RULES 5.1
    """From the first seat's first list to its first cell, with nothing set by hand."""
    state = fresh(1, width=5, height=5)
    home = state.view(None).building.index("h")
    y, x = divmod(home, 5)
    beside = (x + 1, y) if x < 4 else (x - 1, y)
    least = cost(state, *beside)
    while state.view(None).users[0].energy < least:
        turn(state, "")
    turn(state, f"a {beside[0]} {beside[1]} {least}")
    assert state.view(None).users[0].cells == 2 and field(state, *beside) == min(1000, 2 * least)
