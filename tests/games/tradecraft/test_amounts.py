"""Amounts: every form that players may write, bounds, and round trips."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games.tradecraft.amounts import (
    FINEST,
    MOST,
    MOST_KINDS,
    SNAP,
    Amount,
    Written,
    read_amount,
    read_item,
    read_items,
    unwritten,
    write_amount,
    written,
)

amounts = st.fractions(min_value=Fraction(1, FINEST), max_value=MOST, max_denominator=FINEST)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (3, Fraction(3)),
        (2.0, Fraction(2)),
        (0.125, Fraction(1, 8)),
        (0.6666667, Fraction(2, 3)),
        (0.667, Fraction(667, 1000)),
        ("2/3", Fraction(2, 3)),
        ("4/6", Fraction(2, 3)),
        ("7", Fraction(7)),
        ([5, 3], Fraction(5, 3)),
        ((5, 3), Fraction(5, 3)),
        ({"n": 1, "d": 8}, Fraction(1, 8)),
        (MOST, Fraction(MOST)),
        ([1, FINEST], Fraction(1, FINEST)),
        (1 / SNAP, Fraction(1, SNAP)),
    ],
)
def test_every_form_of_an_amount_is_read(said: object, meant: Fraction) -> None:
    assert read_amount(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        True,
        False,
        None,
        0,
        -1,
        0.0,
        -0.5,
        float("nan"),
        float("inf"),
        -float("inf"),
        "",
        "0",
        "0/1",
        "1/0",
        "-1/2",
        "1/-2",
        "1.5",
        "1/2/3",
        " 1/2",
        "1/2\n",
        "½",
        "\u0661/\u0662",
        "many",
        [],
        [1],
        [1, 0],
        [0, 1],
        [-1, -2],
        [1, 2, 3],
        [1.0, 2],
        [True, 2],
        [1, True],
        {},
        {"n": 1},
        {"n": 1, "d": 0},
        {"n": True, "d": 1},
        {"n": 1, "d": 2, "x": 3},
        {"n": "1", "d": 2},
        b"1",
    ],
)
def test_what_is_no_amount_is_refused_in_words(said: object) -> None:
    with pytest.raises(ValueError, match="amount"):
        read_amount(said)


def test_amounts_beyond_all_bounds_are_refused_at_once_and_briefly() -> None:
    huge = 10**5000
    digits = "9" * 5000
    for said in (
        huge,
        -huge,
        [huge, 3],
        [1, huge],
        {"n": huge, "d": 1},
        digits,
        f"1/{digits}",
        1e300,
        1e-300,
        "a" * 9999,
    ):
        with pytest.raises(ValueError, match="amount") as refused:
            read_amount(said)
        assert len(str(refused.value)) < 200


def test_the_bounds_themselves() -> None:
    for said in (MOST + 1, [MOST * 2 + 1, 2], [1, FINEST + 1], 0.4 / SNAP):
        with pytest.raises(ValueError, match="amount"):
            read_amount(said)


@given(amounts)
def test_amounts_go_out_and_come_back(amount: Fraction) -> None:
    out = written({"stick": amount})
    assert unwritten(out) == {"stick": amount} and read_amount(out["stick"]) == amount
    assert msgspec.json.decode(msgspec.json.encode(out), type=Written) == out
    assert isinstance(out["stick"], int) == (amount.denominator == 1)


@given(st.integers(1, 300), st.integers(1, 300))
def test_a_float_that_is_near_enough_stands_for_its_fraction(n: int, d: int) -> None:
    assert read_amount(n / d) == Fraction(n, d)


def test_fractions_that_came_about_in_a_long_game_can_still_be_written() -> None:
    sum = Fraction(0)
    for denominator in range(FINEST - 500, FINEST):
        sum += Fraction(1, denominator)
    out = write_amount(sum)
    assert unwritten({"coal": out}) == {"coal": sum}
    msgspec.convert(out, Amount)


@pytest.mark.parametrize("junk", ["1", "0/2", "1/0", "01/2", "-1/2", "1/2\n", "x", 0.5, None])
def test_nothing_else_is_taken_for_a_written_amount(junk: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(junk, Amount)


def test_names_lose_their_prefix() -> None:
    assert read_item("minecraft:oak_planks") == read_item("oak_planks") == "oak_planks"
    assert read_item("#minecraft") == "#minecraft", "a tag can be read, though no item is called so"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "minecraft:",
        "Oak Planks",
        "oak-planks",
        "mod:oak",
        "minecraft:minecraft:oak",
        "a" * 65,
        "x\n",
        3,
        None,
        ["a"],
    ],
)
def test_what_is_no_name_is_refused_in_words(name: object) -> None:
    with pytest.raises(ValueError, match="is no item") as refused:
        read_item(name)
    assert len(str(refused.value)) < 200 and "\n" not in str(refused.value)


def test_items_are_read_together() -> None:
    assert read_items({"minecraft:coal": "1/8", "stick": 2}) == {"coal": Fraction(1, 8), "stick": Fraction(2)}
    assert read_items({}) == {}


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (["coal"], "a list is not an object"),
        ("coal", "'coal' is not an object"),
        (None, "None is not an object"),
        ({"coal": 1, "minecraft:coal": 2}, "coal is named twice"),
        ({"coal": 0}, "coal: an amount must be above 0"),
        ({"Coal": 1}, "'Coal' is no item"),
        ({f"item_{n}": 1 for n in range(MOST_KINDS + 1)}, f"there are {MOST_KINDS + 1} items"),
    ],
)
def test_items_that_cannot_be_read_say_which_part_is_wrong(said: object, words: str) -> None:
    with pytest.raises(ValueError, match="^" + words):
        read_items(said)
