"""The asynchronous shell waits for inputs, stores lines and delivers notices. It has one mailbox and needs no locks."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from parlour.core import (
    AnswerRefused,
    Asked,
    Event,
    Fault,
    IllegalAction,
    Join,
    Leave,
    Noted,
    Over,
    Question,
    Replied,
    Result,
    Seat,
    Signature,
    Sitting,
    Table,
    Value,
    Void,
)
from parlour.referee.driver import Watch
from parlour.referee.log import ImmediateLog, Log
from parlour.referee.match import Match, Out
from parlour.referee.player import Player, place_of
from parlour.referee.transcript import Line, read_record

Timed: TypeAlias = Callable[[float], None]
"""Called with the seconds from the arrival of an answer until all players were told its effects."""


TakeNote: TypeAlias = Callable[[Seat, int, int, str], None]
"""Called with a note: its seat, the number of the ask that it answers, the record of the answer, and the text."""

WILLED = frozenset({"quit", "flood"})
"""Reasons for leaving that are not a lost connection."""

Sign: TypeAlias = Callable[[str, str, str, Result | Void], Signature]
"""Signs the end of a match: its name, the hashes of its header and of its end line, and its result."""


class Letter(Struct, frozen=True):
    """A message of a seat, and when it arrived."""

    seat: Seat
    said: Any
    n: int | None
    at: float


class Arrival(Struct, frozen=True):
    """A player wants to join. The future gets its seat, or None if there is none."""

    player: Player
    sitting: Sitting
    seat: "asyncio.Future[Seat | None]"

    def tell(self, seat: Seat | None) -> None:
        if not self.seat.done():  # the join may have been cancelled
            self.seat.set_result(seat)


class Return(Struct, frozen=True):
    """A seat gets a new connection or a new player."""

    seat: Seat
    player: Player


Mail: TypeAlias = Letter | Arrival | Return | Table | float
"""An input of the match; a number is the time of an alarm."""


class Shell:
    """Runs one match with asynchronous players."""

    def __init__(
        self,
        match: Match[Any],
        players: Sequence[Player],
        *,
        log: Log | None = None,
        watch: Watch | None = None,
        record: str | None = None,
        timed: Timed | None = None,
    ) -> None:
        self.match = match
        self.players = list(players)
        self.log = log or ImmediateLog()
        self._watch, self._record, self.timed = watch, record, timed
        self.sign: Sign | None = None
        """Signs the end, after it is stored."""
        self.take_note: TakeNote | None = None
        """Keeps the notes that come with answers; without it they are dropped."""
        self._over: Over | None = None
        """The end as players are told it, with record and signature."""
        self._mail: deque[Mail] = deque()
        """Inputs in order of arrival."""
        self._more: asyncio.Future[None] | None = None
        """Done as soon as there is mail, if the match waits for some."""
        self._lost = False
        """Whether a write failed."""
        self._coming: Arrival | None = None
        """The player that is joining. It is told its seat when the join is stored."""
        self._alarm: asyncio.Handle | None = None
        self._alarm_at = 0.0
        """The time of the alarm, which the handles of some event loops do not tell."""
        self.has_stopped = False
        """Whether it takes no more inputs, because the match is over, has failed or was stopped."""
        self._told_end = False
        """Whether the match was played to its end and all players were told."""
        self._durable = asyncio.Event()
        """Set while no write is pending."""
        self._durable.set()
        self._settling = 0
        """How many tasks wait until no write is pending."""

    async def settled(self) -> bool:
        """Wait until the current state is durable, so that it may be shown; False if a write failed."""
        self._settling += 1
        try:
            while not self._durable.is_set():  # another write may have begun before we woke up
                await self._durable.wait()
        finally:
            self._settling -= 1
        return not self._lost

    async def run(self, begun: Out | None = None) -> Result | Void:
        """Play to the end; `begun` is the output of a resumed match."""
        match = self.match
        self._loop = asyncio.get_running_loop()
        self._time = self._loop.time
        try:
            out = begun or match.begin(self._time())
            for seat in range(len(self.players)):
                self._seat(seat)
            await self._put(out)
            while match.end is None:
                while not self._mail:
                    self._more = self._loop.create_future()
                    await self._more
                letter = self._mail.popleft()
                out = self._take(letter)
                await self._put(out)
                if self.timed is not None and isinstance(letter, Letter) and out.lines:
                    self.timed(self._time() - letter.at)
            self._told_end = True
            return match.end
        finally:
            self.has_stopped = True
            if self._alarm is not None:
                self._alarm.cancel()
            if self._coming is not None:
                self._coming.tell(None)
            while self._mail:
                self._answer_after_end(self._mail.popleft())

    def _receive(self, letter: Mail) -> None:
        self._mail.append(letter)
        if self._more is not None and not self._more.done():
            self._more.set_result(None)

    def _answer_after_end(self, letter: Mail) -> None:
        if isinstance(letter, Arrival):
            letter.tell(None)
        elif isinstance(letter, Return) and self._told_end:
            self._give_back_seat(letter)

    def _seat(self, seat: Seat) -> Value:
        """Tell a player its place. Returns its view."""
        view = self.match.state.view(seat)
        self.players[seat].sit(place_of(self.match, seat), view, partial(self._post, seat))
        return view

    def _post(self, seat: Seat, said: Any, n: int | None) -> None:
        self._receive(Letter(seat, said, n, self._time()))

    async def join(self, player: Player, sitting: Sitting) -> Seat | None:
        """Add a player to the running match. None if the game takes no player now."""
        if self.has_stopped:
            return None
        seat: asyncio.Future[Seat | None] = asyncio.get_running_loop().create_future()
        self._receive(Arrival(player, sitting, seat))
        return await seat

    def reconnect(self, seat: Seat, player: Player) -> None:
        """Give a seat to a reconnected player. Its clock did not stop. After the end it is told the end, unless the
        match was stopped before its end."""
        back = Return(seat, player)
        if self.has_stopped:
            self._answer_after_end(back)
        else:
            self._receive(back)

    def act(self, act: Table) -> None:
        """Queue an act of the table, such as closing a round or stopping the match."""
        self._receive(act)

    def _take(self, letter: Mail) -> Out:
        if isinstance(letter, Letter):
            return self._hear(letter)
        if isinstance(letter, float):
            return self.match.expire(letter)
        if isinstance(letter, Arrival):
            return self._add_player(letter)
        if isinstance(letter, Return):
            self._give_back_seat(letter)
            return Out([], [])
        with contextlib.suppress(IllegalAction):  # the act came too late
            if isinstance(letter, Leave):
                return self._leave(letter, self._time())
            return self.match.table(letter, self._time())
        return Out([], [])

    def _add_player(self, arrival: Arrival) -> Out:
        match, seat, out = self.match, len(self.match.names), Out([], [])
        with contextlib.suppress(IllegalAction):
            out = match.table(Join(arrival.sitting.name, arrival.sitting.salt), self._time())
            if len(match.names) > seat:
                self.players.append(arrival.player)
                self._coming = arrival
                return out
        arrival.tell(None)
        return out  # with lines if the rules failed, which has ended the match

    def _give_back_seat(self, back: Return) -> None:
        """Send the place, the open ask and, if the match is over, the end."""
        match, seat = self.match, back.seat
        self.players[seat] = back.player
        view = self._seat(seat)
        for asked in match.asked_again(seat):
            back.player.tell(asked, view)
        if match.over is not None:
            back.player.tell(self.told(match.over), view)

    def _hear(self, letter: Letter) -> Out:
        match, seat, said = self.match, letter.seat, letter.said
        if isinstance(said, Leave):
            return self._leave(Leave(seat, said.why), letter.at)
        if isinstance(said, Question) and match.game.rules.query is not None:
            return Out([], [self._reply(seat, said)])
        if isinstance(said, Noted):
            open = match.open.get(seat)
            out = match.answer(seat, said.action, letter.at, letter.n)
            is_answer = open is not None and letter.n in (None, open.n)  # lines may also come from a time limit
            if self.take_note is not None and open is not None and is_answer and out.lines:
                self.take_note(seat, open.n, _record_of(match, out, seat), said.note)
            return out
        return match.answer(seat, said, letter.at, letter.n)

    def _leave(self, leave: Leave, now: float) -> Out:
        """Let a seat leave. A player that disconnects after it has finished stays in the match.

        But if it still owes an answer that its protocol can express, it has left.
        """
        match, seat = self.match, leave.seat
        if leave.why not in WILLED and match.has_finished(seat):
            open = match.open.get(seat)
            if open is None:
                return Out([], [])
            if (answer := self.players[seat].auto(open.ask)) is not None:
                return match.answer(seat, answer, now, open.n)
        return match.table(leave, now)

    def _reply(self, seat: Seat, asked: Question) -> Replied | AnswerRefused:
        query = self.match.game.rules.query
        assert query is not None
        try:
            return Replied(seat, asked.id, query(self.match.state.view(seat), asked.question))
        except Exception:  # a bug of ours; a question changes nothing, so the match continues
            return AnswerRefused(seat, 0, Fault("unasked", "no_reply", "that question cannot be answered"), None, 0)

    async def _put(self, out: Out) -> None:
        """Store the lines, then deliver the notices."""
        if out.lines:
            self._lost = True  # until the write succeeds
            kept = self.log.write(out.lines)
            if kept is not None:
                self._durable.clear()
                try:
                    await kept
                finally:
                    self._durable.set()
            self._lost = False
        self.match.put(out, self._time())
        if self._watch is not None:
            self._watch(self.match, out)
        if (coming := self._coming) is not None:
            self._coming, seat = None, len(self.players) - 1
            self._seat(seat)
            coming.tell(seat)
        self._deliver(out)
        self._set_alarm()
        if self._settling:
            await asyncio.sleep(0)  # let the tasks in `settled` run before the next input

    def _deliver(self, out: Out) -> None:
        """Deliver events first, each to all who may see it, then the asks that are still open."""
        players, view, asks = self.players, self.match.state.view, []
        for notice in out.notices:
            if isinstance(notice, Event):
                for seat, player in enumerate(players):
                    if (seen := notice.seen_by(seat)) is not None:
                        player.tell(seen, view(seat) if player.follows else None)
            elif isinstance(notice, Asked):
                asks.append(notice)
            elif isinstance(notice, Over):
                for seat, player in enumerate(players):
                    player.tell(self.told(notice), view(seat))
            else:
                player = players[notice.seat]
                player.tell(notice, view(notice.seat) if player.follows else None)
        for asked in asks:
            open = self.match.open.get(asked.seat)
            if open is not None and open.n == asked.n:
                players[asked.seat].tell(asked, view(asked.seat))

    def told(self, over: Over) -> Over:
        """The end with the location of the record and the signature, which is made only once."""
        if self._over is None:
            header, sign = self.match.header, self.sign
            signed = None if sign is None else sign(header.match, self.match.header_hash, over.head, over.end)
            self._over = replace(over, record=self._record, signed=signed)
        return self._over

    def _set_alarm(self) -> None:
        """Set the alarm for the next deadline. An earlier alarm is kept and set again when it rings: that is cheaper,
        because nearly every answer moves the deadline."""
        due = self.match.due()
        if due is None or (self._alarm is not None and self._alarm_at <= due):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._alarm_at = self._loop.call_at(due, self._ring), due

    def _ring(self) -> None:
        self._alarm = None  # so that the alarm is set again if it rang early
        self._receive(self._time())


def _record_of(match: Match[Any], out: Out, seat: Seat) -> int:
    """The number of the record with a seat's input; others whose time is up may come before it."""
    first = match.records - len(out.lines)
    records = (read_record(line, first + place + 1) for place, line in enumerate(out.lines))
    own = (place for place, record in enumerate(records) if isinstance(record, Line) and record.by == seat)
    return first + next(own, 0)
