"""Skeletons: names that look alike have a key in common, and others have none."""

import pytest

from parlour.games import game
from parlour.plugins import names
from parlour.server.reserved_names import why_refused
from parlour.store.name_skeletons import LONGEST_KEY, _alike, _prototypes, keys, skeleton


def are_alike(one: str, other: str) -> bool:
    return not {*keys(one)}.isdisjoint(keys(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("modern", "rnodern"),
        ("modern", "modem"),
        ("m", "rn"),
        ("Ella", "E1la"),
        ("Ella", "EIla"),
        ("l", "1"),
        ("l", "|"),
        ("1", "I"),
        ("0tto", "Otto"),
        ("ada", "Ada"),
        ("ada", "ADA"),
        ("Ian", "ian"),
        ("Ian", "lan"),
        ("ada", "\u0430d\u0430"),  # Cyrillic
        ("ada", "\u03b1d\u03b1"),  # Greek
        ("zoë", "zoe\u0308"),
        ("ada", "ad\u3164a"),  # a filler that is not shown
        ("ada", "a\ufe0fda"),
        ("ada", " ada  "),
        ("a b", "a\u00a0b"),
        ("\u043f\u0435\u0442\u0430", "\u043f\u0435\u0442a"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert one != other and are_alike(one, other) and are_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("ada", "ade"), ("ada", "àda"), ("anna", "ana"), ("李雷", "李雪"), ("nan", "man")],
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert not are_alike(one, other)


def test_every_pair_of_the_data_is_alike() -> None:
    """Where NFD leaves both as they are: what can be taken apart is compared in parts."""
    pairs = [(one, other) for one, others in _alike().items() for other in others if len(one) == 1]
    assert len(pairs) > 5000
    for one, other in pairs:
        if len(other) == 1 or other == _prototypes().get(one):
            assert are_alike(one, other), f"{one!r} {other!r}"


def test_letters_of_the_alphabet_are_all_different() -> None:
    """Except for l, I and 1, and for o, O and 0, no two of these characters look alike."""
    letters = "abcdefghijklmnopqrstuvwxyz23456789"
    assert len({skeleton(letter) for letter in letters}) == len(letters)


def test_a_key_fits_into_an_index() -> None:
    [long] = keys("ﷺ" * 64)
    [other] = keys("ﷺ" * 63)
    assert len(long.encode()) <= LONGEST_KEY and long != other


def test_the_names_of_all_bots_are_reserved_and_what_looks_like_them() -> None:
    for name in names():
        for bot in game(name).hosting.bots:
            for wanted in (bot, bot.upper(), bot.replace("m", "rn"), bot.replace("o", "\u043e")):
                assert why_refused(wanted) == f"the name is reserved: {bot} is a built-in bot", wanted
    assert why_refused("ada") is None
    assert why_refused("\u3164") == "a name must have a visible character"
