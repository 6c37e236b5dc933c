"""Bots as they are about: what they need of us is there, and they come out as they always did."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from parlour.core import Answer, Asked, Dialect, Dice, Place
from parlour.games.dominion.cards import CARDS
from parlour.games.dominion.dialect import Lines, TextLines
from parlour.games.dominion.rules import State
from parlour.games.dominion.values import Options


class FirstAffordable:
    """Buys the first pile that its treasures can pay, in the order in which the supply is told; never anything else."""

    def __init__(self) -> None:
        self.supply: dict[str, int] = {}

    def hear(self, raw: bytes) -> dict[str, Any] | None:
        message = json.loads(raw)
        if message["type"] == "supply-info":
            self.supply = dict(message["cards"].items())
        if message["type"] != "play-turn":
            return None
        if not message["buys"]:
            return {"type": "play-reply", "phase": "cleanup"}
        coins = [card for card in message["hand"] if CARDS[card].kind == "treasure"]
        money = sum(CARDS[card].worth for card in coins)
        wanted = [card for card, left in self.supply.items() if left and CARDS[card].cost <= money]
        return {"type": "play-reply", "phase": "buy", "played_treasures": coins, "cards_to_buy": wanted[:1]}


def mirror(seed: bytes, dialect: Callable[[], Dialect] = Lines) -> State:
    """Two of them against each other, every message as bytes; the match as it ended."""
    state = State.new(2, Options(), None, Dice(seed))
    seats = [(dialect(), FirstAffordable()) for _ in range(2)]

    def tell(seat: int, messages: list[bytes]) -> dict[str, Any] | None:
        replies = [seats[seat][1].hear(raw) for raw in messages]
        return replies[-1] if replies else None

    for seat, (lines, _) in enumerate(seats):
        tell(seat, lines.began(Place("dominion", "m", seat, ("a", "b"), state.options, ""), state.view(seat)))
    while asks := state.asks():
        [(turn, ask)] = asks.items()
        assert turn is not None
        lines = seats[turn][0]
        reply = tell(turn, lines.asked(Asked(turn, 1, ask, 1, None, None, None, None), state.view(turn)))
        said = lines.read(json.dumps(reply).encode())
        assert isinstance(said, Answer)
        for event in state.play(turn, said.action):
            for seat, (other, _) in enumerate(seats):
                tell(seat, other.event(event.seen_by(seat) or event))
    return state


def test_the_first_affordable_pile_is_the_one_it_always_was() -> None:  # RULES 9.4
    """Known of such mirrors: 33 to 37 turns, 2 to 9 points, and copper, cellar and a third pile run out."""
    ends: Counter[tuple[str, ...]] = Counter()
    turns: list[int] = []
    scores: list[int] = []
    for number in range(40):
        state = mirror(b"%d" % number)
        result = state.result()
        assert result is not None
        turns.append(state.turns[0])
        scores += result.scores
        ends[tuple(sorted(card for card, left in state.supply.items() if not left))] += 1
    assert min(turns) >= 33 and max(turns) <= 37 and 34.2 < sum(turns) / len(turns) < 35.1
    assert min(scores) >= 1 and max(scores) <= 10 and 4.0 < sum(scores) / len(scores) < 5.2
    assert ends[("cellar", "copper", "smithy")] >= 34
    assert set(ends) <= {("cellar", "copper", "smithy"), ("cellar", "copper", "estate")}


def test_it_cannot_read_the_supply_as_a_list() -> None:
    """Which is why the list goes only to those who ask for it."""
    with pytest.raises(AttributeError):
        mirror(b"list", TextLines)
