"""Actions in words, and names."""

import msgspec
import pytest

from parlour.core import Value
from parlour.core.values import Name, action_words, why_not_a_name
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
