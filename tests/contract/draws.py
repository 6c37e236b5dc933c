"""What the contract tests draw: games, and positions of their matches."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st

from parlour.core import By
from parlour.referee.match import Match
from tests.contract.subjects import SUBJECTS
from tests.contract.walk import Walk, cases, walked

each_game = pytest.mark.parametrize("name", sorted(SUBJECTS))
some = settings(max_examples=40)
few = settings(max_examples=15)


def drawn(data: st.DataObject, name: str, rough: bool | None = None) -> Walk:
    return walked(data.draw(cases(name, rough)))


def onward(walk: Walk, holds: Callable[[Match[Any]], bool]) -> Walk:
    """On to a moment at which it holds, if there is still one."""
    while walk.match.end is None and not holds(walk.match):
        walk.step()
    assume(walk.match.end is None)
    return walk


def seats_of(match: Match[Any]) -> list[By]:
    return [None, *range(len(match.names))]


def asked_seats(state: Any) -> list[int]:
    return sorted(seat for seat in state.asks() if seat is not None)


def awaited_seats(state: Any) -> list[int]:
    return [seat for seat in asked_seats(state) if state.asks()[seat].waits]
