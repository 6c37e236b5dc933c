"""A table that clients join over TCP in the game's own protocol; when it is full, the match begins."""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from parlour.core import Dialect, Leave, Seat, Sitting
from parlour.players.play import Guest, Played, play_async
from parlour.players.player_specs import Spec
from parlour.players.remote import NotIntroduced, RemotePlayer, Returns
from parlour.players.terms import Terms
from parlour.referee.shell import Shell
from parlour.tables.house import NextMatch
from parlour.tables.tcp_listener import TcpListener
from parlour.transports.framing import framing
from parlour.transports.limits import PRESSED_S, RETURN_S
from parlour.transports.peer import Peer

NewTable: TypeAlias = Callable[[], NextMatch]


class Host:
    """Listens, seats clients that introduce themselves, and plays a match for each full table.

    A seat is reserved while a client introduces itself, because some protocols tell it the seat before. If the protocol
    has tokens, the client introduces itself first, because it may resume a seat and need no new one.
    When all seats are taken, a client waits until one is free or the next table opens.
    """

    def __init__(
        self,
        terms: Terms,
        seats: int,
        bots: Sequence[Spec],
        dialect: Callable[[], Dialect],
        new_table: NewTable,
        *,
        return_s: float = RETURN_S,
    ) -> None:
        self._terms = terms
        self.seats = seats
        self._wanted = seats - len(bots)
        self._bots = bots
        self._dialect = dialect
        self._new_table = new_table
        self._return_s = return_s
        self._open = new_table()
        self._guests: dict[Seat, Guest] = {}
        """The clients seated at the open table."""
        self._free: asyncio.PriorityQueue[Seat] = asyncio.PriorityQueue()
        """Its seats that are neither taken nor reserved."""
        self._in_line = 0
        """How many clients wait for a seat."""
        self._greeted: set[RemotePlayer] = set()
        """Clients with a reserved seat that have not introduced themselves."""
        self._open_seats(range(self._wanted))
        self._kept: dict[str, KeptSeat] = {}
        """By token, the seats of running matches that can be resumed."""
        self._listener = TcpListener()
        self._played: asyncio.Queue[Played | Exception] = asyncio.Queue()
        self.playing = 0
        """Number of running matches."""
        self.joined: Callable[[str, int], None] = lambda name, missing: None
        """Called with the name of each client that is seated, and the number of seats still open."""

    async def listen(self, address: str, port: int) -> int:
        """Listen on a port; returns its number, which the system chooses if it was 0."""
        return await self._listener.open(address, port, lambda: framing(self._dialect().frames), self._welcome)

    async def next(self) -> Played:
        """Wait for the next match to end. Raises the error, such as CannotPlay, if one could not begin."""
        played = await self._played.get()
        if isinstance(played, Exception):
            raise played
        return played

    async def close(self) -> None:
        """Stop listening and close all connections."""
        await self._listener.close()

    def _open_seats(self, seats: Iterable[Seat]) -> None:
        for seat in seats:
            self._free.put_nowait(seat)

    def greet(self, peer: Peer, dialect: Dialect | None = None) -> None:
        """Handle a client from elsewhere, possibly with another dialect of the game."""
        self._listener.run(self._welcome(peer, dialect))

    def keeps(self, token: str) -> bool:
        """Whether a seat can be resumed with this token."""
        kept = self._kept.get(token)
        return kept is not None and not kept.over

    async def _welcome(self, peer: Peer, dialect: Dialect | None = None) -> None:
        player = RemotePlayer(peer, dialect or self._dialect())
        try:
            seat, sitting = await (self._named(player) if player.dialect.keeps else self._seated(player))
        except Returns as e:
            await self._come_back(player, e.token)
        except NotIntroduced:
            await peer.close()
        else:
            self._sit(seat, player, sitting)

    async def _named(self, player: RemotePlayer) -> tuple[Seat, Sitting]:
        """Introduction first, then a seat: a client that resumes needs no seat of the open table."""
        sitting = await self._introduced(player, -1, self._terms.handshake_s)
        return await self._seat(), sitting

    async def _seated(self, player: RemotePlayer) -> tuple[Seat, Sitting]:
        seat = await self._seat()
        self._greeted.add(player)
        try:
            return seat, await self._introduced(player, seat, self._patience_s())
        except NotIntroduced:
            self._open_seats([seat])
            raise
        finally:
            self._greeted.discard(player)

    async def _introduced(self, player: RemotePlayer, seat: Seat, limit_s: float) -> Sitting:
        return await player.introduced(self._terms.hello(self._open.seed, seat), limit_s)

    def _sit(self, seat: Seat, player: RemotePlayer, sitting: Sitting) -> None:
        self._guests[seat] = player, sitting
        self._open_seats(self._left())  # the client may have disconnected while it waited
        self.joined(sitting.name, self._wanted - len(self._guests))
        if len(self._guests) == self._wanted:
            guests = [self._guests.pop(seat) for seat in range(self._wanted)]
            table, self._open = self._open, self._new_table()
            self._open_seats(range(self._wanted))
            self._listener.run(self._match(guests, table))

    async def _seat(self) -> Seat:
        """Wait for a free seat. Clients that hold one without introducing themselves get less time."""
        self._in_line += 1
        self._open_seats(self._left())
        if self._free.empty():
            for other in self._greeted:
                other.hurry(PRESSED_S)
        try:
            return await self._free.get()
        finally:
            self._in_line -= 1

    def _patience_s(self) -> float:
        return min(PRESSED_S, self._terms.handshake_s) if self._in_line else self._terms.handshake_s

    def _left(self) -> list[Seat]:
        """Remove disconnected guests from the open table; returns their seats."""
        left = [seat for seat, (player, _) in self._guests.items() if player.peer.gone is not None]
        for seat in left:
            del self._guests[seat]
        return left

    async def _match(self, guests: Sequence[Guest], it: NextMatch) -> None:
        seats = [KeptSeat(seat, player) for seat, (player, _) in enumerate(guests) if player.dialect.keeps]
        for kept in seats:
            player = kept.player
            player.dialect.token = player.dialect.token or secrets.token_urlsafe()
            player.lost = partial(self._lose, kept)
            self._kept[player.dialect.token] = kept

        def opened(shell: Shell) -> None:
            for kept in seats:
                kept.shell = shell
                shell.players[kept.seat] = kept.player  # the client may have reconnected already

        self.playing += 1
        try:
            played = await play_async(self._terms, self._bots, it.seed, it.log, it.watch, guests, opened=opened)
            self._played.put_nowait(played)
        except Exception as e:
            self._played.put_nowait(e)
        finally:
            self.playing -= 1
            self._kept = {token: kept for token, kept in self._kept.items() if kept not in seats}
            for kept in seats:
                kept.forget()
            for player in {*(player for player, _ in guests), *(kept.player for kept in seats)}:
                await player.peer.close()

    def _lose(self, kept: "KeptSeat") -> None:
        """The connection is lost; the client has some time to resume."""
        kept.leaving = asyncio.get_running_loop().call_later(self._return_s, kept.leave)

    async def _come_back(self, player: RemotePlayer, token: str) -> None:
        kept = self._kept.get(token)
        if kept is None or kept.over:
            player.send(player.dialect.error("no_such_seat", "no seat is kept for this token"))
            await player.peer.close()
            return
        before, kept.player = kept.player, player
        kept.forget()
        before.let_go()
        player.dialect.token = token
        player.lost = partial(self._lose, kept)
        if kept.shell is not None:
            kept.shell.back(kept.seat, player)


class KeptSeat(Struct, eq=False):
    """A seat that its client can resume after losing the connection."""

    seat: Seat
    player: RemotePlayer
    shell: Shell | None = None
    leaving: asyncio.TimerHandle | None = None

    @property
    def over(self) -> bool:
        return self.shell is not None and self.shell.match.end is not None

    def forget(self) -> None:
        if self.leaving is not None:
            self.leaving.cancel()

    def leave(self) -> None:
        """The client did not resume in time."""
        if self.shell is not None:
            self.shell.act(Leave(self.seat, "dead"))
