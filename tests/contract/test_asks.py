"""Seats that are asked together do not disturb each other. Contract 6 and 7."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import (
    Asked,
    Dice,
    Took,
)
from tests.contract.draws import asked_seats, awaited_seats, drawn, each_game, onward, some
from tests.contract.subjects import SUBJECTS

encode = msgspec.json.encode

each_game_of_many = pytest.mark.parametrize("name", sorted(name for name, it in SUBJECTS.items() if it.together))
each_game_of_one = pytest.mark.parametrize("name", sorted(name for name, it in SUBJECTS.items() if not it.together))


@each_game_of_many
@some
@given(st.data())
def test_the_order_of_arrival_does_not_matter(name: str, data: st.DataObject) -> None:
    walk = onward(drawn(data, name, rough=False), lambda match: len(awaited_seats(match.state)) > 1)
    state, seats = walk.match.state, awaited_seats(walk.match.state)
    dice = Dice(b"answers")
    bot = SUBJECTS[name].game.hosting.bots["random"]
    answers = {seat: bot(state.view(seat), state.asks()[seat], dice) for seat in seats}
    finals = []
    for order in (seats, data.draw(st.permutations(seats))):
        twin = state.copy()
        for seat in order:
            if seat != order[-1]:
                assert twin.dice == state.dice  # type: ignore[attr-defined]
            twin.play(seat, answers[seat])
        finals.append(twin)
    assert finals[0] == finals[1]


@each_game_of_one
@some
@given(st.data())
def test_who_decides_alone_is_asked_alone(name: str, data: st.DataObject) -> None:
    assert len(asked_seats(drawn(data, name).match.state)) <= 1


@each_game
@some
@given(st.data())
def test_an_open_ask_does_not_change_under_its_seat(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    for _ in range(10):
        if walk.match.end is not None:
            break
        before = {seat: (encode(open.ask), open.n) for seat, open in walk.match.open.items()}
        spans = {seat: (open.ask.span, open.ask.waits) for seat, open in walk.match.open.items()}
        walk.step()
        asked = {notice.seat for out in walk.outs[-1:] for notice in out.notices if isinstance(notice, Asked)}
        took = {notice.seat for out in walk.outs[-1:] for notice in out.notices if isinstance(notice, Took)}
        for seat, open in walk.match.open.items():
            if seat in before and seat not in asked | took | set(walk.match.gone):
                assert (encode(open.ask), open.n) == before[seat]
            if seat in spans and open.ask.span is not None and open.ask.span == spans[seat][0]:
                assert not open.ask.waits or spans[seat][1]
