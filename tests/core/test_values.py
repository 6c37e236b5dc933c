"""Actions in words, and names."""

import unicodedata

import msgspec
import pytest

from parlour.core import Value
from parlour.core.values import Name, action_words, why_not_a_name, without_controls
from parlour.games.dominion.values import AnyDiscard, Discard
from parlour.games.forsale.values import Bid, Pass, SellAny
from parlour.games.maze.values import Move
from parlour.games.tradecraft.values import Propose


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Bid(5), "bid 5"),
        (Pass(), "pass"),
        (SellAny(), "sell any"),
        (AnyDiscard(), "any discard"),
        (Discard(("estate", "copper")), "discard estate, copper"),
        (Move(0, "LEFT", 90, 3, 4), "move 0 LEFT 90 3 4"),
        (Propose(1, {"iron_ingot": "1"}, {"stick": "2"}, "please"), "propose 1 1 iron_ingot 2 stick please"),
    ],
)
def test_an_action_reads_as_a_person_would_type_it(action: Value, words: str) -> None:
    assert action_words(action) == words


def test_words_for_others_have_neither_control_nor_direction_characters() -> None:
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    bad = [c for c in every if unicodedata.category(c) in ("Cc", "Zl", "Zp")]
    bad += [
        c for c in every if unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI")
    ]
    bad += ["\u2069", "\u200e", "\u200f", "\u061c"]
    for c in bad:
        assert without_controls(f"a{c}b") in ("ab", "a b"), ascii(c)
    assert without_controls("two\r\nlines\tand \x1b[2Ja \u202ewall") == "two lines and [2Ja wall"


@pytest.mark.parametrize("text", ["", "plain", "שלום عليكم 李", "a\u00a0b", "👩\u200d🚀", "\u06a9\u200c\u0647"])
def test_words_that_are_fine_stay_as_they_are(text: str) -> None:
    assert without_controls(text) == text


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "a name is text of 1 to 64 characters"),
        (7, "a name is text of 1 to 64 characters"),
        (None, "a name is text of 1 to 64 characters"),
        ("x" * 65, "a name has at most 64 characters, and this one has 65"),
        ("a\nb", "a name has printable characters only, and character 2 of this one is U+000A"),
        ("ab\u202e", "a name has printable characters only, and character 3 of this one is U+202E"),
    ],
)
def test_a_name_that_is_refused_is_told_why(name: object, why: str) -> None:
    assert why_not_a_name(name) == why
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(name, Name)


@pytest.mark.parametrize("name", ["Ada", "李", "a b", "x" * 64, "Zoë-3"])
def test_a_name_that_is_fine(name: str) -> None:
    assert why_not_a_name(name) is None and msgspec.convert(name, Name) == name
