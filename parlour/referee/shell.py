"""The asynchronous shell: waits, stores, delivers. One mailbox, and therefore no locks."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from parlour.core import (
    Asked,
    Fault,
    IllegalAction,
    Join,
    Leave,
    Over,
    Question,
    Refused,
    Replied,
    Result,
    Seat,
    Signature,
    Sitting,
    Table,
    Void,
)
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out
from parlour.referee.player import Player, place_of

Keep: TypeAlias = Callable[[Sequence[bytes]], Awaitable[None]]
"""Makes lines durable. Nobody is told of an input before its lines are kept."""

Timed: TypeAlias = Callable[[float], None]
"""Hears how many seconds went by from when an answer came until everybody was told what follows from it."""


WILLED = frozenset({"quit", "flood"})
"""Reasons to leave that are the player's own doing, and no lost connection."""

Sign: TypeAlias = Callable[[str, str, str, Result | Void], Signature]
"""Signs the end of a match: its name, the hashes of its header and of its end line, and its result."""


class Letter(Struct, frozen=True):
    """What a seat said, and when it arrived."""

    seat: Seat
    said: Any
    n: int | None
    at: float


class Arrival(Struct, frozen=True):
    """Somebody wants to join; the future is told the seat, or None if there is none."""

    player: Player
    sitting: Callable[[Seat], Sitting]
    seat: "asyncio.Future[Seat | None]"

    def tell(self, seat: Seat | None) -> None:
        if not self.seat.done():  # nobody may wait for it any more
            self.seat.set_result(seat)


class Return(Struct, frozen=True):
    """Somebody is back at a seat, or somebody else sits there now."""

    seat: Seat
    player: Player


