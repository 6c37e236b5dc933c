"""Run a contract test for many drawn cases, and walk to the positions that it needs."""

from collections.abc import Callable
from typing import Any, TypeAlias

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from parlour.core import By
from parlour.referee.match import Match
from parlour.testing.subject import Subject
from parlour.testing.walk import Walk, cases, walked

Test: TypeAlias = Callable[[Any], None]
"""A test method."""
DrawnTest: TypeAlias = Callable[[Any, st.DataObject], None]
"""A test method that draws its case."""

SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much)
"""Whole matches are played for one example, and not every match has the moment that a test needs."""


NO_MOMENT = (
    "No match that was drawn had a moment for this test to look at. Either the subject has too few seats or too short "
    "options, or the game never does what its asks or the subject announce."
)


def drawn(percent: int) -> Callable[[DrawnTest], Test]:
    """Run a test for this share of the examples that the hypothesis profile in force asks for.

    The hypothesis test is made when the test runs. So the profile may be chosen on the command line, and each class
    that inherits the test has one of its own.
    """

    def decorate(test: DrawnTest) -> Test:
        def run(self: Any) -> None:
            __tracebackhide__ = True

            def one(data: st.DataObject) -> None:
                test(self, data)

            one.__name__ = one.__qualname__ = f"{type(self).__name__}_{test.__name__}"
            try:
                given(st.data())(_settings(percent)(one))()
            except Unsatisfiable as e:
                raise AssertionError(NO_MOMENT) from e

        return _named_like(test, run)

    return decorate


def _settings(percent: int) -> settings:
    """The profile in force, with a share of its examples and without a deadline."""
    usual = settings.default
    assert usual is not None
    return settings(
        max_examples=max(1, usual.max_examples * percent // 100),
        deadline=None,
        suppress_health_check=[*usual.suppress_health_check, *SLOW],
    )


some = drawn(40)
"""For tests of single positions."""
few = drawn(20)
"""For tests that play whole matches."""


NEEDS: dict[str, Callable[[Subject], object]] = {}
"""By the name of a test: whether a game has what the test is about. Other games do not inherit it."""


def needs(holds: Callable[[Subject], object]) -> Callable[[Test], Test]:
    """Leave a test out for games that do not have what it is about."""

    def decorate(test: Test) -> Test:
        NEEDS[test.__name__] = holds
        return test

    return decorate


def _named_like(test: Callable[..., None], run: Test) -> Test:
    """With the name and words of the test, but not its arguments, which pytest would take for fixtures."""
    run.__name__, run.__qualname__, run.__doc__ = test.__name__, test.__qualname__, test.__doc__
    run.__module__ = test.__module__
    return run


def a_walk(data: st.DataObject, subject: Subject, rough: bool | None = None) -> Walk:
    """A match of the game, played to a drawn depth."""
    return walked(data.draw(cases(subject, rough)))


def onward(walk: Walk, holds: Callable[[Match[Any]], bool]) -> Walk:
    """Play on to a moment at which it holds, if there still is one."""
    while walk.match.end is None and not holds(walk.match):
        walk.step()
    assume(walk.match.end is None)
    return walk


def seats_of(match: Match[Any]) -> list[By]:
    """The spectator and all seats."""
    return [None, *range(len(match.names))]


def asked_seats(state: Any) -> list[int]:
    return sorted(seat for seat in state.asks() if seat is not None)


def awaited_seats(state: Any) -> list[int]:
    return [seat for seat in asked_seats(state) if state.asks()[seat].waits]
