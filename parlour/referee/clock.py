"""When an ask is late. The rules know nothing of it; the referee only asks."""

from typing import Any, Protocol

from parlour.core import Ask, By, Seat
from parlour.referee.transcript import Limits


class Clock(Protocol):
    """Deadlines by ask, and a bank by seat."""

    def limit(self, by: By, ask: Ask[Any]) -> int | None:
        """Milliseconds this ask may stay open without touching the bank; None: for ever."""

    def bank(self, seat: Seat) -> int:
        """Milliseconds the seat may still overdraw."""

    def took(self, seat: Seat, ask: Ask[Any], ms: int) -> int:
        """Charge a reply that took so long; returns what to record, from which a replay charges again."""


class StillClock:
    """Time does not pass, so that equal seeds give equal bytes."""

    def limit(self, by: By, ask: Ask[Any]) -> int | None:
        return None

    def bank(self, seat: Seat) -> int:
        return 0

    def took(self, seat: Seat, ask: Ask[Any], ms: int) -> int:
        return 0


class LimitClock:
    """The same limit for every ask; what a reply takes beyond it comes out of the seat's bank."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._spent: dict[Seat, int] = {}

    def limit(self, by: By, ask: Ask[Any]) -> int | None:
        return self._limits.limit_ms

    def bank(self, seat: Seat) -> int:
        return max(0, self._limits.bank_ms - self._spent.get(seat, 0))

    def took(self, seat: Seat, ask: Ask[Any], ms: int) -> int:
        over = ms - self._limits.limit_ms
        if over > 0:
            self._spent[seat] = self._spent.get(seat, 0) + over
        return ms


def clock_for(limits: Limits | None) -> Clock:
    return StillClock() if limits is None else LimitClock(limits)
