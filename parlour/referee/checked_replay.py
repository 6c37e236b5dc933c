"""A match that repeats its recorded lines one by one and checks each of them."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Raw
from mypy_extensions import mypyc_attr

from parlour.core import Close, Fault, Game, IllegalAction, Join, Leave, Seat, Stop, Table
from parlour.core.values import plain
from parlour.referee.action_json import decoder, written
from parlour.referee.clock import Clock
from parlour.referee.match import Input, Match, Out
from parlour.referee.transcript import NOTHING, Header, Line, encode

A = TypeVar("A")


CODE = re.compile(r"[A-Za-z0-9_]{1,32}")


class Forged(ValueError):
    """A recorded line that the referee would not have written."""


@mypyc_attr(allow_interpreted_subclasses=True)
class CheckedReplay(Match[A]):
    """Repeats the steps of a recorded match. Afterwards it can continue like any other match."""

    def __init__(self, game: Game[A], header: Header, seed: bytes, clock: Clock | None = None) -> None:
        super().__init__(game, header, seed, clock)
        self._read_input = decoder((*game.rules.actions, *game.rules.prices, Join, Leave, Close, Stop)).decode

    def redo(self, line: Line) -> Out:
        """Repeat the steps of a recorded line; Forged if the referee would not have written it."""
        if self.end is not None:
            raise Forged("comes after the end")
        out = Out([], [])
        try:
            self._redo(out, line)
        except Forged:
            raise
        except Exception as bug:  # the bug voided the match when it was played, and does so again
            self._void(out, bug)
        if not out.lines:
            raise Forged("is not an input that is recorded")
        return out

    def action(self, line: Line) -> Any:
        """The action of a line; None if a fault had no price."""
        return _recorded(line.do, self._read_input)

    def action_or_none(self, line: Line) -> Any:
        """The action of a line; None also for a price that is not an action, which voided the match."""
        try:
            return self.action(line)
        except Forged:
            return None

    def fails(self) -> list[bytes]:
        """The end line, if the rules raise an exception when asked for the next automatic input; otherwise nothing."""
        out = Out([], [])
        try:
            self._follows()
        except Exception as bug:
            self._void(out, bug)
        return out.lines

    def _redo(self, out: Out, line: Line) -> None:
        due = self._follows()
        if due is not None:
            if line.do != written(due.do) or (line.by, line.fault, line.said) != (due.by, due.fault, due.said):
                raise Forged(f"the referee had to play {_shown(due.do)} here")
            self._play_forced(out, due, 0.0, 0)
        elif line.fault is not None:
            self._redo_fault(out, line, line.fault)
        else:
            self._redo_play(out, Input(line.by, self.action(line)), line.ms)

    def _redo_play(self, out: Out, done: Input, ms: int) -> None:
        by, do = done.by, done.do
        if by is None:
            if not isinstance(do, Table) or (isinstance(do, Leave) and do.seat in self.gone):
                raise Forged("is not an act of the table")
        elif by not in self.open or by in self.gone:
            raise Forged(f"seat {by} was not asked")
        elif not isinstance(do, self.game.rules.actions):
            raise Forged(f"{_shown(do)} is not an action of a seat")
        else:
            allowed = self._allowed_ms(by, self.open[by].ask)
            if allowed is not None and ms > allowed and None not in self.state.asks():  # the table closes rounds
                raise Forged(f"an answer after {ms} ms, of {allowed}, is late")
        try:
            self._play(out, done, 0.0, ms)
        except IllegalAction as e:
            raise Forged(f"forbidden: {e.words}") from None

    def _redo_fault(self, out: Out, line: Line, fault: Fault) -> None:
        """Prices are compared as JSON, because a price that is not an action (it voids the match) is recorded too."""
        seat, ms = self.fault_of(line), line.ms
        if seat is None or seat in self.gone or (seat not in self.open and fault.kind != "unasked"):
            raise Forged("a fault of a seat that was not asked")
        if (line.said is not NOTHING) != (fault.kind == "illegal"):
            raise Forged("a refused action is recorded for illegal answers only, and always")
        if fault.kind == "illegal" and self._tried(seat, line.said) != fault:
            raise Forged("the rules do not refuse this action with this fault")
        if fault.kind == "late" and not self._was_late(seat, fault, ms):
            raise Forged("the answer was not late, or not by these numbers")
        if fault.kind == "gone":
            raise Forged(f"seat {seat} is not gone")
        if fault.kind == "unreadable" and (
            fault.facts or fault.words != plain(fault.words) or not CODE.fullmatch(fault.code)
        ):
            raise Forged("the referee does not write such a fault")
        cost = self._priced(out, seat, fault, ms, line.said)
        if line.do != written(cost):
            raise Forged(f"the price of {fault.code} is {_shown(cost)}, not {_shown(line.do)}")
        self._refuse(out, seat, fault, cost)
        self._pay(out, seat, fault, cost, 0.0, ms, line.said)

    def fault_of(self, line: Line) -> Seat | None:
        """The seat that made the fault; if it must leave for it, the Leave names the seat."""
        price = self.action_or_none(line)
        return price.seat if isinstance(price, Leave) else line.by

    def _tried(self, seat: Seat, said: Raw) -> Fault | None:
        """The fault with which the rules refuse this action, if they do."""
        action = _recorded(said, self._read_action)
        if encode(action) != bytes(said):
            raise Forged("the refused action is not in canonical form")
        try:
            self.state.copy().play(seat, action)
        except IllegalAction as e:
            return Fault("illegal", e.code, e.words, e.facts)
        return None

    def _was_late(self, seat: Seat, fault: Fault, ms: int) -> bool:
        open = self.open[seat]
        allowed = self._allowed_ms(seat, open.ask)
        in_span = open.ask.span is not None and self.clock.limit(seat, open.ask) is not None
        return (in_span or (allowed is not None and ms >= allowed - 1)) and fault == self._late(seat, open, ms)


def _shown(do: Any) -> str:
    """The JSON of an action."""
    return bytes(do if isinstance(do, Raw) else written(do)).decode() or "nothing"


def _recorded(raw: Raw, read: Callable[[Raw], Any]) -> Any:
    try:
        return None if raw is NOTHING else read(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError) as e:
        raise Forged(f"not an action: {e}") from None
