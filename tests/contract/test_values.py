"""What leaves a state is frozen and crosses the wire, a copy is independent, nothing is lost. Contract 10 and 11."""

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import (
    Dice,
    Event,
    IllegalAction,
    Stop,
)
from tests.contract.draws import asked_seats, drawn, each_game, seats_of, some
from tests.contract.walk import Walk, cases

encode = msgspec.json.encode


@each_game
@some
@given(st.data())
def test_a_copy_is_equal_and_independent(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    state = walk.match.state
    twin, still = state.copy(), state.copy()
    assert twin == state
    dice = Dice(b"go on")
    for _ in range(5):
        if seats := asked_seats(twin):
            seat = dice.pick(seats)
            with suppress(IllegalAction):  # a list too many
                twin.play(seat, walk.match.game.hosting.bots["random"](twin.view(seat), twin.asks()[seat], dice))
    twin.dice.below(99)  # type: ignore[attr-defined]
    assert state == still and state.dice == still.dice  # type: ignore[attr-defined]


@each_game
@some
@given(st.data())
def test_views_and_events_are_frozen_and_cross_the_wire_unchanged(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    game = walk.match.game
    values: list[tuple[Any, Any]] = [(walk.match.state.view(who), game.rules.view) for who in seats_of(walk.match)]
    values += [(notice, type(notice)) for out in walk.outs for notice in out.notices if isinstance(notice, Event)]
    values += [(ask, type(ask)) for seat, ask in walk.match.state.asks().items() if seat is not None]
    for value, kind in values:
        assert kind in (game.rules.view, *game.rules.events, *game.rules.asks)
        raw = encode(value)
        assert msgspec.json.decode(raw, type=kind) == value
        assert not has_float(msgspec.json.decode(raw))
        with pytest.raises(AttributeError):
            setattr(value, value.__struct_fields__[0], None)
    names = [*walk.match.names, "late", "later"]
    for value, _ in values:
        if isinstance(value, Event):
            assert game.words.say(value, names)
    assert game.words.board(walk.match.state.view(None), walk.match.names).columns


def has_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_float, value.values()))
    if isinstance(value, list):
        return any(map(has_float, value))
    return isinstance(value, float)


@each_game
@some
@given(st.data())
def test_nothing_is_lost(name: str, data: st.DataObject) -> None:
    case = data.draw(cases(name))
    walk = Walk(case)
    treasure = case.subject.treasure
    had = treasure(walk.match.state)
    walk.begin()
    stop_at = data.draw(st.integers(0, 300))
    for number in range(300):
        if walk.match.end is not None:
            break
        if number == stop_at:
            walk.take(walk.match.table(Stop(), 0.0))
        else:
            walk.step()
        assert treasure(walk.match.state) == had
