"""Values of a state are frozen and cross the wire, a copy is independent, nothing is lost."""

from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import strategies as st
from msgspec.json import decode, encode

from parlour.core import Dice, Event, IllegalAction, Stop
from parlour.testing.contract.base import ContractTests
from parlour.testing.draws import a_walk, asked_seats, few, seats_of, some
from parlour.testing.walk import Case, Walk, cases


class ValuesContract(ContractTests):
    """States, views, events and asks as values, and the counting test."""

    def test_a_state_has_its_dice(self) -> None:
        """In an attribute of that name, so that tests can compare and replace them."""
        state = Case(self.subject, self.subject.seats[0], self.subject.options[0], b"dice", 0, False).match().state
        dice = getattr(state, "dice", None)
        assert isinstance(dice, Dice), f"The attribute `dice` of a state must be its Dice. It is {dice!r}."

    @some
    def test_a_copy_is_equal_and_independent(self, data: st.DataObject) -> None:
        state: Any = a_walk(data, self.subject).match.state
        twin, still = state.copy(), deepcopy(state)
        assert twin == state, "A copy of the state is not equal to it."
        dice = Dice(b"go on")
        for _ in range(5):
            if seats := asked_seats(twin):
                seat = dice.pick(seats)
                with suppress(IllegalAction):  # one replaced answer too many
                    twin.play(seat, self.game.hosting.bots["random"](twin.view(seat), twin.asks()[seat], dice))
        twin.dice.below(99)
        assert state == still, "Playing on in a copy changes the state that was copied."
        assert state.dice == still.dice, "Dice drawn in a copy are drawn in the state that was copied, too."

    @some
    def test_views_events_and_asks_are_frozen_and_cross_the_wire_unchanged(self, data: st.DataObject) -> None:
        walk = a_walk(data, self.subject)
        values: list[Any] = [walk.match.state.view(who) for who in seats_of(walk.match)]
        values += [notice for out in walk.outs for notice in out.notices if isinstance(notice, Event)]
        values += [ask for seat, ask in walk.match.state.asks().items() if seat is not None]
        rules = self.game.rules
        for value in values:
            kind = type(value)
            declared = kind in (rules.view, *rules.events, *rules.asks)
            assert declared, f"{kind.__name__} is in none of rules.view, rules.events and rules.asks."
            raw = encode(value)
            assert decode(raw, type=kind) == value, f"{value} is read as {decode(raw, type=kind)} after a way as JSON."
            assert not has_float(decode(raw)), f"There is a float in {value}. Use integers and fractions."
            with pytest.raises(AttributeError):
                setattr(value, value.__struct_fields__[0], None)

    @few
    def test_nothing_is_lost(self, data: st.DataObject) -> None:
        """Not by actions, prices, joins, departures or closed rounds, nor when the match is stopped."""
        treasure = self.subject.treasure
        if treasure is None:
            pytest.skip("The subject names no treasure, so nothing is counted.")
        walk = Walk(data.draw(cases(self.subject)))
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
            has = treasure(walk.match.state)
            assert has == had, f"The treasure was {had!r} at the start, and is {has!r} after {walk.lines[-1].decode()}"


def has_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_float, value.values()))
    if isinstance(value, list):
        return any(map(has_float, value))
    return isinstance(value, float)
