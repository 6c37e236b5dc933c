"""The asynchronous shell: waits, stores, delivers. One mailbox, and therefore no locks."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from parlour.core import Asked, Fault, Leave, Over, Question, Refused, Replied, Result, Seat, Void
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out
from parlour.referee.player import Player, place_of

Keep: TypeAlias = Callable[[Sequence[bytes]], Awaitable[None]]
"""Makes lines durable. Nobody is told of an input before its lines are kept."""


class Letter(Struct, frozen=True):
    """What a seat said, and when it arrived."""

    seat: Seat
    said: Any
    n: int | None
    at: float


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
    ) -> None:
        self.match = match
        self.players = players
        self._keep = keep
        self._watch = watch
        self._record = record
        self._mail: asyncio.Queue[Letter | float] = asyncio.Queue()
        """What seats have said, and when the alarm rang, in the order in which it happened."""
        self._alarm: asyncio.TimerHandle | None = None

    async def run(self, begun: Out | None = None) -> Result | Void:
        """Play to the end; `begun` is what a resumed match gave already."""
        match = self.match
        self._time = asyncio.get_running_loop().time
        try:
            out = begun or match.begin(self._time())
            self._seat()
            await self._put(out)
            while match.end is None:
                letter = await self._mail.get()
                await self._put(match.expire(letter) if isinstance(letter, float) else self._take(letter))
            return match.end
        finally:
            if self._alarm is not None:
                self._alarm.cancel()

    def _seat(self) -> None:
        match = self.match
        for seat, player in enumerate(self.players):
            player.sit(place_of(match, seat), match.state.view(seat), partial(self._post, seat))

    def _post(self, seat: Seat, said: Any, n: int | None) -> None:
        self._mail.put_nowait(Letter(seat, said, n, self._time()))

    def _take(self, letter: Letter) -> Out:
        match, seat, said = self.match, letter.seat, letter.said
        if isinstance(said, Leave):
            return match.table(Leave(seat, said.why), letter.at)
        if isinstance(said, Question) and match.game.query is not None:
            return Out([], [self._reply(seat, said)])
        return match.answer(seat, said, letter.at, letter.n)

    def _reply(self, seat: Seat, asked: Question) -> Replied | Refused:
        query = self.match.game.query
        assert query is not None
        try:
            return Replied(seat, asked.id, query(self.match.state.view(seat), asked.question))
        except Exception:  # a bug of ours, but a question changes nothing, so the match goes on
            return Refused(seat, 0, Fault("unasked", "no_reply", "that question cannot be answered"), None, 0)

    async def _put(self, out: Out) -> None:
        """Store, then tell."""
        if self._keep is not None and out.lines:
            await self._keep(out.lines)
        if self._watch is not None:
            self._watch(self.match, out)
        self.match.put(out, self._time())
        for seat in range(len(self.players)):
            self._deliver(seat, out)
        self._set_alarm()

    def _deliver(self, seat: Seat, out: Out) -> None:
        """Events first, asks last and only if still open, their view built at this moment."""
        tell, asked = self.players[seat].tell, None
        for notice in out.to(seat):
            if isinstance(notice, Asked):
                asked = notice
            elif isinstance(notice, Over):
                tell(replace(notice, record=self._record), self.match.state.view(seat))
            else:
                tell(notice, None)
        if asked is not None:
            open = self.match.open.get(seat)
            if open is not None and open.n == asked.n:
                tell(asked, self.match.state.view(seat))

    def _set_alarm(self) -> None:
        due = self.match.due()
        if self._alarm is not None:
            if self._alarm.when() == due:
                return
            self._alarm.cancel()
            self._alarm = None
        if due is not None:
            self._alarm = asyncio.get_running_loop().call_at(due, self._ring)

    def _ring(self) -> None:
        self._alarm = None  # it may have rung a little early, and must then be set again
        self._mail.put_nowait(self._time())