class Shell:
    """Plays one match with players who take their time."""

    def __init__(
        self,
        match: Match[Any],
        players: Sequence[Player],
        *,
        keep: Keep | None = None,
        watch: Watch | None = None,
        record: str | None = None,
        timed: Timed | None = None,
    ) -> None:
        self.match = match
        self.players = list(players)
        self._keep = keep
        self._watch = watch
        self._record = record
        self.timed = timed
        self.sign: Sign | None = None
        """Signs the end, once it is kept."""
        self._over: Over | None = None
        """The end as everybody is told it."""
        self._mail: asyncio.Queue[Letter | Arrival | Return | Table | float] = asyncio.Queue()
        """What seats have said, who has come, what the table does, and when the alarm rang, as it happened."""
        self._lost = False
        """Whether something could not be kept."""
        self._coming: Arrival | None = None
        """Who is let in, and hears of it once that is kept."""
        self._alarm: asyncio.Handle | None = None
        self._alarm_at = 0.0
        """When it rings; not every loop's handles can tell."""
        self._ended = False
        self._told_end = False
        """Whether it has ended as a match does, and everybody was told so."""
        self._durable = asyncio.Event()
        """Set while all that has happened is kept."""
        self._durable.set()
        self._looking = 0
        """How many wait for that."""

    async def settled(self) -> bool:
        """Wait until all that has happened is kept, so that it may be looked at; False: it never will be."""
        self._looking += 1
        try:
            while not self._durable.is_set():  # more may have happened by the time we are told
                await self._durable.wait()
        finally:
            self._looking -= 1
        return not self._lost

    async def run(self, begun: Out | None = None) -> Result | Void:
        """Play to the end; `begun` is what a resumed match gave already."""
        match = self.match
        self._time = asyncio.get_running_loop().time
        try:
            out = begun or match.begin(self._time())
            self._seat()
            await self._put(out)
            while match.end is None:
                await self._play(await self._mail.get())
            self._told_end = True
            return match.end
        finally:
            self._ended = True
            if self._alarm is not None:
                self._alarm.cancel()
            if self._coming is not None:
                self._coming.tell(None)
            while not self._mail.empty():
                self._come_too_late(self._mail.get_nowait())

    def _come_too_late(self, letter: Letter | Arrival | Return | Table | float) -> None:
        if isinstance(letter, Arrival):
            letter.tell(None)
        elif isinstance(letter, Return) and self._told_end:
            self._let_back(letter)

    async def _play(self, letter: Letter | Arrival | Return | Table | float) -> None:
        out = self._take(letter)
        await self._put(out)
        if self.timed is not None and isinstance(letter, Letter) and out.lines:
            self.timed(self._time() - letter.at)

    def _seat(self) -> None:
        match = self.match
        for seat, player in enumerate(self.players):
            player.sit(place_of(match, seat), match.state.view(seat), partial(self._post, seat))

    def _post(self, seat: Seat, said: Any, n: int | None) -> None:
        self._mail.put_nowait(Letter(seat, said, n, self._time()))

    async def join(self, player: Player, sitting: Callable[[Seat], Sitting]) -> Seat | None:
        """Let somebody in, under what it is called at the seat it gets; None if the game takes nobody now."""
        if self._ended:
            return None
        seat: asyncio.Future[Seat | None] = asyncio.get_running_loop().create_future()
        self._mail.put_nowait(Arrival(player, sitting, seat))
        return await seat

    def back(self, seat: Seat, player: Player) -> None:
        """Put somebody into a seat of which the connection was lost. Its time has gone on; after the end of the match
        it is told that. Where the match was stopped before its end, nobody listens any more."""
        back = Return(seat, player)
        if self._ended:
            self._come_too_late(back)
        else:
            self._mail.put_nowait(back)

    def act(self, act: Table) -> None:
        """Let the table do something: close a round, or stop the match."""
        self._mail.put_nowait(act)

    def _take(self, letter: Letter | Arrival | Return | Table | float) -> Out:
        if isinstance(letter, float):
            return self.match.expire(letter)
        if isinstance(letter, Letter):
            return self._hear(letter)
        if isinstance(letter, Arrival):
            return self._let_in(letter)
        if isinstance(letter, Return):
            self._let_back(letter)
            return Out([], [])
        with contextlib.suppress(IllegalAction):  # it came too late
            if isinstance(letter, Leave):
                return self._leave(letter, self._time())
            return self.match.table(letter, self._time())
        return Out([], [])

    def _let_in(self, arrival: Arrival) -> Out:
        match, seat = self.match, len(self.match.names)
        sitting = arrival.sitting(seat)
        with contextlib.suppress(IllegalAction):
            out = match.table(Join(sitting.name, sitting.salt), self._time())
            if len(match.names) > seat:
                self.players.append(arrival.player)
                self._coming = arrival
                return out
        arrival.tell(None)
        return Out([], [])

    def _seat_newcomer(self) -> None:
        match, seat, coming = self.match, len(self.players) - 1, self._coming
        if coming is not None:
            self._coming = None
            coming.player.sit(place_of(match, seat), match.state.view(seat), partial(self._post, seat))
            coming.tell(seat)

    def _let_back(self, back: Return) -> None:
        """Told where it is, and what it is asked now; who has left is asked nothing, but may see the end."""
        match, seat = self.match, back.seat
        self.players[seat] = back.player
        view = match.state.view(seat)
        back.player.sit(place_of(match, seat), view, partial(self._post, seat))
        for asked in match.asked_again(seat):
            back.player.tell(asked, view)
        if match.over is not None:
            back.player.tell(self._told(match.over), view)

    def _hear(self, letter: Letter) -> Out:
        match, seat, said = self.match, letter.seat, letter.said
        if isinstance(said, Leave):
            return self._leave(Leave(seat, said.why), letter.at)
        if isinstance(said, Question) and match.game.rules.query is not None:
            return Out([], [self._reply(seat, said)])
        return match.answer(seat, said, letter.at, letter.n)

    def _leave(self, leave: Leave, now: float) -> Out:
        """A player who disconnects when it has finished stays in the match, and needs not be there to hear its end.

        If its protocol still owes an answer that it has words for, the player has left without giving it.
        """
        match, seat = self.match, leave.seat
        if leave.why not in WILLED and match.has_finished(seat):
            open = match.open.get(seat)
            if open is None:
                return Out([], [])
            if (answer := self.players[seat].auto(open.ask)) is not None:
                return match.answer(seat, answer, now, open.n)
        return match.table(leave, now)

    def _reply(self, seat: Seat, asked: Question) -> Replied | Refused:
        query = self.match.game.rules.query
        assert query is not None
        try:
            return Replied(seat, asked.id, query(self.match.state.view(seat), asked.question))
        except Exception:  # a bug of ours, but a question changes nothing, so the match goes on
            return Refused(seat, 0, Fault("unasked", "no_reply", "that question cannot be answered"), None, 0)

    async def _put(self, out: Out) -> None:
        """Store, then tell."""
        if self._keep is not None and out.lines:
            await self._made_durable(self._keep, out.lines)
        if self._watch is not None:
            self._watch(self.match, out)
        self._seat_newcomer()
        self.match.put(out, self._time())
        for seat in range(len(self.players)):
            self._deliver(seat, out)
        self._set_alarm()
        if self._looking:
            await asyncio.sleep(0)  # or more might happen before they come to look

    async def _made_durable(self, keep: Keep, lines: Sequence[bytes]) -> None:
        self._durable.clear()
        self._lost = True  # unless it is kept
        try:
            await keep(lines)
            self._lost = False
        finally:
            self._durable.set()

    def _deliver(self, seat: Seat, out: Out) -> None:
        """Events first, asks last and only if still open, their view built at this moment."""
        tell, asked = self.players[seat].tell, None
        for notice in out.to(seat):
            if isinstance(notice, Asked):
                asked = notice
            elif isinstance(notice, Over):
                tell(self._told(notice), self.match.state.view(seat))
            else:
                tell(notice, self.match.state.view(seat) if self.players[seat].follows else None)
        if asked is not None:
            open = self.match.open.get(seat)
            if open is not None and open.n == asked.n:
                tell(asked, self.match.state.view(seat))

    def _told(self, over: Over) -> Over:
        """With where the record is, and signed once for everybody."""
        if self._over is None:
            header, sign = self.match.header, self.sign
            signed = None if sign is None else sign(header.match, self.match.header_hash, over.head, over.end)
            self._over = replace(over, record=self._record, signed=signed)
        return self._over

    def _set_alarm(self) -> None:
        """An alarm that rings too early is left alone, and set again when it has: nearly all are, as every answer in
        time puts the next one off."""
        due = self.match.due()
        if due is None or (self._alarm is not None and self._alarm_at <= due):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._alarm_at = asyncio.get_running_loop().call_at(due, self._ring), due

    def _ring(self) -> None:
        self._alarm = None  # it may have rung a little early, and must then be set again
        self._mail.put_nowait(self._time())
