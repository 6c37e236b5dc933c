"""The bots: whatever happens they play on, and the better ones get to their targets."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.core import Refused, Result
from parlour.games.tradecraft import GAME
from parlour.players.load import load
from parlour.players.play import Terms, play
from parlour.referee.match import Match, Out


def played(bots: list[str], seed: str, **options: Any) -> tuple[Result, list[Out]]:
    outs: list[Out] = []

    def watch(match: Match[Any], out: Out) -> None:
        outs.append(out)

    terms = Terms(game=GAME, options=GAME.options(**options))
    end = play(terms, [load(GAME, bot) for bot in bots], seed.encode(), watch).end
    assert isinstance(end, Result)
    return end, outs


@settings(max_examples=8)
@given(st.lists(st.sampled_from(sorted(GAME.bots)), min_size=2, max_size=4), st.text("abc", min_size=1, max_size=3))
def test_no_bot_is_ever_refused(bots: list[str], seed: str) -> None:
    _, outs = played(bots, seed)
    assert not any(isinstance(notice, Refused) for out in outs for notice in out.notices)


@pytest.mark.parametrize("bot", ["planner", "negotiator"])
def test_two_who_plan_mostly_get_there(bot: str) -> None:
    wins = sum(max(played([bot, bot], f"game {n}")[0].scores) > 0 for n in range(12))
    assert wins >= 8


@pytest.mark.parametrize("bot", ["planner", "negotiator"])
def test_who_plans_beats_who_does_not(bot: str) -> None:
    own = other = 0
    for n in range(12):
        seats = [bot, "random"] if n % 2 else ["random", bot]
        scores = played(seats, f"game {n}")[0].scores
        own, other = own + scores[seats.index(bot)], other + scores[1 - seats.index(bot)]
    assert own > 2 * other
