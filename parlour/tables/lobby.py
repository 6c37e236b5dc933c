"""A table that players sign up for over one or more ports, until it is time to begin; then the next one opens.

There is one line for all who come. Some protocols let a late comer wait, and stay for the next match; others do not.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from parlour.core import Close, Dialect, Result, Seat, Sitting, Stop
from parlour.players.bots import Bots
from parlour.players.load import Spec
from parlour.players.play import Played, Terms
from parlour.players.remote import NotIntroduced, RemotePlayer
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out
from parlour.referee.shell import Shell
from parlour.referee.transcript import header
from parlour.tables.door import Door
from parlour.tables.host import NewTable
from parlour.transports.framing import Framing, framing
from parlour.transports.tcp import SocketPeer

MOST_WAITING = 32


class Waits(Struct, frozen=True, kw_only=True):
    """How long things may take."""

    period_s: float = 20.0
    """Players may sign up for so long, and once more for so long if they are too few."""
    name_s: float = 2.0
    cap_s: float = 3600.0
    """A match is stopped and scored after so long."""
    patient: bool = True
    """Whether to go on waiting for those whose protocol has no word for a match that does not come about."""


class Guest(Struct, eq=False):
    """Somebody in line."""

    player: RemotePlayer
    peer: SocketPeer
    name: str | None
    """None: as its protocol calls who has no name."""
    waits: bool = False
    """Whether it has been told to wait."""

    @property
    def stays(self) -> bool:
        return self.player.dialect.stays


class Signed(Struct, frozen=True):
    """A match that was signed up for, and who had withdrawn before it began."""

    played: Played
    withdrawn: frozenset[Seat]

    def winners(self) -> list[str]:
        end = self.played.end
        ranks = end.ranks if isinstance(end, Result) else ()
        return sorted(self.played.match.names[seat] for seat, rank in enumerate(ranks) if rank == 1)

    def removed(self) -> list[str]:
        """Whoever did not stay to the end, for whatever reason."""
        match = self.played.match
        return sorted(match.names[seat] for seat in match.gone if seat not in self.withdrawn)


class Lobby:
    """Listens, keeps the line, and plays one match after the other."""

    def __init__(
        self,
        terms: Terms,
        seats: range,
        bots: Sequence[Spec],
        new_table: NewTable,
        *,
        waits: Waits | None = None,
        places: int | None = None,
    ) -> None:
        self._terms = terms
        self._fewest = seats[0]
        """With fewer players no match begins."""
        self._most = seats[-1] if places is None else min(seats[-1], places)
        """The most who can sign up: a prepared position has so many places. It may have fewer than a match needs."""
        self._bots = bots
        self._new_table = new_table
        self._waits = waits or Waits()
        self._line: deque[Guest] = deque()
        self._came = asyncio.Event()
        self._open = False
        """Whether players can sign up just now."""
        self._door = Door()
        self.joined: Callable[[str, int], None] = lambda name, missing: None
        """Told of everybody who signs up, and how many could still come."""

    # The door

    async def listen(self, address: str, fronts: Sequence[tuple[int, Callable[[], Dialect]]]) -> list[int]:
        """Accept connections, each protocol on a port of its own; returns the ports, in order."""
        return [
            await self._door.open(address, port, partial(_framing, make), partial(self._welcome, make))
            for port, make in fronts
        ]

    async def close(self) -> None:
        """Accept nobody any more and let everybody go."""
        await self._door.close()

    async def _welcome(self, make: Callable[[], Dialect], peer: SocketPeer) -> None:
        player, name = RemotePlayer(peer, make()), None
        if player.dialect.introduces:
            try:
                name = (await player.introduced(self._terms.hello(b"", 0), self._waits.name_s)).name
            except NotIntroduced:
                await peer.close()
                return
        if player.talked:  # a name and more in one breath
            await peer.close()
            return
        player.wait()
        guest = Guest(player, peer, name)
        if self._open:
            self._line.append(guest)
            self._came.set()
        else:
            await self._too_late(guest)

    async def _too_late(self, guest: Guest) -> None:
        """Nobody can sign up now: some may wait in line, if it is not too long."""
        self._forget()
        if not guest.stays or len(self._line) >= MOST_WAITING:
            await guest.peer.close()
            return
        if not guest.waits:
            guest.waits = True
            guest.peer.send(guest.player.dialect.late())
        self._line.append(guest)

    def _forget(self) -> None:
        """Who did not wait has no place in the line."""
        self._line = deque(guest for guest in self._line if guest.peer.gone is None)

    # A match

    async def play(self) -> Signed | None:
        """Let players sign up and play; None if they were too few, and are gone."""
        seed, watch = self._new_table()
        terms = self._terms
        head = header(
            terms.game,
            [],
            seed,
            options=terms.options,
            start=terms.start,
            limits=terms.limits,
            bears=terms.bears,
            eager=False,
        )
        match: Match[Any] = Match(terms.game, head, seed)
        guests: dict[Seat, Guest] = {}
        withdrawn: set[Seat] = set()
        shell = Shell(match, [], watch=self._watched(watch, guests, withdrawn), record=terms.record)
        table = _Table(shell, guests, seed, terms, withdrawn)
        running = asyncio.ensure_future(shell.run())
        alarm: asyncio.TimerHandle | None = None
        try:
            if not await _unless(running, self._sign_up(table)):
                for guest in guests.values():
                    await guest.peer.close()
                return None
            alarm = asyncio.get_running_loop().call_later(self._waits.cap_s, shell.act, Stop())
            end = await running
            self._see_off(guests, match)
            await table.bots.close()
            if watch is not None:
                watch(match, Out([match.reveal()], []))
            return Signed(Played(match, end, table.bots.stderr, {}), frozenset(table.withdrawn))
        finally:
            self._open = False
            running.cancel()
            if alarm is not None:
                alarm.cancel()
            await table.bots.close()

    async def _sign_up(self, table: "_Table") -> bool:
        """Whether a match comes about (RULES of the game say when): full at once, or enough at the end of a period."""
        self._open = True
        for bot in self._bots:
            await table.bots.join(table.shell, bot)
        loop = asyncio.get_running_loop()
        periods = 0
        due = loop.time() + self._waits.period_s
        while not self._is_full(table):
            self._forget()
            if table.here() >= self._most:
                self._open = False  # but a match needs more; nobody else can sign up
                await self._turn_away()
            if self._open and self._line:
                if not await self._seat(table, self._line.popleft()):
                    break
            elif due <= loop.time():
                periods += 1
                if table.here() >= self._fewest:
                    break
                if periods >= 2 and not (self._waits.patient and table.patient()):
                    return False
                due += self._waits.period_s
                await asyncio.sleep(0)
            else:
                await self._somebody(due - loop.time())
        self._open = False
        table.shell.act(Close())  # at once: who leaves from now on has not just withdrawn
        await self._turn_away()
        return True

    def _is_full(self, table: "_Table") -> bool:
        """Whether the match can begin at once. From a position for nobody it can, and is over."""
        return table.here() >= self._most and (self._most >= self._fewest or not self._most)

    async def _turn_away(self) -> None:
        """Those in line have come too late."""
        late, self._line = self._line, deque()
        for guest in late:
            await self._too_late(guest)

    async def _somebody(self, within_s: float) -> None:
        self._came.clear()
        try:
            async with asyncio.timeout(max(0.0, within_s)):
                await self._came.wait()
        except TimeoutError:
            pass

    async def _seat(self, table: "_Table", guest: Guest) -> bool:
        """Whether there was room."""
        seat = await table.shell.join(guest.player, table.called(guest))
        if seat is None:
            self._line.appendleft(guest)
            return False
        table.guests[seat] = guest
        guest.waits = False
        self.joined(table.shell.match.names[seat], self._most - table.here())
        return True

    def _watched(self, watch: Watch | None, guests: dict[Seat, Guest], withdrawn: set[Seat]) -> Watch:
        """Whoever is removed is disconnected at once; until the table is closed, they have only withdrawn.

        Nothing is told of a table that nobody comes to.
        """
        held: list[Out] = []
        closed: set[Seat] = set()

        def seen(match: Match[Any], out: Out) -> None:
            held.append(out)
            registers = None in match.state.asks()
            if registers:
                withdrawn.update(match.gone)
            if watch is not None and (match.names or not registers):
                for each in held:
                    watch(match, each)
                held.clear()
            for seat in guests.keys() & match.gone.keys() - closed:
                closed.add(seat)
                self._door.run(guests[seat].peer.close())

        return seen

    def _see_off(self, guests: Mapping[Seat, Guest], match: Match[Any]) -> None:
        """Who may stay is first in line for the next match; the others are let go."""
        stay = [guest for seat, guest in guests.items() if seat not in match.gone and guest.stays]
        for guest in guests.values():
            if guest not in stay:
                self._door.run(guest.peer.close())
            else:
                guest.player.wait()
        self._line.extendleft(reversed(stay))


class _Table:
    """One match while it is signed up for."""

    def __init__(
        self, shell: Shell, guests: dict[Seat, Guest], seed: bytes, terms: Terms, withdrawn: set[Seat]
    ) -> None:
        self.shell = shell
        self.guests = guests
        self.withdrawn = withdrawn
        self.bots = Bots(terms, seed)
        self._seed = seed
        self._terms = terms

    def here(self) -> int:
        """How many have signed up, without who has hung up, even if the match has yet to hear of it."""
        match, hung_up = self.shell.match, [seat for seat, guest in self.guests.items() if guest.peer.gone is not None]
        return len(match.names) - len({*match.gone, *hung_up})

    def patient(self) -> bool:
        """Whether anybody is here whose protocol has no word for a match that does not come about."""
        return any(guest.stays and seat not in self.shell.match.gone for seat, guest in self.guests.items())

    def called(self, guest: Guest) -> Callable[[Seat], Sitting]:
        dialect = guest.player.dialect

        def sitting(seat: Seat) -> Sitting:
            return Sitting(guest.name or dialect.nameless(self._terms.hello(self._seed, seat)))

        return sitting


async def _unless(running: "asyncio.Future[Any]", work: Coroutine[Any, Any, bool]) -> bool:
    """Do the work, unless what runs beside it comes to an end first, which then is the trouble."""
    doing = asyncio.ensure_future(work)
    try:
        await asyncio.wait([running, doing], return_when=asyncio.FIRST_COMPLETED)
        return await doing if doing.done() else bool(await running)
    finally:
        doing.cancel()


def _framing(make: Callable[[], Dialect]) -> Framing:
    return framing(make().frames)
