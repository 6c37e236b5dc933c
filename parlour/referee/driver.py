"""The synchronous shell: bots in the same process, no clock. For tests, simulations and tournaments."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from mypy_extensions import mypyc_attr

from parlour.core import Asked, Leave, Noted, Result, Void
from parlour.core.comparable import Copyable
from parlour.referee.log import ImmediateLog
from parlour.referee.match import Match, Out
from parlour.referee.player import Bot, Mind, Resigned, bot_dice, place_of

Watch: TypeAlias = Callable[[Match[Any], Out], None]
"""Called with each output, as soon as its lines are written."""


def drive(
    match: Match[Any], bots: Sequence[Bot], log: ImmediateLog | None = None, watch: Watch | None = None
) -> Result | Void:
    """Play a whole match."""
    out = match.begin(0.0)
    minds = [Mind(bot, bot_dice(match.seed, seat)) for seat, bot in enumerate(bots)]
    return drive_minds(match, minds, out, log or ImmediateLog(), watch)


def drive_minds(
    match: Match[Any],
    minds: Sequence[Mind],
    out: Out,
    log: ImmediateLog,
    watch: Watch | None = None,
    past: Sequence[Out] = (),
) -> Result | Void:
    """Seat bots and play on; `out` is the last output of the match, `past` what a resumed match put out before."""
    for seat, mind in enumerate(minds):
        mind.sit(place_of(match, seat), past)
    stepped = SteppedMatch(match, minds, out, log, watch)
    if stepped.asked is not None:
        raise ValueError(f"nobody is at seat {stepped.asked.seat}")
    assert match.end is not None
    return match.end


@mypyc_attr(allow_interpreted_subclasses=True)
class SteppedMatch(Copyable):
    """A match that stops whenever a seat without a mind is asked, unless the ask has a default answer."""

    def __init__(
        self, match: Match[Any], minds: Sequence[Mind | None], out: Out, log: ImmediateLog, watch: Watch | None = None
    ) -> None:
        self.match = match
        self.asked: Asked | None = None
        """The ask that has to be answered next; None at the end."""
        self._minds = minds
        self._listeners = [(seat, mind) for seat, mind in enumerate(minds) if mind is not None and mind.listens]
        self._log = log
        self._watch = watch
        self._queue: deque[Asked] = deque()
        self._play_on(out)

    def answer(self, said: Any) -> Asked | None:
        """Answer the ask with an action or a BadMessage, and play on to the next ask, which is returned, or the end."""
        asked = self.asked
        if asked is None:
            raise ValueError("the match is over")
        return self._play_on(self.match.answer(asked.seat, said, 0.0, asked.n))

    def copy(self, log: ImmediateLog) -> "SteppedMatch":
        """The same position, to play on from it without touching this one. Only for a match without minds."""
        twin = SteppedMatch.__new__(SteppedMatch)
        twin.match, twin.asked, twin._log = self.match.copy(), self.asked, log
        twin._minds, twin._listeners, twin._watch = [None] * len(self._minds), [], None
        twin._queue = self._queue.copy()
        return twin

    def _play_on(self, out: Out) -> Asked | None:
        match, log, minds = self.match, self._log, self._minds
        while True:
            log.write(out.lines)
            if self._watch is not None:
                self._watch(match, out)
            for seat, mind in self._listeners:
                mind.hear(out.to(seat))
            if match.end is not None:
                self.asked = None
                return None
            for notice in out.notices:
                if type(notice) is Asked:
                    self._queue.append(notice)
            asked = self._next()
            decider = minds[asked.seat]
            if decider is None and asked.ask.default is None:
                self.asked = asked
                return asked
            out = self._played(asked, decider)

    def _played(self, asked: Asked, decider: Mind | None) -> Out:
        """Play the answer of a mind, or the default answer."""
        match, seat = self.match, asked.seat
        try:
            said = asked.ask.default if decider is None else decider.decide(match.state.view(seat), asked.ask)
        except Resigned:
            return match.table(Leave(seat, "quit"), 0.0)
        return match.answer(seat, said.action if isinstance(said, Noted) else said, 0.0, asked.n)

    def _next(self) -> Asked:
        """The oldest ask that is still open."""
        queue, open_asks = self._queue, self.match.open
        while queue:
            asked = queue.popleft()
            open = open_asks.get(asked.seat)
            if open is not None and open.n == asked.n:
                return asked
        raise ValueError("no ask is open, and without a clock nothing closes the round")
