"""The frames of a recorded match that show what was done about each ask."""

from array import array

from parlour.core import AnswerRefused, Seat, Took
from parlour.referee.match_values import Out


class AskFrames:
    """Collects them while a match is replayed. Asks have numbers from 1 for each seat."""

    def __init__(self) -> None:
        self._of: dict[Seat, array[int]] = {}

    def tell(self, n: int, out: Out) -> None:
        """Add the asks that an input answered, or failed to answer, as frame `n` shows."""
        for notice in out.notices:
            if isinstance(notice, Took) or (isinstance(notice, AnswerRefused) and notice.fault.kind != "unasked"):
                self._add(notice.seat, notice.n, n)

    def _add(self, seat: Seat, ask: int, n: int) -> None:
        frames = self._of.setdefault(seat, array("L"))
        frames.extend([0] * (ask - len(frames)))
        frames[ask - 1] = frames[ask - 1] or n  # a sealed answer may be replaced later

    def by_seat(self) -> dict[Seat, list[int]]:
        """By seat and ask, the frame; 0: nothing was done about it."""
        return {seat: frames.tolist() for seat, frames in self._of.items()}
