"""The values of a match: open asks, inputs and outputs."""

from collections.abc import Iterator
from typing import Any

from msgspec import Raw, Struct

from parlour.core import Ask, By, Event, Fault, Notice, Over
from parlour.referee.transcript import NOTHING


class Open(Struct, gc=False):
    """An open ask, and the faults made on it so far."""

    n: int
    ask: Ask[Any]
    faults: list[Fault]
    since: float
    due: float | None
    recorded: int = 0
    """Bytes that the seat has added to the transcript since this ask, or its span, was opened."""


class Out(Struct):
    """The output of one input. Store the lines, then deliver the notices through `to`, which filters them by seat."""

    lines: list[bytes]
    notices: list[Notice]

    def to(self, who: By) -> Iterator[Notice]:
        """The notices for a seat, or for spectators, in order."""
        for notice in self.notices:
            if isinstance(notice, Event):
                seen = notice.seen_by(who)
                if seen is not None:
                    yield seen
            elif isinstance(notice, Over) or notice.seat == who:
                yield notice


class Input(Struct, frozen=True, gc=False):
    """An action and its seat; for the price of a fault also the fault and the refused action."""

    by: By
    do: Any
    fault: Fault | None = None
    said: Raw = NOTHING
