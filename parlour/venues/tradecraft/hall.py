"""The parts of tradeCraft's halls: tables for users who are ready, and tokens for users who log in."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from parlour.core import Dialect, Game
from parlour.players.session import Session, Visit
from parlour.protocol.errors import RequestError
from parlour.server.accounts import Attempts, Doorkeeper, visit_of
from parlour.server.joining import Ways
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


class NotGiven(Exception):
    """A user cannot have a token; `code` gives the reason."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class Guests:
    """Gives users tokens of the arena, which survive a crash, and keeps the accounts of these tokens in memory."""

    def __init__(self, arena: Arena, doorkeeper: Doorkeeper, attempts: Attempts, game: Game[Any]) -> None:
        self._arena = arena
        self._door = doorkeeper
        self._attempts = attempts
        self._game = game
        self._accounts: dict[str, int] = {}
        self._tokens: dict[int, str] = {}
        """By id in the store."""
        self._visits: dict[int, Visit] = {}

    async def token(self, name: str, address: str) -> str:
        """A new token; or NotGiven."""
        try:
            self._attempts.count(address)
            if not await self._door.is_free(name):
                raise NotGiven("name_taken", "an account has that name, or one that looks like it")
            token, known = await self._door.guest(name)
            self._know(token, known)
        except RequestError as e:
            raise NotGiven(e.code, e.words) from None
        return token

    def _know(self, token: str, known: Token) -> None:
        self._accounts[token] = known.account.id
        self._tokens[known.id] = token
        self._visits[known.id] = visit_of(known)

    async def hall(self, name: str, token: str) -> str | None:
        """The hall in which the token's holder has a seat under that name, if any; NotGiven if the match of that seat
        cannot be resumed."""
        try:
            known = await self._door.allowed(token, "play")
        except RequestError:
            return None
        account = known.account.id
        playing = self._arena.match_of(self._game, account)
        if playing is None and (left := self._arena.unresumed_of(self._game, account)) is not None:
            trouble = left.trouble()
            raise NotGiven(trouble.code, trouble.words)
        if playing is None or playing.match.names[playing.seats.accounts.index(account)] != name:
            return None
        self._know(token, known)
        return hall_name(len(playing.match.names))

    def forget(self, token: str) -> None:
        """Drop a token that is no longer needed."""
        self._accounts.pop(token, None)
        for id in [id for id, other in self._tokens.items() if other == token]:
            del self._tokens[id], self._visits[id]

    def on_ended(self, told: Callable[[str, str, str], None]) -> None:
        """Call `told` when a token is no longer valid, with an error code and a message for its user."""

        def ended(id: int, code: str, words: str) -> None:
            if (token := self._tokens.get(id)) is not None:
                self.forget(token)
                told(token, code, words)

        self._door.watch(ended, self._visits.values)

    def plays(self, token: str, seats: int) -> bool:
        """Whether the token's account has a seat in a match with that many seats."""
        account = self._accounts.get(token)
        if account is None:
            return False
        playing = self._arena.match_of(self._game, account)
        if playing is None and (table := self._arena.table_of(self._game, account)) is not None:
            return table.seats.is_full() and len(table.chairs) == seats  # it is about to begin
        return playing is not None and len(playing.match.names) == seats


class Hall:
    """Seats users who are ready at the arena's tables of one size."""

    def __init__(self, seats: int, arena: Arena, ways: Ways, guests: Guests, game: Game[Any]) -> None:
        self.seats = seats
        """The seats of each table."""
        self._arena = arena
        self._ways = ways
        self._guests = guests
        self._game = game

    @property
    def playing(self) -> int:
        """How many matches are running."""
        return hall_info(self._arena, self._game, self.seats).playing

    def greet(self, peer: Peer, dialect: Dialect) -> None:
        """Seat a user who is ready, or who returns to its seat."""
        session = Session(peer, "venue")
        self._arena.run(self._ways.welcome(session, self._game, dialect, token=dialect.token, seats=self.seats))

    def keeps(self, token: str) -> bool:
        """Whether the holder of the token has a seat to return to."""
        return self._guests.plays(token, self.seats)
