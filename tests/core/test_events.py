"""Every event class states who sees it."""

import msgspec
import pytest

from parlour.core import By, Event, Public


class Rolled(Public, frozen=True):
    seat: int
    number: int = 6


class Peeked(Event, frozen=True, omit_defaults=True):
    seat: int
    number: int | None = None

    def seen_by(self, who: By) -> "Peeked":
        return self if who == self.seat else Peeked(self.seat)


def test_an_event_class_that_does_not_say_who_sees_it_cannot_be_defined() -> None:
    with pytest.raises(TypeError, match="event class Silent: derive it from Public, or define seen_by"):

        class Silent(Event, frozen=True):
            seat: int


def test_a_public_event_is_seen_whole_by_everybody() -> None:
    rolled = Rolled(1, 4)
    assert all(rolled.seen_by(who) is rolled for who in (None, 0, 1))


def test_a_class_below_one_that_says_who_sees_it_need_not_say_it_again() -> None:
    class Closer(Peeked, frozen=True):
        pass

    assert Closer(1, 5).seen_by(0) == Peeked(1)


def test_the_base_class_adds_nothing_to_the_wire() -> None:
    assert msgspec.json.encode(Rolled(1, 4)) == b'{"type":"Rolled","seat":1,"number":4}'
    assert msgspec.json.decode(b'{"type":"Peeked","seat":1}', type=Rolled | Peeked) == Peeked(1)
