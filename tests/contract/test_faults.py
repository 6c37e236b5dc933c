"""Whatever is sent, the rules have an answer to it, and no seat can do more than it may. Contract 3, 4 and 12."""

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from parlour.core import (
    Asked,
    BadMessage,
    Close,
    Fault,
    IllegalAction,
    Join,
    Leave,
    Result,
    Stop,
)
from tests.contract.draws import asked_seats, drawn, each_game, seats_of, some
from tests.contract.walk import junk

KINDS = ("unreadable", "illegal", "late", "gone", "unasked")


@each_game
@some
@given(st.data(), st.sampled_from(KINDS), st.integers(1, 8))
def test_amends_are_none_or_leave_or_playable(name: str, data: st.DataObject, kind: Any, count: int) -> None:
    state = drawn(data, name).match.state
    for seat in asked_seats(state):
        cost = state.amends(seat, [Fault(kind, "some_code")] * count)
        if isinstance(cost, Leave):
            assert cost.seat == seat
        elif cost is not None:
            state.copy().play(seat, cost)


@each_game
@some
@given(st.data(), st.sampled_from(("late", "gone")))
def test_silence_is_not_borne_for_ever(name: str, data: st.DataObject, kind: Any) -> None:
    state = drawn(data, name).match.state
    if None not in state.asks():
        for seat in asked_seats(state):
            assert state.amends(seat, [Fault(kind, kind)] * 1000) is not None


@each_game
@some
@given(st.data())
def test_what_is_not_allowed_leaves_no_trace(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    state, game = walk.match.state, walk.match.game
    action = data.draw(st.one_of([junk(kind) for kind in (*game.rules.actions, *game.rules.prices)]))
    by = data.draw(st.sampled_from(seats_of(walk.match)))
    before, asks = state.copy(), dict(state.asks())
    try:
        state.play(by, action)
    except IllegalAction as e:
        assert state == before and state.asks() == asks and state.dice == before.dice  # type: ignore[attr-defined]
        assert e.code and e.words and "\n" not in e.words
    else:
        assert by in asks


@each_game
@some
@given(st.data())
def test_the_referee_bears_any_answer_at_any_time(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    assume(walk.match.names)
    for _ in range(5):
        seat = data.draw(st.integers(0, len(walk.match.names) - 1))
        said = data.draw(
            st.one_of(
                *[junk(kind) for kind in walk.match.game.rules.actions],
                st.sampled_from(
                    [None, 5, "text", b"bytes", object(), 1.5, {"type": "Nothing"}, Close(), Leave(0, "x")]
                ),
                st.just(BadMessage("junk", "junk")),
            )
        )
        asked = seat in walk.match.open
        out = walk.take(walk.match.answer(seat, said, 0.0, data.draw(st.none() | st.integers(0, 99))))
        assert walk.match.end is None or isinstance(walk.match.end, Result)
        if not asked:
            assert not out.lines or out.notices


@each_game
@some
@given(st.data())
def test_a_seat_can_play_neither_a_price_nor_the_table(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    asked = sorted(walk.match.open.keys() - walk.match.gone)
    assume(asked)
    game = walk.match.game
    forbidden = [Join("me", ""), Leave(0, "mean"), Close(), Stop()]
    for said in [*forbidden, *(data.draw(junk(price)) for price in game.rules.prices)]:
        seat = asked[0]
        if seat not in walk.match.open:
            break
        out = walk.match.answer(seat, said, 0.0)
        refused = [notice for notice in out.notices if getattr(notice, "fault", None)]
        assert refused[0].fault.kind in ("unreadable", "unasked")  # type: ignore[union-attr]


@each_game
@some
@given(st.data(), st.binary(max_size=60))
def test_dialects_read_junk_as_bad_messages_only(name: str, data: st.DataObject, raw: bytes) -> None:
    walk = drawn(data, name, rough=False)
    game = walk.match.game
    for make in game.hosting.dialects.values():
        for seat, open in walk.match.open.items():
            dialect = make()
            if dialect.auto(open.ask) is not None:
                continue
            dialect.asked(Asked(seat, open.n, open.ask, 1, None, None, None, None), walk.match.state.view(seat))
            try:
                said = dialect.read(raw)
            except BadMessage as e:
                assert e.n in (None, open.n)
            else:
                assert said is None or isinstance(said.action, game.rules.actions)  # type: ignore[union-attr]
