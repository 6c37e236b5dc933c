"""The exact error messages of orders, and that errors cost nothing."""

import pytest

from parlour.core import BadMessage, Close, Fault
from parlour.games.colorfight import GAME
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Command, Failed, Odd, Order, Ruleset, Turned
from tests.games.colorfight.tables import both, errors, house, kept, show, table, turn
from tests.referee.hand import inside, new_match, refused


def somewhere(ruleset: Ruleset) -> State:
    """With a well at the highest allowed level, a mine, an empty cell, a rival at level 4, and free cells."""
    return table("1h2 1e2 1 / 1g 2h4 . / . 2 .", energy=100, gold=90, ruleset=ruleset)


# 7.2 The words


@both
@pytest.mark.parametrize(
    ("order", "line"),
    [
        (Odd("None"), "None is not a command"),
        (Odd("True"), "True is not a command"),
        (Odd("5"), "5 is not a command"),
        (Odd("1.5"), "1.5 is not a command"),
        (Odd("['a']"), "['a'] is not a command"),
        (Odd("{'a': 1}"), "{'a': 1} is not a command"),
        ("", " is not a command"),
        ("   ", "    is not a command"),
        ("\t\n", "\t\n is not a command"),
        ("A 1 0 60", "A 1 0 60 is a wrong command, cmd type A is invalid"),
        ("B 2 0 e", "B 2 0 e is a wrong command, cmd type B is invalid"),
        ("U 0 0", "U 0 0 is a wrong command, cmd type U is invalid"),
        ("attack 1 0 60", "attack 1 0 60 is a wrong command, cmd type attack is invalid"),
        ("a1 0 60", "a1 0 60 is a wrong command, cmd type a1 is invalid"),
        ("7", "7 is a wrong command, cmd type 7 is invalid"),
        ("ä 1 2 3", "ä 1 2 3 is a wrong command, cmd type ä is invalid"),
        ("a", "a is a wrong command, list index out of range"),
        ("a 1", "a 1 is a wrong command, list index out of range"),
        ("a 1 0", "a 1 0 is a wrong command, list index out of range"),
        ("b", "b is a wrong command, list index out of range"),
        ("b 2", "b 2 is a wrong command, list index out of range"),
        ("b 2 0", "b 2 0 is a wrong command, list index out of range"),
        ("u", "u is a wrong command, list index out of range"),
        ("u 0", "u 0 is a wrong command, list index out of range"),
        ("a x 0 60", "a x 0 60 is a wrong command, invalid literal for int() with base 10: 'x'"),
        ("a 1 1.5 60", "a 1 1.5 60 is a wrong command, invalid literal for int() with base 10: '1.5'"),
        ("a 1 0 1e3", "a 1 0 1e3 is a wrong command, invalid literal for int() with base 10: '1e3'"),
        ("a 1 0 0x3c", "a 1 0 0x3c is a wrong command, invalid literal for int() with base 10: '0x3c'"),
        ("a 1 0 60.0", "a 1 0 60.0 is a wrong command, invalid literal for int() with base 10: '60.0'"),
        ("a 1 0 6_0", "a 1 0 6_0 is a wrong command, invalid literal for int() with base 10: '6_0'"),
        ("a 1 0 ٦", "a 1 0 ٦ is a wrong command, invalid literal for int() with base 10: '٦'"),
        ("a 1 0 it's", "a 1 0 it's is a wrong command, invalid literal for int() with base 10: \"it's\""),
        ("b e 2 0", "b e 2 0 is a wrong command, invalid literal for int() with base 10: 'e'"),
        ("u home 0", "u home 0 is a wrong command, invalid literal for int() with base 10: 'home'"),
        ("a 3 0 60", "a 3 0 60 failed, Attack position is not in the map."),
        ("a 0 -1 60", "a 0 -1 60 failed, Attack position is not in the map."),
        ("a 2 1 49", "a 2 1 49 failed, The energy spent is less than attack cost."),
        ("a 2 1 101", "a 2 1 101 failed, Do not have enough energy to attack."),
        ("a 2 2 60", "a 2 2 60 failed, No valid surrounding cell to attack."),
        ("b 0 3 e", "b 0 3 e failed, Build position is not in the map."),
        ("b 2 1 e", "b 2 1 e failed, You need to build on your own cell."),
        ("b 1 2 g", "b 1 2 g failed, You need to build on your own cell."),
        ("b 0 1 g", "b 0 1 g failed, There is a building on this cell already."),
        ("b 0 0 e", "b 0 0 e failed, There is a building on this cell already."),
        ("b 2 0 h", "b 2 0 h failed, Not a correct building."),
        ("b 2 0 f", "b 2 0 f failed, Not a correct building."),
        ("b 2 0 e", "b 2 0 e failed, Not enough gold."),
        ("u 3 3", "u 3 3 failed, Upgrade position is not in the map."),
        ("u 1 1", "u 1 1 failed, You need to upgrade on your own cell."),
        ("u 2 1", "u 2 1 failed, You need to upgrade on your own cell."),
        ("u 2 0", "u 2 0 failed, You can not upgrade empty cell."),
        ("u 1 0", "u 1 0 failed, You need to upgrade home first."),
        ("u 0 0", "u 0 0 failed, Not enough energy."),
        ("  a  9 9   1 then", "  a  9 9   1 then failed, Attack position is not in the map."),
    ],
    ids=ascii,
)
def test_each_mistake_has_its_words(ruleset: Ruleset, order: Order, line: str) -> None:  # RULES 7.2
    state = somewhere(ruleset)
    before = show(state)
    turn(state, [order])
    assert errors(state) == [line]
    assert show(state) == before and kept(state, 1) == (100, 90)


