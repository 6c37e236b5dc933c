"""Actions in words."""

import pytest

from parlour.core import Value
from parlour.core.values import in_words
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
    assert in_words(action) == words
