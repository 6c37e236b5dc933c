"""A table with a sign-up period on one or more ports; after its match the next table opens.

All clients wait in one queue. Some protocols let a late client wait and stay for the next match; others do not.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from parlour.core import Close, Dialect, Result, Seat, Sitting, Stop
from parlour.players.play import Played
from parlour.players.player_specs import Spec
from parlour.players.remote import NotIntroduced, RemotePlayer
from parlour.players.starter import Starter
from parlour.players.terms import Terms
from parlour.referee.driver import Watch
from parlour.referee.log import Log, done
from parlour.referee.match import Match, Out
from parlour.referee.shell import Shell
from parlour.referee.transcript import header
from parlour.tables.host import NewTable
from parlour.tables.house import MOST_WAITING, Waits
from parlour.tables.tcp_listener import TcpListener
from parlour.transports.framing import Framing, framing
from parlour.transports.tcp import SocketPeer


class Guest(Struct, eq=False):
    """A client in the queue."""

    player: RemotePlayer
    peer: SocketPeer
    name: str | None
    """None: its protocol has no names, and the dialect chooses one."""
    waits: bool = False
    """Whether the client has been told to wait."""

    @property
    def stays(self) -> bool:
        return self.player.dialect.stays


class Signed(Struct, frozen=True):
    """A finished match, and the seats that withdrew during sign-up."""

    played: Played
    withdrawn: frozenset[Seat]

    def winners(self) -> list[str]:
        end = self.played.end
        ranks = end.ranks if isinstance(end, Result) else ()
        return sorted(self.played.match.names[seat] for seat, rank in enumerate(ranks) if rank == 1)

    def removed(self) -> list[str]:
        """The players that left or were removed during the match."""
        match = self.played.match
        return sorted(match.names[seat] for seat in match.gone if seat not in self.withdrawn)


class Lobby:
    """Listens, queues clients, and plays one match after the other."""

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
        """The fewest players that a match needs."""
        self._most = seats[-1] if places is None else min(seats[-1], places)
        """The most players that can sign up. A prepared position may have fewer places than a match needs."""
        self._bots = bots
        self._new_table = new_table
        self._waits = waits or Waits()
        self._line: deque[Guest] = deque()
        self._came = asyncio.Event()
        self._open = False
        """Whether players can sign up now."""
        self._listener = TcpListener()
        self.joined: Callable[[str, int], None] = lambda name, missing: None
        """Called with the name of each player that signs up, and how many more can."""

    # Connections

    async def listen(self, address: str, fronts: Sequence[tuple[int, Callable[[], Dialect]]]) -> list[int]:
        """Listen on one port for each protocol; returns the ports in order."""
        return [
            await self._listener.open(address, port, partial(_framing, make), partial(self._welcome, make))
            for port, make in fronts
        ]

    async def close(self) -> None:
        """Stop listening and close all connections."""
        await self._listener.close()

    async def _welcome(self, make: Callable[[], Dialect], peer: SocketPeer) -> None:
        player, name = RemotePlayer(peer, make()), None
        if player.dialect.introduces:
            try:
                name = (await player.introduced(self._terms.hello(b"", 0), self._waits.name_s)).name
            except NotIntroduced:
                await peer.close()
                return
        if player.talked:  # the client sent more than its name
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
        """Sign-up is closed: queue the client if its protocol allows and the queue is not full; else disconnect it."""
        self._forget()
        if not guest.stays or len(self._line) >= MOST_WAITING:
            await guest.peer.close()
            return
        if not guest.waits:
            guest.waits = True
            guest.player.send(guest.player.dialect.late())
        self._line.append(guest)

    def _forget(self) -> None:
        """Remove disconnected clients from the queue."""
        self._line = deque(guest for guest in self._line if guest.peer.gone is None)

    # A match

    async def play(self) -> Signed | None:
        """Sign up players and play; None if there were too few, who are then disconnected."""
        it, terms = self._new_table(), self._terms
        head = header(
            terms.game,
            [],
            it.seed,
            options=terms.options,
            start=terms.start,
            limits=terms.limits,
            bears=terms.bears,
            eager=False,
        )
        match: Match[Any] = Match(terms.game, head, it.seed)
        guests: dict[Seat, Guest] = {}
        withdrawn: set[Seat] = set()
        log = None if it.log is None else _DeferredLog(it.log, match)
        shell = Shell(match, [], log=log, watch=self._watched(it.watch, guests, withdrawn), record=terms.record)
        table = _Table(shell, guests, it.seed, terms, withdrawn)
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
            await done(shell.log.end(match))
            return Signed(Played(match, end, table.bots.stderr, {}), frozenset(table.withdrawn))
        finally:
            self._open = False
            running.cancel()
            if alarm is not None:
                alarm.cancel()
            await table.bots.close()

    async def _sign_up(self, table: "_Table") -> bool:
        """Wait until the table is full, or has enough players at the end of a period; False if it never has."""
        self._open = True
        for bot in self._bots:
            await table.bots.join(table.shell, bot)
        loop = asyncio.get_running_loop()
        periods = 0
        due = loop.time() + self._waits.period_s
        while not self._is_full(table):
            self._forget()
            if table.here() >= self._most:
                self._open = False  # no more places, but the match needs more players
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
        table.shell.act(Close())  # before any await: players that leave from now on have not merely withdrawn
        await self._turn_away()
        return True

    def _is_full(self, table: "_Table") -> bool:
        """Whether the match can begin at once. A position without places begins too, and is over at once."""
        return table.here() >= self._most and (self._most >= self._fewest or not self._most)

    async def _turn_away(self) -> None:
        """Sign-up is closed for all clients in the queue."""
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
        """Seat a client; False if there was no room."""
        seat = await table.shell.join(guest.player, table.called(guest))
        if seat is None:
            self._line.appendleft(guest)
            return False
        table.guests[seat] = guest
        guest.waits = False
        self.joined(table.shell.match.names[seat], self._most - table.here())
        return True

    def _watched(self, watch: Watch | None, guests: dict[Seat, Guest], withdrawn: set[Seat]) -> Watch:
        """Wrap a watcher: disconnect removed players at once, and note who withdraws during sign-up.

        The watcher is not called for a table that no player signs up for.
        """
        held: list[Out] = []
        closed: set[Seat] = set()

        def seen(match: Match[Any], out: Out) -> None:
            held.append(out)
            if _registers(match):
                withdrawn.update(match.gone)
            if watch is not None and _has_players(match):
                for each in held:
                    watch(match, each)
                held.clear()
            for seat in guests.keys() & match.gone.keys() - closed:
                closed.add(seat)
                self._listener.run(guests[seat].peer.close())

        return seen

    def _see_off(self, guests: Mapping[Seat, Guest], match: Match[Any]) -> None:
        """Put clients that stay first in the queue for the next match; disconnect the others."""
        stay = [guest for seat, guest in guests.items() if seat not in match.gone and guest.stays]
        for guest in guests.values():
            if guest not in stay:
                self._listener.run(guest.peer.close())
            else:
                guest.player.wait()
        self._line.extendleft(reversed(stay))


class _Table:
    """One match and its sign-ups."""

    def __init__(
        self, shell: Shell, guests: dict[Seat, Guest], seed: bytes, terms: Terms, withdrawn: set[Seat]
    ) -> None:
        self.shell = shell
        self.guests = guests
        self.withdrawn = withdrawn
        self.bots = Starter(terms, seed)
        self._seed = seed
        self._terms = terms

    def here(self) -> int:
        """How many have signed up and are still connected, even if the match has not been told yet."""
        match, hung_up = self.shell.match, [seat for seat, guest in self.guests.items() if guest.peer.gone is not None]
        return len(match.names) - len({*match.gone, *hung_up})

    def patient(self) -> bool:
        """Whether a player is here whose protocol cannot express that a match does not begin."""
        return any(guest.stays and seat not in self.shell.match.gone for seat, guest in self.guests.items())

    def called(self, guest: Guest) -> Callable[[Seat], Sitting]:
        dialect = guest.player.dialect

        def sitting(seat: Seat) -> Sitting:
            return Sitting(guest.name or dialect.nameless(self._terms.hello(self._seed, seat)))

        return sitting


class _DeferredLog:
    """Writes nothing as long as no player has signed up."""

    def __init__(self, log: Log, match: Match[Any]) -> None:
        self._log = log
        self._match = match
        self._held: list[bytes] = []

    def write(self, lines: Sequence[bytes]) -> Awaitable[None] | None:
        self._held += lines
        if not _has_players(self._match):
            return None
        held, self._held = self._held, []
        return self._log.write(held)

    def end(self, match: Match[Any]) -> Awaitable[None] | None:
        return self._log.end(match)


def _registers(match: Match[Any]) -> bool:
    """Whether players can still sign up."""
    return None in match.state.asks()


def _has_players(match: Match[Any]) -> bool:
    return bool(match.names) or not _registers(match)


async def _unless(running: "asyncio.Future[Any]", work: Coroutine[Any, Any, bool]) -> bool:
    """Do the work; if `running` ends first, it has failed, and its exception is raised."""
    doing = asyncio.ensure_future(work)
    try:
        await asyncio.wait([running, doing], return_when=asyncio.FIRST_COMPLETED)
        return await doing if doing.done() else bool(await running)
    finally:
        doing.cancel()


def _framing(make: Callable[[], Dialect]) -> Framing:
    return framing(make().frames)
