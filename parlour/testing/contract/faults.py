"""Whatever is sent, the rules have an answer to it, and no seat can do more than it may."""

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from parlour.core import (
    Asked,
    BadMessage,
    Close,
    Dialect,
    Fault,
    IllegalAction,
    Join,
    Leave,
    Result,
    Stop,
)
from parlour.testing.contract.base import ContractTests
from parlour.testing.draws import a_walk, asked_seats, needs, seats_of, some
from parlour.testing.walk import junk

KINDS = ("unreadable", "illegal", "late", "gone", "unasked")
NO_ACTIONS = (None, 5, "text", b"bytes", object(), 1.5, {"type": "Nothing"}, Close(), Leave(0, "x"))


class FaultsContract(ContractTests):
    """Illegal actions, junk, silence, and what they cost."""

    @some
    def test_amends_are_none_or_leave_or_playable(self, data: st.DataObject) -> None:
        kind: Any = data.draw(st.sampled_from(KINDS))
        count = data.draw(st.integers(1, 8))
        state = a_walk(data, self.subject).match.state
        for seat in asked_seats(state):
            cost = state.amends(seat, [Fault(kind, "some_code")] * count)
            if isinstance(cost, Leave):
                assert cost.seat == seat, f"The price of a fault ({kind}) of seat {seat} makes seat {cost.seat} leave."
            elif cost is not None:
                self._check_playable(state, seat, cost, kind)

    def _check_playable(self, state: Any, seat: int, cost: Any, kind: str) -> None:
        try:
            state.copy().play(seat, cost)
        except IllegalAction as e:
            raise AssertionError(f"amends answers a fault ({kind}) of seat {seat} by {cost}: illegal, {e.words}") from e

    @some
    def test_silence_is_not_borne_for_ever(self, data: st.DataObject) -> None:
        """Unless the table closes the round."""
        kind: Any = data.draw(st.sampled_from(("late", "gone")))
        state = a_walk(data, self.subject).match.state
        if None not in state.asks():
            for seat in asked_seats(state):
                cost = state.amends(seat, [Fault(kind, kind)] * 1000)
                assert cost is not None, f"Seat {seat} may be {kind} 1000 times, and amends still asks again."

    @some
    def test_what_is_not_allowed_leaves_no_trace(self, data: st.DataObject) -> None:
        walk = a_walk(data, self.subject)
        state = walk.match.state
        action = data.draw(st.one_of([junk(kind) for kind in (*self.game.rules.actions, *self.game.rules.prices)]))
        by = data.draw(st.sampled_from(seats_of(walk.match)))
        before, asks = state.copy(), dict(state.asks())
        try:
            state.play(by, action)
        except IllegalAction as e:
            assert state == before, f"{action} of seat {by} is illegal ({e.words}), but changed the state."
            assert state.asks() == asks, f"{action} of seat {by} is illegal ({e.words}), but changed the asks."
            assert state.dice == before.dice, f"{action} of seat {by} is illegal ({e.words}), but drew dice."  # type: ignore[attr-defined]
            assert e.code and e.words and "\n" not in e.words, f"The refusal of {action} is not one line: {e.words!r}"
        else:
            assert by in asks, f"Seat {by} was not asked, but may play {action}."

    @some
    def test_the_referee_bears_any_answer_at_any_time(self, data: st.DataObject) -> None:
        walk = a_walk(data, self.subject)
        assume(walk.match.names)
        actions = [junk(kind) for kind in self.game.rules.actions]
        for _ in range(5):
            seat = data.draw(st.integers(0, len(walk.match.names) - 1))
            said = data.draw(st.one_of(*actions, st.sampled_from(NO_ACTIONS), st.just(BadMessage("junk", "junk"))))
            asked = seat in walk.match.open
            out = walk.take(walk.match.answer(seat, said, 0.0, data.draw(st.none() | st.integers(0, 99))))
            ended = walk.match.end
            assert ended is None or isinstance(ended, Result), f"{said} of seat {seat} made the match void: {ended}"
            if not asked:
                assert not out.lines or out.notices, f"{said} of seat {seat}, which was not asked, was recorded."

    @some
    def test_a_seat_can_play_neither_a_price_nor_for_the_table(self, data: st.DataObject) -> None:
        walk = a_walk(data, self.subject)
        asked = sorted(walk.match.open.keys() - walk.match.gone)
        assume(asked)
        forbidden = [Join("me", ""), Leave(0, "mean"), Close(), Stop()]
        for said in [*forbidden, *(data.draw(junk(price)) for price in self.game.rules.prices)]:
            seat = asked[0]
            if seat not in walk.match.open:
                break
            out = walk.match.answer(seat, said, 0.0)
            faults = [notice.fault for notice in out.notices if getattr(notice, "fault", None)]  # type: ignore[union-attr]
            assert faults and faults[0].kind in ("unreadable", "unasked"), f"Seat {seat} may send {said}."

    @needs(lambda subject: subject.game.hosting.dialects)
    @some
    def test_dialects_read_junk_as_bad_messages_only(self, data: st.DataObject) -> None:
        raw = data.draw(st.binary(max_size=60))
        match = a_walk(data, self.subject, rough=False).match
        for name, make in self.game.hosting.dialects.items():
            for seat, open in match.open.items():
                dialect = make()
                if dialect.auto(open.ask) is None:
                    dialect.asked(Asked(seat, open.n, open.ask, 1, None, None, None, None), match.state.view(seat))
                    self._check_reading(name, dialect, raw, open.n)

    def _check_reading(self, name: str, dialect: Dialect, raw: bytes, n: int) -> None:
        try:
            said = dialect.read(raw)
        except BadMessage as e:
            assert e.n in (None, n), f"The dialect {name!r} takes {raw!r} for an answer to ask {e.n}; only {n} is open."
        else:
            action = getattr(said, "action", None)
            legible = said is None or isinstance(action, self.game.rules.actions)
            assert legible, f"The dialect {name!r} reads {raw!r} as {said}, which is no action of a seat."
