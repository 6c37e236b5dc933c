"""A table that strangers join over TCP, in the game's own protocol: when it is full, a match is played."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from parlour.core import Dialect, Seat
from parlour.players.door import Door
from parlour.players.load import Spec
from parlour.players.play import Guest, Played, Terms, play_async
from parlour.players.remote import NotIntroduced, RemotePlayer
from parlour.referee.driver import Watch
from parlour.transports.framing import framing
from parlour.transports.tcp import SocketPeer

PRESSED_S = 1.0
"""How long a seat is kept for a connection that says nothing, while others wait for it."""

NewTable: TypeAlias = Callable[[], tuple[bytes, Watch | None]]
"""The seed of the next match and who watches it."""


class Host:
    """Listens, seats whoever says their name, and plays a match for every full table.

    A seat is kept for a connection while it introduces itself, because some protocols tell a player its seat before.
    Whoever comes when all seats are taken waits until one is free, or the next table opens.
    """

    def __init__(
        self, terms: Terms, seats: int, bots: Sequence[Spec], dialect: Callable[[], Dialect], new_table: NewTable
    ) -> None:
        self._terms = terms
        self._wanted = seats - len(bots)
        self._bots = bots
        self._dialect = dialect
        self._new_table = new_table
        self._open = new_table()
        self._guests: dict[Seat, Guest] = {}
        """Who sits at the open table."""
        self._free: asyncio.PriorityQueue[Seat] = asyncio.PriorityQueue()
        """Its seats that nobody has, nor is about to take."""
        self._in_line = 0
        """How many wait for a seat."""
        self._greeted: set[RemotePlayer] = set()
        """Who has one, if it introduces itself."""
        self._open_seats(range(self._wanted))
        self._door = Door()
        self._played: asyncio.Queue[Played | Exception] = asyncio.Queue()
        self.joined: Callable[[str, int], None] = lambda name, missing: None
        """Told of everybody who sits down, and how many seats are still open."""

    async def listen(self, address: str, port: int) -> int:
        """Begin to accept connections; returns the port, which matters if any would do."""
        return await self._door.open(address, port, lambda: framing(self._dialect().frames), self._welcome)

    async def next(self) -> Played:
        """The next match that ends; or whatever kept one from coming about, such as CannotPlay."""
        played = await self._played.get()
        if isinstance(played, Exception):
            raise played
        return played

    async def close(self) -> None:
        """Accept nobody any more and let everybody go."""
        await self._door.close()

    def _open_seats(self, seats: Iterable[Seat]) -> None:
        for seat in seats:
            self._free.put_nowait(seat)

    async def _welcome(self, peer: SocketPeer) -> None:
        player = RemotePlayer(peer, self._dialect())
        seat = await self._seat()
        seed, _ = self._open
        self._greeted.add(player)
        try:
            sitting = await player.introduced(self._terms.hello(seed, seat), self._patience_s())
        except NotIntroduced:
            self._open_seats([seat])
            await peer.close()
            return
        finally:
            self._greeted.discard(player)
        self._guests[seat] = player, sitting
        self._open_seats(self._left())
        self.joined(sitting.name, self._wanted - len(self._guests))
        if len(self._guests) == self._wanted:
            guests = [self._guests.pop(seat) for seat in range(self._wanted)]
            table, self._open = self._open, self._new_table()
            self._open_seats(range(self._wanted))
            self._door.run(self._match(guests, *table))

    async def _seat(self) -> Seat:
        """A seat as soon as there is one; those who keep one and say nothing have less time then."""
        self._in_line += 1
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
        """The seats of guests who did not wait for the match; they are free again."""
        left = [seat for seat, (player, _) in self._guests.items() if player.peer.gone is not None]
        for seat in left:
            del self._guests[seat]
        return left

    async def _match(self, guests: Sequence[Guest], seed: bytes, watch: Watch | None) -> None:
        try:
            self._played.put_nowait(await play_async(self._terms, self._bots, seed, watch, guests))
        except Exception as e:
            self._played.put_nowait(e)
        finally:
            for player, _ in guests:
                if isinstance(player.peer, SocketPeer):
                    await player.peer.close()