@both
def test_the_words_for_the_highest_level_and_for_gold(ruleset: Ruleset) -> None:  # RULES 7.2
    state = table("1h4 1e4 1e3 / . . .", energy=9999, gold=799, ruleset=ruleset)
    turn(state, "u 0 0, u 1 0, u 2 0")
    assert errors(state) == [
        "u 0 0 failed, Level is already at maximum.",
        "u 1 0 failed, Level is already at maximum.",
        "u 2 0 failed, Not enough gold.",
    ]


def test_wells_and_mines_need_energy_in_seed_alone() -> None:  # RULES 5.5, 7.2
    seed, classic = (table("1h2 1g / . .", energy=199, gold=200, ruleset=each) for each in ("seed", "classic"))
    turn(seed, "u 1 0")
    turn(classic, "u 1 0")
    assert errors(seed) == ["u 1 0 failed, Not enough energy."] and not errors(classic)


@both
@pytest.mark.parametrize(
    ("order", "wrong"),
    [("a p q r", "p"), ("a 1 q r", "q"), ("a 1 0 r", "r"), ("a p", "p"), ("a 1 q", "q"), ("b p", "p"), ("u p", "p")],
)
def test_words_are_read_from_the_left(ruleset: Ruleset, order: str, wrong: str) -> None:  # RULES 7.2
    state = somewhere(ruleset)
    turn(state, order)
    assert errors(state) == [f"{order} is a wrong command, invalid literal for int() with base 10: {wrong!r}"]


# 7.3 Their order


@both
def test_mistakes_are_told_in_the_order_of_the_list(ruleset: Ruleset) -> None:  # RULES 7.3
    state = somewhere(ruleset)
    orders: list[Order] = ["a 9 0 1", "u 9 0", "b 9 0 e", "huh", "a 0 9 1", "b 0 9 e", Odd("None"), "u 0 9", "a 9 9 1"]
    turn(state, orders)
    assert [line.split(" ")[0] for line in errors(state)] == ["a", "u", "b", "huh", "a", "b", "None", "u", "a"]
    assert errors(state)[4] == "a 0 9 1 failed, Attack position is not in the map."


@both
def test_the_same_mistake_is_told_each_time(ruleset: Ruleset) -> None:  # RULES 7.3
    state = somewhere(ruleset)
    turn(state, ["b 2 0 e"] * 3)
    assert errors(state) == ["b 2 0 e failed, Not enough gold."] * 3


