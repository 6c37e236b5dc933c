"""tradeCraft's halls: how many play and wait in each, and tokens for users who log in."""

from typing import Any

from msgspec import Struct

from parlour.core import Dialect, Game
from parlour.players.session import Session
from parlour.protocol.errors import RequestError
from parlour.server.accounts import Doorkeeper, EndVisits
from parlour.server.joining import ClientDesk
from parlour.server.net.attempts import Attempts
from parlour.store.store import Token
from parlour.tables.arena import Arena
from parlour.transports.peer import Peer


class HallInfo(Struct, frozen=True):
    """A hall: the tables of one size. Socket.IO clients enter it by its name, all others with `seats` in the queue."""

    name: str
    seats: int
    playing: int
    """Matches that are running."""
    waiting: int
    """Players at tables that wait for more players."""


def hall_name(seats: int) -> str:
    """The name by which current clients look for the hall."""
    return f"{seats}-player-pool-matching"


def hall_info(arena: Arena, game: Game[Any], seats: int) -> HallInfo:
    """The hall of one size."""
    playing = sum(each.match.game is game and len(each.match.names) == seats for each in arena.playing.values())
    tables = [table for table in arena.open.values() if table.game is game and table.terms.quick]
    waiting = sum(table.seats.people() for table in tables if len(table.chairs) == seats)
    return HallInfo(hall_name(seats), seats, playing, waiting)


class Guests:
    """Users of the halls: gives them tokens of the arena, which survive a crash, and seats them at its tables."""

    def __init__(
        self, arena: Arena, desk: ClientDesk, doorkeeper: Doorkeeper, attempts: Attempts, game: Game[Any]
    ) -> None:
        self._arena = arena
        self._client_desk = desk
        self._door = doorkeeper
        self._attempts = attempts
        self._game = game

    async def token(self, name: str, address: str) -> tuple[str, Token]:
        """A new token, and its row in the store; or RequestError."""
        self._attempts.count(address)
        if not await self._door.is_free(name):
            raise RequestError(409, "name_taken", "an account has that name, or one that looks like it")
        return await self._door.guest(name)

    async def hall(self, name: str, token: str) -> tuple[str, Token] | None:
        """The hall in which the token's holder has a seat under that name, if any, and the row of the token;
        RequestError if the match of that seat cannot be resumed."""
        try:
            known = await self._door.allowed(token, "play")
        except RequestError:
            return None
        account = known.account.id
        playing = self._arena.match_of(self._game, account)
        if playing is None and (left := self._arena.unresumed_of(self._game, account)) is not None:
            raise left.trouble()
        seat = None if playing is None else playing.seats.seat_of(account)
        if playing is None or seat is None or playing.match.names[seat] != name:
            return None
        return hall_name(len(playing.match.names)), known

    def watch(self, end: EndVisits) -> None:
        """Call `end` when tokens of users have ended."""
        self._door.watch(end)

    def greet(self, peer: Peer, dialect: Dialect, seats: int) -> None:
        """Seat a user who is ready at a table of this size, or return it to its seat."""
        session = Session(peer, "venue")
        self._arena.run(self._client_desk.welcome(session, self._game, dialect, token=dialect.token, seats=seats))

    def plays(self, account: int, seats: int) -> bool:
        """Whether the account has a seat in a match with that many seats, to which it can return."""
        playing = self._arena.match_of(self._game, account)
        if playing is None and (table := self._arena.table_of(self._game, account)) is not None:
            return table.seats.is_full() and len(table.chairs) == seats  # the match is about to begin
        return playing is not None and len(playing.match.names) == seats

    def playing(self, seats: int) -> int:
        """How many matches of this size are running."""
        return hall_info(self._arena, self._game, seats).playing
