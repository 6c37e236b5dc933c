"""One match: inputs with their times go in, lines to store and notices to deliver come out.

This module has no sockets, clocks or threads. A shell calls `begin`, `answer`, `table` and `expire`. After each call it
stores the lines and then delivers the notices. checked_replay.py takes recorded lines through the same steps, to
replay, resume or verify a match.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Generic, Self, TypeVar

import msgspec
from msgspec import Raw
from msgspec.structs import replace
from mypy_extensions import mypyc_attr

from parlour.core import (
    GONE,
    SHORT_BYTES,
    AnswerRefused,
    Ask,
    Asked,
    BadMessage,
    By,
    Close,
    Dice,
    Event,
    Fault,
    Finding,
    Game,
    IllegalAction,
    Inconsistent,
    Join,
    Leave,
    Notice,
    Over,
    Result,
    Seat,
    State,
    Table,
    Took,
    Trouble,
    Void,
)
from parlour.core.comparable import Copyable
from parlour.core.options import read_recorded
from parlour.core.values import plain
from parlour.referee.action_json import checked_act, decoder
from parlour.referee.clock import Clock, StillClock, clock_for
from parlour.referee.match_values import Input, Open, Out
from parlour.referee.transcript import NOTHING, Chain, End, Header, Line, Reveal, commitment, encode

__all__ = ["Input", "Match", "Open", "Out"]

A = TypeVar("A")


@mypyc_attr(allow_interpreted_subclasses=True)
class Match(Copyable, Generic[A]):
    """The referee of one match."""

    def __init__(self, game: Game[A], header: Header, seed: bytes, clock: Clock | None = None) -> None:
        if commitment(seed) != header.commit:
            raise ValueError("this is not the seed that the header commits to")
        self.game = game
        self.header = header
        self.seed = seed
        self.clock = clock or clock_for(header)
        self._timed = not isinstance(self.clock, StillClock)
        self._finds = header.findings
        self.options: Any = read_recorded(header.options, game.rules.options)
        self.names = [player.name for player in header.players]
        self.state: State[A] = self._new_state()
        self.end: Result | Void | None = None
        self.open: dict[Seat, Open] = {}
        self.gone: dict[Seat, str] = {}
        """Seats that have left, and why."""
        self.over: Over | None = None
        self.revealed = False
        self.header_hash = ""
        self._chain = Chain()
        self._spans: dict[int, float | None] = {}
        self._asked: dict[Seat, int] = {}
        self.faults: dict[Seat, int] = {}
        """Faults by seat, without those that cost nothing and change nothing."""
        self._counted_faults: dict[Seat, int] = {}
        """Those of them that count towards the limit at which a seat must leave."""
        self._last_ms: dict[Seat, int] = {}
        self._read_action = decoder(game.rules.actions).decode
        self._costs: tuple[type[Any], ...] = (*game.rules.actions, *game.rules.prices, Leave)

    def _new_state(self) -> State[A]:
        dice = Dice(self.seed)
        # Sorted by salt: the dice must not depend on the seating order.
        for salt in sorted(player.salt for player in self.header.players if player.salt):
            dice.stir(salt.encode())
        start, kind = self.header.start, self.game.rules.start
        position = None if start is NOTHING or kind is None else read_recorded(start, kind)
        return self.game.rules.new(len(self.names), self.options, position, dice)

    def copy(self) -> Self:
        """The same match as it stands; each of the two goes on without the other. ValueError with a clock."""
        if self._timed:
            raise ValueError("a match with a clock cannot be copied")
        twin = copy(self)
        twin.state = self.state.copy()
        twin.open = {seat: replace(open, faults=open.faults[:]) for seat, open in self.open.items()}
        twin.names, twin.gone, twin.faults = self.names[:], self.gone.copy(), self.faults.copy()
        twin._chain, twin._spans, twin._asked = self._chain.copy(), self._spans.copy(), self._asked.copy()
        twin._counted_faults, twin._last_ms = self._counted_faults.copy(), self._last_ms.copy()
        return twin

    @property
    def head(self) -> str:
        """The hash of the last line. It is secret until the end, because it covers sealed answers."""
        return self._chain.head

    @property
    def records(self) -> int:
        """Number of records written."""
        return self._chain.n

    def due(self) -> float | None:
        """When the shell should call `expire`."""
        if None in self.state.asks():  # the round has one deadline for all
            return self._round_due()
        first: float | None = None
        for open in self.open.values():
            if open.due is not None and (first is None or open.due < first):
                first = open.due
        for due in self._spans.values():
            if due is not None and (first is None or due < first):
                first = due
        return first

    def span_due(self, seat: Seat) -> float | None:
        """The deadline that the ask of this seat shares with others, if any. It does not show whether the seat left."""
        ask = self.state.asks().get(seat)
        return None if ask is None or ask.span is None else self._spans.get(ask.span)

    def has_finished(self, seat: Seat) -> bool:
        """Whether this seat has no more decisions to make, and may disconnect without leaving."""
        finished = self.game.rules.finished
        return finished is not None and self.end is None and seat not in self.gone and finished(self.state, seat)

    # Inputs. An exception raised by the rules is a bug of ours and voids the match.

    def begin(self, now: float) -> Out:
        """Write the header and open the first asks."""
        out = self.prepare(now)
        return self._guarded(out, self._follow, out, now)

    def prepare(self, now: float) -> Out:
        """`begin` without automatic follow-ups, which a replay reads from its lines."""
        out = Out([self._chain.add(self.header)], [])
        self.header_hash = self._chain.head
        return self._guarded(out, self._settle, out, None, now)

    def answer(self, seat: Seat, said: Any, now: float, n: int | None = None) -> Out:
        """A seat sends an action, or a BadMessage if it could not be read. `n` is the ask it answers, if known."""
        if not 0 <= seat < len(self.names):
            raise ValueError(f"there is no seat {seat}")
        out = Out([], [])
        try:
            self._answer(out, seat, said, now, n)
        except Exception as bug:
            self._void(out, bug)
        return out

    def table(self, act: Table, now: float) -> Out:
        """Play an input that is no seat's decision. IllegalAction goes to the caller and changes nothing."""
        out = Out([], [])
        if self.end is not None or (isinstance(act, Leave) and act.seat in self.gone):
            return out
        try:
            self._play(out, Input(None, checked_act(act)), now, 0)
            self._follow(out, now)
        except IllegalAction:
            if not out.lines:
                raise
        except Exception as bug:
            self._void(out, bug)
        return out

    def expire(self, now: float) -> Out:
        """Close rounds and fault seats whose time is up. An answer exactly at the deadline is late."""
        out = Out([], [])
        return self._guarded(out, self._expire, out, now) if self._timed else out

    def _guarded(self, out: Out, work: Callable[..., None], *args: Any) -> Out:
        """Do some work; a bug in it voids the match."""
        try:
            work(*args)
        except Exception as bug:
            self._void(out, bug)
        return out

    def _answer(self, out: Out, seat: Seat, said: Any, now: float, n: int | None) -> None:
        if self._timed:
            self._expire(out, now)  # even if the shell did not call `expire` in time
        open = self.open.get(seat)
        if n is not None and (open is None or n != open.n):
            # A numbered answer that was sent twice or too late is harmless, so it is no fault with a price.
            out.notices.append(AnswerRefused(seat, open.n if open else 0, self._unasked(seat, open), None, 0))
            return
        if open is None or seat in self.gone:
            self._fault(out, seat, self._unasked(seat, open), now)
            return
        if isinstance(said, BadMessage):
            self._unreadable(out, seat, Fault("unreadable", said.code, plain(said.words)), now)
            return
        try:
            raw = encode(said)
            action = self._read_action(raw)
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as e:
            self._unreadable(out, seat, Fault("unreadable", "wrong_shape", plain(f"not an action: {e}")), now)
            return
        if open.recorded + len(raw) > SHORT_BYTES:
            action, fits = self._shortened(out, seat, open, action, now)
            if not fits:
                return
        try:
            self._play(out, Input(seat, action), now, self._elapsed(seat, now) if self._timed else 0)
        except IllegalAction as e:
            self._fault(out, seat, Fault("illegal", e.code, e.words, e.facts), now, Raw(encode(action)))
        else:
            self._follow(out, now)

    def _unreadable(self, out: Out, seat: Seat, fault: Fault, now: float) -> None:
        open = self.open[seat]
        if open.recorded > self.game.rules.most_recorded:
            self._refuse_unrecorded(out, seat, open, now)
        else:
            self._fault(out, seat, fault, now)

    def _shortened(self, out: Out, seat: Seat, open: Open, action: A, now: float) -> tuple[A, bool]:
        """The action to record. False: it exceeds a size limit, and the seat has been told."""
        game, size = self.game, len(encode(action))
        if size > SHORT_BYTES and game.rules.shorten is not None:
            action = game.rules.shorten(action)
            size = len(encode(action))
        if size > game.rules.most_bytes:
            words = f"the action has {size} bytes, and at most {game.rules.most_bytes} are read"
            self._unreadable(out, seat, Fault("unreadable", "too_big", words), now)
        elif open.recorded + size > game.rules.most_recorded:
            self._refuse_unrecorded(out, seat, open, now)
        else:
            return action, True
        return action, False

    def _refuse_unrecorded(self, out: Out, seat: Seat, open: Open, now: float) -> None:
        """The seat has reached its limit of transcript bytes: refuse without a line until the next ask.

        If no clock ends the ask and the other seats wait for this one, it has to leave."""
        words = f"this would fill more than {self.game.rules.most_recorded} bytes of the transcript before the next ask"
        out.notices.append(AnswerRefused(seat, open.n, Fault("unasked", "too_much", words), None, 0))
        if not self._timed and self.header.eager and open.ask.waits:
            self._play_forced(out, Input(None, Leave(seat, "flood")), now, 0)
            self._follow(out, now)

    def _expire(self, out: Out, now: float) -> None:
        while (due := self._round_due()) is not None and due <= now:
            # At the due time, not now, so that rounds keep a steady pace.
            self._play_forced(out, Input(None, Close()), due, 0)
            self._follow(out, due)
        if None not in self.state.asks():
            for seat in sorted(self.open):
                open = self.open.get(seat)
                if open is not None and open.due is not None and open.due <= now:
                    self._fault(out, seat, self._late(seat, open, self._elapsed(seat, now)), now)

    def reveal(self) -> bytes:
        """Write the last record, after the end: the seed that the header commits to."""
        if self.end is None or self.revealed:
            raise ValueError("a seed is revealed once, after the end")
        self.revealed = True
        return self._chain.add(Reveal(self._chain.head, self._chain.n, self.seed.hex()))

    def put(self, out: Out, now: float) -> None:
        """Start the time of the asks in `out` now, when they are delivered. Spans keep their deadlines."""
        for notice in out.notices:
            if isinstance(notice, Asked):
                open = self.open.get(notice.seat)
                if open is not None and open.n == notice.n and open.ask.span is None:
                    open.due = None if open.due is None else open.due + now - open.since
                    open.since = now

    def reopen(self, now: float) -> Out:
        """Continue after a replay: deadlines start again, and open asks are sent again with their old numbers."""
        out = Out([], [])
        self._spans.clear()
        self._start_spans(self.state.asks(), now)
        for seat, open in self.open.items():
            open.since, open.due = now, self._due(seat, open.ask, now)
            self._tell(out, seat, open)
        return self._guarded(out, self._follow, out, now)

    def deal_again(self, seat: Seat, dice: Dice) -> Out:
        """Replace the state by one that this seat cannot tell from it, and ask all seats again. For playing on from a
        position in imagination; the transcript of such a match cannot be replayed."""
        out = Out([], [])
        self.state = self.state.redeal(seat, dice)
        self.open.clear()
        self._settle(out, None, 0.0)
        return self._guarded(out, self._follow, out, 0.0)

    def asked_again(self, seat: Seat) -> list[Notice]:
        """The open ask of a seat, for a client that reconnects. Changes nothing."""
        out, open = Out([], []), self.open.get(seat)
        if open is not None and open.ask.waits:
            self._tell(out, seat, open)
        return out.notices

    # Faults and their price

    def _unasked(self, seat: Seat, open: Open | None) -> Fault:
        if self.end is not None:
            return Fault("unasked", "over", "the match is over")
        if open is None or seat in self.gone:
            return Fault("unasked", "not_asked", "you are not asked anything now")
        return Fault("unasked", "stale", f"that ask is closed; the open one is {open.n}")

    def _late(self, seat: Seat, open: Open, ms: int) -> Fault:
        limit = self.clock.limit(seat, open.ask) or 0
        bank = 0 if open.ask.span is not None else self.clock.bank(seat, open.ask)
        words = f"no answer after {ms} ms; the limit was {limit} ms" + (f" and {bank} ms of bank" if bank else "")
        return Fault("late", "late", words, {"limit_ms": limit, "bank_ms": bank, "elapsed_ms": ms})

    def _fault(self, out: Out, seat: Seat, fault: Fault, now: float, said: Raw = NOTHING) -> None:
        ms = self._elapsed(seat, now)
        cost = None if self.end is not None else self._priced(out, seat, fault, ms, said)
        self._refuse(out, seat, fault, cost)
        self._pay(out, seat, fault, cost, now, ms, said)
        self._follow(out, now)

    def _refuse(self, out: Out, seat: Seat, fault: Fault, cost: Any) -> None:
        """Tell a seat about its fault, before the price is played."""
        open = self.open.get(seat)
        n, attempt = (open.n, len(open.faults) + 1) if open else (0, 0)
        told = cost if isinstance(cost, self._costs) else None  # any other value voids the match
        explained = self.game.words.explain is not None and fault.kind != "unasked"
        view = self.state.view(seat) if explained else None
        out.notices.append(AnswerRefused(seat, n, fault, told, attempt, view))

    def _priced(self, out: Out, seat: Seat, fault: Fault, ms: int, said: Raw) -> Any:
        """The cost of a fault. If the rules fail, the fault is recorded before the match is voided."""
        try:
            return self._cost(seat, fault)
        except Exception:
            self._line(out, Input(seat, None, fault, said), ms)
            raise

    def _cost(self, seat: Seat, fault: Fault) -> Any:
        open = self.open.get(seat)
        bears = self.header.bears
        if self._counts(fault) and bears is not None and self._counted_faults.get(seat, 0) >= bears:
            return Leave(seat, "faults")
        return self.state.amends(seat, [*(open.faults if open else ()), fault])

    def _counts(self, fault: Fault) -> bool:
        """Whether the fault counts towards the limit at which a seat must leave."""
        return fault.kind != "unasked" and fault.code not in self.game.rules.borne

    def _pay(self, out: Out, seat: Seat, fault: Fault, cost: Any, now: float, ms: int, said: Raw) -> None:
        self.faults[seat] = self.faults.get(seat, 0) + (fault.kind != "unasked")
        if self._counts(fault):
            self._counted_faults[seat] = self._counted_faults.get(seat, 0) + 1
        if cost is not None:
            self._play_forced(out, Input(None if isinstance(cost, Leave) else seat, cost, fault, said), now, ms)
        elif fault.kind != "unasked":  # no price: record the fault, and ask again with a new number
            open = self.open[seat]
            self._line(out, Input(seat, None, fault, said), ms)
            open.recorded += len(out.lines[-1])
            self._ask(out, seat, open.ask, [*open.faults, fault], now)

    # What an input changes

    def _play_forced(self, out: Out, done: Input, now: float, ms: int) -> None:
        """Play an input that no seat chose. If the rules refuse it, that is a bug of ours."""
        try:
            self._play(out, done, now, ms)
        except IllegalAction as bug:
            self._line(out, done, ms)
            self._void(out, bug)

    def _play(self, out: Out, done: Input, now: float, ms: int) -> None:
        by, action = done.by, done.do
        try:
            events = self.state.play(by, action)
        except IllegalAction:
            raise
        except Exception as bug:
            self._line(out, done, ms, bug.events if isinstance(bug, Inconsistent) else ())
            if isinstance(bug, Inconsistent):
                if by is not None and done.fault is None:
                    out.notices.append(Took(by, self.open[by].n))
                out.notices += bug.events
            self._void(out, bug)
            return
        self._line(out, done, ms, events)
        if by is None:
            if isinstance(action, Leave):
                self.gone[action.seat] = action.why
                self.open.pop(action.seat, None)
            elif isinstance(action, Join):
                self.names.append(action.name)
        elif done.fault is None:
            open = self.open[by]
            open.recorded += len(out.lines[-1])
            out.notices.append(Took(by, open.n))
        out.notices += events
        self._settle(out, by, now)

    def _follow(self, out: Out, now: float) -> None:
        """Play all automatic follow-ups. There may be hundreds, so this is a loop, not recursion."""
        while (then := self._follows()) is not None:
            self._play_forced(out, then, now, 0)

    def _follows(self) -> Input | None:
        """The next automatic input, once no seat that is still in the match is waited for."""
        if self.end is not None:
            return None
        asks = self.state.asks()
        for seat, ask in asks.items():
            if ask.waits and seat is not None and seat not in self.gone:
                return None
        if None in asks:
            return Input(None, Close()) if self.header.eager else None
        if gone := sorted(self.gone.keys() & asks.keys()):
            return Input(gone[0], self.state.amends(gone[0], [GONE]), GONE)
        return None

    def _settle(self, out: Out, by: By, now: float) -> None:
        """After a change: end the match, or close and open asks."""
        result = self.state.result()
        if result is not None:
            self._finish(out, result)
            return
        asks = self.state.asks()
        if self._timed:
            self._start_spans(asks, now)
        for asked in tuple(self.open):
            if asked not in asks:
                del self.open[asked]
        for seat, ask in asks.items():
            if seat is None:
                continue
            open = self.open.get(seat)
            if open is None or (seat == by and ask.waits):
                self._ask(out, seat, ask, [], now)
            elif open.ask is not ask and open.ask != ask:
                if ask.waits:
                    self._ask(out, seat, ask, [], now)
                else:  # answered, and may be replaced: keep the number, send nothing
                    open.ask = ask

    def _ask(self, out: Out, seat: Seat, ask: Ask[A], faults: list[Fault], now: float) -> None:
        # Counted by seat: a number for the whole table would reveal who has acted.
        n = self._asked[seat] = self._asked.get(seat, 0) + 1
        recorded = self._recorded(seat, ask, faults) if faults or ask.span is not None else 0
        if self._timed:
            self.open[seat] = open = Open(n, ask, faults, now, self._due(seat, ask, now), recorded)
            self._tell(out, seat, open)
            return
        self.open[seat] = Open(n, ask, faults, now, None, recorded)
        if seat not in self.gone:
            out.notices.append(Asked(seat, n, ask, len(faults) + 1, None, None, None, None))

    def _recorded(self, seat: Seat, ask: Ask[A], faults: list[Fault]) -> int:
        """The recorded bytes that carry over to a repeated ask, or to the next ask of the same span."""
        before = self.open.get(seat)
        return before.recorded if before is not None and (faults or before.ask.span == ask.span) else 0

    def _tell(self, out: Out, seat: Seat, open: Open) -> None:
        if seat in self.gone:
            return
        limit = bank = last = None
        if self._timed:
            limit, last = self.clock.limit(seat, open.ask), self._last_ms.get(seat)
            bank = None if limit is None else self.clock.bank(seat, open.ask)
        out.notices.append(Asked(seat, open.n, open.ask, len(open.faults) + 1, open.due, limit, bank, last))

    def _finish(self, out: Out, end: Result | Void) -> None:
        self.end = end
        self.open.clear()
        self._spans.clear()
        out.lines.append(self._chain.add(End(self._chain.head, self._chain.n, end)))
        self.over = Over(end, self._chain.head)
        out.notices.append(self.over)

    def _void(self, out: Out, bug: Exception) -> None:
        if self.end is not None:
            return
        if isinstance(bug, Inconsistent):
            self._finish(out, Void(bug.code, bug.words, bug.facts))
        elif isinstance(bug, Trouble):
            self._finish(out, Void("forbidden", f"the referee's own move was refused: {bug.words}"))
        else:
            self._finish(out, Void("bug", f"{type(bug).__name__}: {bug}"))

    def _line(self, out: Out, done: Input, ms: int, events: Sequence[Event] = ()) -> None:
        ms = self._charged(done, ms) if self._timed else 0
        found = tuple(event.fault for event in events if isinstance(event, Finding)) if self._finds else ()
        chain = self._chain
        do = NOTHING if done.do is None else done.do  # encoded with the line; read back as raw JSON
        try:
            out.lines.append(chain.add(Line(chain.head, chain.n, done.by, do, done.fault, done.said, ms, found)))
        except TypeError:  # a price that cannot be encoded; it voids the match
            out.lines.append(chain.add(Line(chain.head, chain.n, done.by, NOTHING, done.fault, done.said, ms, found)))

    # Times

    def _charged(self, done: Input, ms: int) -> int:
        """Charge the time of an answer or fault to its seat; returns the time to record."""
        seat = done.do.seat if isinstance(done.do, Leave) and done.fault is not None else done.by
        open = None if seat is None else self.open.get(seat)
        if open is None or seat is None:
            return 0
        late = done.fault is not None and done.fault.kind == "late"
        self._last_ms[seat] = self.clock.took(seat, open.ask, ms, late)
        return self._last_ms[seat]

    def _elapsed(self, seat: Seat, now: float) -> int:
        open = self.open.get(seat) if self._timed else None
        return 0 if open is None else max(0, int((now - open.since) * 1000))

    def _due(self, seat: Seat, ask: Ask[A], now: float) -> float | None:
        if seat in self.gone or not self._timed:
            return None  # the referee answers for seats that have left, after the others have answered
        if ask.span is not None:
            return self._spans.get(ask.span)
        allowed = self._allowed_ms(seat, ask)
        return None if allowed is None else now + allowed / 1000

    def _allowed_ms(self, seat: Seat, ask: Ask[A]) -> int | None:
        """How long an ask with its own deadline may stay open, bank included."""
        limit = None if ask.span is not None else self.clock.limit(seat, ask)
        return None if limit is None else limit + self.clock.bank(seat, ask)

    def _start_spans(self, asks: Mapping[By, Ask[A]], now: float) -> None:
        """Set a span's deadline when its first ask appears, and remove it with its last."""
        spans: dict[int, float | None] = {}
        for who, ask in asks.items():
            if ask.span is None or ask.span in spans:
                continue
            if ask.span in self._spans:
                spans[ask.span] = self._spans[ask.span]
            else:
                limit = self.clock.limit(who, ask)
                spans[ask.span] = None if limit is None else now + limit / 1000
        self._spans = spans

    def _round_due(self) -> float | None:
        if self.end is not None:
            return None
        table = self.state.asks().get(None)
        return None if table is None or table.span is None else self._spans.get(table.span)
