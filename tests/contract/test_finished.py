"""Games that say when a seat has finished: from then on, the match goes on to its end without that seat."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.subjects import SUBJECTS
from tests.contract.walk import Walk, cases

NAMED = sorted(name for name, subject in SUBJECTS.items() if subject.game.rules.finished is not None)


@pytest.mark.parametrize("name", NAMED)
@settings(max_examples=15)
@given(st.data())
def test_a_seat_that_has_finished_is_asked_for_no_more_decisions(name: str, data: st.DataObject) -> None:
    walk = Walk(data.draw(cases(name, rough=False))).begin()
    match = walk.match
    finished: set[int] = set()
    while match.end is None:
        now = {seat for seat in range(len(match.names)) if match.has_finished(seat)}
        assert finished <= now | match.gone.keys(), "it stays so"
        finished = now
        for seat in now & match.open.keys():
            assert match.open[seat].ask.default is not None
        walk.step()
    assert not any(map(match.has_finished, range(len(match.names)))), "after the end, nobody can disconnect from it"


def test_games_that_say_so() -> None:
    assert {"forsale", "maze", "tradecraft"} <= {SUBJECTS[name].game.name for name in NAMED}
