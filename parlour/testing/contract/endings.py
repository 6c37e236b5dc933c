"""Every match ends, whatever its players do."""

import pytest
from hypothesis import strategies as st

from parlour.core import Asked, IllegalAction, Leave, Result
from parlour.testing.contract.base import ContractTests
from parlour.testing.draws import a_walk, asked_seats, few, needs
from parlour.testing.walk import Walk, cases, junk


class EndingsContract(ContractTests):
    """Results, bounds and departures."""

    @few
    def test_a_match_has_a_result_exactly_when_it_is_over_and_is_over_in_time(self, data: st.DataObject) -> None:
        case = data.draw(cases(self.subject, rough=False))
        walk = Walk(case).begin()
        bound = self.game.rules.bound(case.seats, walk.match.options)
        actions = 0
        while walk.match.end is None:
            assert walk.match.state.result() is None, "The state has a result although the match goes on."
            assert walk.match.state.asks(), "The match is not over, but nobody is asked, and no round is open."
            walk.step()
            actions += 1
            assert actions <= bound, f"The match is not over after {bound} actions, which is what rules.bound promises."
        self._check_that_it_stays_over(data, walk)

    def _check_that_it_stays_over(self, data: st.DataObject, walk: Walk) -> None:
        state, match = walk.match.state, walk.match
        assert isinstance(match.end, Result), f"The referee had to call the match off: {match.end}"
        assert state.result() == match.end, "The result changed after the match was over."
        assert not state.asks(), "The match is over, but seats are still asked."
        for seat in range(walk.case.seats):
            before = state.copy()
            action = data.draw(junk(self.game.rules.actions[0]))
            with pytest.raises(IllegalAction):
                state.play(seat, action)
            assert state == before, f"{action}, refused after the end, changed the state."
            assert not match.answer(seat, action, 0.0).lines, "An answer after the end left a line in the transcript."
        assert not match.table(Leave(0, "quit"), 0.0).lines, "A departure after the end left a line in the transcript."

    @few
    def test_all_may_leave_at_any_moment_and_the_match_ends(self, data: st.DataObject) -> None:
        walk = a_walk(data, self.subject, rough=False)
        match = walk.match
        seats = data.draw(st.permutations(range(len(match.names))))
        leaving = seats[: data.draw(st.integers(0, len(seats)))]
        for seat in leaving:
            walk.take(match.table(Leave(seat, "quit"), 0.0))
        while match.end is None:
            waiting = None in match.state.asks() or not set(asked_seats(match.state)) <= set(leaving)
            assert waiting, "The match waits for seats that have left: amends with the fault GONE must answer for them."
            walk.step()
            asked = {notice.seat for out in walk.outs[-1:] for notice in out.notices if isinstance(notice, Asked)}
            assert not asked & set(leaving), f"Seats {asked & set(leaving)} are asked although they have left."
        assert isinstance(match.end, Result), (
            f"Seats {leaving} left, and the referee had to call the match off: {match.end}. For a seat that has left, "
            "amends with the fault GONE must give a legal action."
        )

    @needs(lambda subject: subject.game.rules.finished)
    @few
    def test_a_seat_that_has_finished_is_asked_for_no_more_decisions(self, data: st.DataObject) -> None:
        match = (walk := Walk(data.draw(cases(self.subject, rough=False))).begin()).match
        finished: set[int] = set()
        while match.end is None:
            now = {seat for seat in range(len(match.names)) if match.has_finished(seat)}
            again = finished - now - match.gone.keys()
            assert not again, f"Seats {again} had finished, and now rules.finished says that they have not."
            finished = now
            for seat in now & match.open.keys():
                ask = match.open[seat].ask
                assert ask.default is not None, f"Seat {seat} has finished, but has to decide {ask}."
            walk.step()
        after = [seat for seat in range(len(match.names)) if match.has_finished(seat)]
        assert not after, f"The match is over, and rules.finished is still true of seats {after}."
