"""The synchronous shell: bots in this process, no clock. For tests, simulations and tournaments."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from parlour.core import Asked, BadMessage, Event, Leave, Result, Void
from parlour.referee.match import Match, Out
from parlour.referee.player import Bot, Resigned, bot_dice, event_hook

Watch: TypeAlias = Callable[[Match[Any], Out], None]
"""Sees everything that comes out, lines and notices, as soon as it does."""


def drive(
    match: Match[Any], bots: Sequence[Bot], watch: Watch | None = None, begun: Out | None = None
) -> Result | Void:
    """Play a match to its end; `begun` is what a resumed one gave already."""
    dice = [bot_dice(match.seed, seat) for seat in range(len(bots))]
    hooks = [(seat, hook) for seat, bot in enumerate(bots) if (hook := event_hook(bot)) is not None]
    asked: deque[Asked] = deque()
    out = begun or match.begin(0.0)
    while True:
        if watch is not None:
            watch(match, out)
        for seat, hook in hooks:
            for notice in out.to(seat):
                if isinstance(notice, Event):
                    hook(notice)
        if match.end is not None:
            return match.end
        asked.extend(notice for notice in out.notices if isinstance(notice, Asked))
        ask = asked.popleft()
        while (open := match.open.get(ask.seat)) is None or open.n != ask.n:
            ask = asked.popleft()
        seat = ask.seat
        try:
            said = bots[seat](match.state.view(seat), ask.ask, dice[seat])
        except Resigned:
            out = match.table(Leave(seat, "quit"), 0.0)
        except Exception as e:
            out = match.answer(seat, crashed(e), 0.0, ask.n)
        else:
            out = match.answer(seat, said, 0.0, ask.n)


def crashed(error: Exception) -> BadMessage:
    """What a bot's exception counts as: an answer that cannot be read, telling its author where to look."""
    where = ""
    trace = error.__traceback__
    while trace is not None:
        where = f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return BadMessage("crashed", f"{type(error).__name__}: {error}{where}")
