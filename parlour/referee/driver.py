"""The synchronous shell: bots in the same process, no clock. For tests, simulations and tournaments."""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeAlias

from parlour.core import Asked, Leave, Noted, Result, Void
from parlour.referee.log import ImmediateLog
from parlour.referee.match import Match, Out
from parlour.referee.player import Bot, Mind, Resigned, bot_dice, place_of

Watch: TypeAlias = Callable[[Match[Any], Out], None]
"""Called with each output, as soon as its lines are kept."""


def drive(
    match: Match[Any], bots: Sequence[Bot], log: ImmediateLog | None = None, watch: Watch | None = None
) -> Result | Void:
    """Play a whole match."""
    out = match.begin(0.0)
    minds = [Mind(bot, bot_dice(match.seed, seat)) for seat, bot in enumerate(bots)]
    for seat, mind in enumerate(minds):
        mind.sit(place_of(match, seat))
    return drive_minds(match, minds, out, log or ImmediateLog(), watch)


def drive_minds(
    match: Match[Any], minds: Sequence[Mind], out: Out, log: ImmediateLog, watch: Watch | None
) -> Result | Void:
    """Continue a match whose bots are seated; `out` is the last output of the match."""
    for ask in stepped(match, minds, out, log, watch):
        raise ValueError(f"nobody is at seat {ask.seat}")
    assert match.end is not None
    return match.end


def stepped(
    match: Match[Any],
    minds: Sequence[Mind | None],
    out: Out,
    log: ImmediateLog,
    watch: Watch | None = None,
) -> Generator[Asked, Any, None]:
    """Play a match step by step until its end. The asks of seats without a mind are yielded, except those that have a
    default answer. An action or a BadMessage is sent in; Resigned is thrown in."""
    listeners = [(seat, mind) for seat, mind in enumerate(minds) if mind is not None and mind.listens]
    asked: deque[Asked] = deque()
    while True:
        log.write(out.lines)
        if watch is not None:
            watch(match, out)
        for seat, mind in listeners:
            mind.hear(out.to(seat))
        if match.end is not None:
            return
        asked.extend([notice for notice in out.notices if isinstance(notice, Asked)])
        ask = _next(asked, match)
        seat = ask.seat
        decider = minds[seat]
        try:
            if decider is not None:
                said = decider.decide(match.state.view(seat), ask.ask)
            elif (said := ask.ask.default) is None:
                said = yield ask
        except Resigned:
            out = match.table(Leave(seat, "quit"), 0.0)
        else:
            out = match.answer(seat, said.action if isinstance(said, Noted) else said, 0.0, ask.n)


def _next(asked: deque[Asked], match: Match[Any]) -> Asked:
    """The oldest ask that is still open."""
    while asked:
        ask = asked.popleft()
        open = match.open.get(ask.seat)
        if open is not None and open.n == ask.n:
            return ask
    raise ValueError("no ask is open, and without a clock nothing closes the round")