@both
def test_only_the_last_rounds_mistakes_are_told(ruleset: Ruleset) -> None:  # RULES 7.3
    state = somewhere(ruleset)
    turn(state, "huh")
    turn(state, "u 9 9")
    assert errors(state) == ["u 9 9 failed, Upgrade position is not in the map."]
    turn(state)
    assert errors(state) == []


@both
def test_everybody_has_mistakes_of_their_own(ruleset: Ruleset) -> None:  # RULES 7.3, 9.1
    state = somewhere(ruleset)
    events = turn(state, "huh", "u 9 9, b 1 1 e")
    assert errors(state, 1) == ["huh is a wrong command, cmd type huh is invalid"] and len(errors(state, 2)) == 2
    told = [event for event in events if isinstance(event, Failed)]
    assert [(event.seat, list(event.words)) for event in told] == [(0, errors(state, 1)), (1, errors(state, 2))]
    assert [type(event) for event in events] == [Failed, Failed, Turned]


@both
def test_nothing_is_told_where_nothing_is_wrong(ruleset: Ruleset) -> None:  # RULES 7.3
    events = turn(somewhere(ruleset), "a 2 1 50", "")
    assert [type(event) for event in events] == [Turned]


# 7.1 Nothing costs anything


@both
def test_the_rest_of_the_list_goes_on(ruleset: Ruleset) -> None:  # RULES 7.1
    state = table("1h2 1e 1 / . . .", energy=300, gold=300, ruleset=ruleset)
    turn(state, ["?", "b 2 0 g", "b 2 0", "u 1 0", Odd("None"), "u 7 7", "a 0 1 50", "a 0 1 6_0", "a 1 1 50"])
    assert show(state) == "1h2 1e2 1g / 1 1 ." and len(errors(state)) == 5
    assert kept(state, 1) == ({"seed": 0, "classic": 200}[ruleset], 0)


@both
def test_what_fails_leaves_its_price_for_what_comes_after(ruleset: Ruleset) -> None:  # RULES 7.1
    state = table("1h . / . .", energy=50, gold=99, ruleset=ruleset)
    turn(state, "u 0 0, b 0 0 e, a 1 1 50, a 1 0 49, a 1 0 50")
    assert show(state) == "1h 1 / . ." and kept(state, 1) == (0, 99) and len(errors(state)) == 4


@both
def test_another_players_mistakes_change_nothing(ruleset: Ruleset) -> None:  # RULES 7.1
    one, other = (table("1h . / . 2h", ruleset=ruleset) for _ in range(2))
    turn(one, "a 1 0 50", "a 0 0 50, a 1 0 49, b 0 0 e, u 0 0, huh")
    turn(other, "a 1 0 50", None)
    assert one.view(None) == other.view(None) and len(errors(one, 2)) == 5


@pytest.mark.parametrize("kind", ["unreadable", "illegal", "late", "unasked"])
@pytest.mark.parametrize("often", [1, 50])
def test_no_fault_has_a_price(kind: str, often: int) -> None:  # RULES 7.1
    faults = [Fault(kind, "code")] * often  # type: ignore[arg-type]  # one of the four
    assert table("1h . / . .").amends(0, faults) is None  # type: ignore[func-returns-value]  # which is the point


def test_noise_leaves_the_list_that_was_sent_before() -> None:  # RULES 7.1
    match = new_match(GAME, 2, options=house(width=3, height=3), eager=False)
    match.begin(0.0)
    match.answer(0, Command(("u 9 9",)), 0.0)
    for said in (BadMessage("junk", "not even JSON"), {"type": "Nothing"}, 5, None, {"type": "Command", "orders": 5}):
        [notice] = refused(match.answer(0, said, 0.0))
        assert notice.fault.kind == "unreadable" and notice.cost is None
    match.table(Close(), 0.0)
    assert errors(inside(match)) == ["u 9 9 failed, Upgrade position is not in the map."]
    assert 0 not in match.gone and sorted(match.open) == [0, 1]


def test_silence_is_an_empty_list() -> None:  # RULES 7.1
    one, other = (table("1h . / . 2h") for _ in range(2))
    turn(one, "", "")
    turn(other)
    assert one == other
