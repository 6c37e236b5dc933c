"""Every match ends, whatever its players do. Contract 2 and 5."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import (
    Asked,
    IllegalAction,
    Leave,
    Result,
)
from tests.contract.draws import asked_seats, drawn, each_game, some
from tests.contract.walk import Walk, cases, junk

encode = msgspec.json.encode


@each_game
@some
@given(st.data())
def test_a_match_has_a_result_exactly_when_it_is_over_and_is_over_in_time(name: str, data: st.DataObject) -> None:
    case = data.draw(cases(name, rough=False))
    walk = Walk(case).begin()
    bound = case.subject.game.rules.bound(case.seats, walk.match.options)
    actions = 0
    while walk.match.end is None:
        assert walk.match.state.result() is None
        assert walk.match.state.asks()
        walk.step()
        actions += 1
        assert actions <= bound
    state = walk.match.state
    assert isinstance(walk.match.end, Result) and state.result() == walk.match.end
    assert not state.asks()
    for seat in range(case.seats):
        before = state.copy()
        with pytest.raises(IllegalAction):
            state.play(seat, data.draw(junk(case.subject.game.rules.actions[0])))
        assert state == before
        out = walk.match.answer(seat, data.draw(junk(case.subject.game.rules.actions[0])), 0.0)
        assert not out.lines
    assert not walk.match.table(Leave(0, "quit"), 0.0).lines


@each_game
@some
@given(st.data())
def test_all_may_leave_at_any_moment_and_the_match_ends(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name, rough=False)
    match = walk.match
    seats = data.draw(st.permutations(range(len(match.names))))
    leaving = seats[: data.draw(st.integers(0, len(seats)))]
    for seat in leaving:
        walk.take(match.table(Leave(seat, "quit"), 0.0))
    while match.end is None:
        waiting = None in match.state.asks() or not set(asked_seats(match.state)) <= set(leaving)
        assert waiting, "a seat that is gone is still waited for"
        walk.step()
        for out in walk.outs[-1:]:
            assert not any(isinstance(notice, Asked) and notice.seat in leaving for notice in out.notices)
    assert isinstance(match.end, Result)
