"""Time limits of asks. The rules know nothing about them."""

from collections.abc import Sequence
from typing import Any, Protocol

from parlour.core import Ask, By, Seat
from parlour.referee.transcript import Header, Limits, SeatBrief


class Clock(Protocol):
    """A limit for each ask, and a bank of extra time for each seat."""

    def limit(self, by: By, ask: Ask[Any]) -> int | None:
        """Milliseconds that this ask may stay open without using the bank; None: no limit."""

    def bank(self, seat: Seat, ask: Ask[Any]) -> int:
        """Milliseconds of the bank that the seat may use for this ask."""

    def took(self, seat: Seat, ask: Ask[Any], ms: int, late: bool) -> int:
        """Charge the seat for a reply or a timeout. Returns the time to record, which a replay charges again."""


class StillClock:
    """No time passes, so equal seeds give equal transcripts."""

    def limit(self, by: By, ask: Ask[Any]) -> int | None:
        return None

    def bank(self, seat: Seat, ask: Ask[Any]) -> int:
        return 0

    def took(self, seat: Seat, ask: Ask[Any], ms: int, late: bool) -> int:
        return 0


class LimitClock:
    """The same limit for every ask except brief ones. Time beyond the limit is taken from the seat's bank."""

    def __init__(self, limits: Limits, briefs: Sequence[SeatBrief] = ()) -> None:
        self._limits = limits
        self._briefs: dict[tuple[By, str], SeatBrief] = {(brief.seat, brief.ask): brief for brief in briefs}
        self._silent: set[SeatBrief] = set()
        """Briefs whose ask has timed out once."""
        self._spent: dict[Seat, int] = {}

    def limit(self, by: By, ask: Ask[Any]) -> int | None:
        brief = self._brief(by, ask)
        if brief is None:
            return self._limits.limit_ms
        return min(self._limits.limit_ms, brief.again_ms if brief in self._silent else brief.limit_ms)

    def bank(self, seat: Seat, ask: Ask[Any]) -> int:
        if self._brief(seat, ask) is not None:
            return 0
        return max(0, self._limits.bank_ms - self._spent.get(seat, 0))

    def took(self, seat: Seat, ask: Ask[Any], ms: int, late: bool) -> int:
        over = ms - self._limits.limit_ms
        if (brief := self._brief(seat, ask)) is not None:
            if late:
                self._silent.add(brief)
        elif over > 0:
            self._spent[seat] = self._spent.get(seat, 0) + over
        return ms

    def _brief(self, by: By, ask: Ask[Any]) -> SeatBrief | None:
        return self._briefs.get((by, type(ask).__name__)) if self._briefs else None


def clock_for(header: Header) -> Clock:
    return StillClock() if header.limits is None else LimitClock(header.limits, header.briefs)
