"""The halls of tradeCraft in an arena. A user who is ready joins the next table of the hall's size, as a guest."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from parlour.core import Dialect, Game
from parlour.protocol.errors import RequestError
from parlour.server.accounts import Attempts, Doorkeeper, visit_of
from parlour.server.joining import Ways
from parlour.sessions.session import Session, Visit
from parlour.store.store import Token
from parlour.tables.arena import Arena
from parlour.transports.limits import MOST_USERS
from parlour.transports.peer import Peer
from parlour.venues.tradecraft.hall import Hall, NotGiven, hall_name
from parlour.venues.tradecraft.hall_routes import hall_info
from parlour.venues.tradecraft.socketio_halls import Halls


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
        self._accounts.pop(token, None)
        for id in [id for id, other in self._tokens.items() if other == token]:
            del self._tokens[id], self._visits[id]

    def on_ended(self, told: Callable[[str, str, str], None]) -> None:
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


class Pool:
    """A hall with the arena's tables of one size."""

    def __init__(self, seats: int, arena: Arena, ways: Ways, guests: Guests, game: Game[Any]) -> None:
        self.seats = seats
        self._arena = arena
        self._ways = ways
        self._guests = guests
        self._game = game

    @property
    def playing(self) -> int:
        return hall_info(self._arena, self._game, self.seats).playing

    def greet(self, peer: Peer, dialect: Dialect) -> None:
        session = Session(peer, "venue")
        self._arena.run(self._ways.welcome(session, self._game, dialect, token=dialect.token, seats=self.seats))

    def keeps(self, token: str) -> bool:
        return self._guests.plays(token, self.seats)


def pools(
    arena: Arena,
    ways: Ways,
    guests: Guests,
    game: Game[Any],
    sizes: Iterable[int],
    per_address: int,
    origins: Collection[str],
) -> Halls:
    """A hall for each number of seats. One address may have `per_address` users, and at most half of all."""
    halls: dict[str, Hall] = {hall_name(seats): Pool(seats, arena, ways, guests, game) for seats in sizes}
    return Halls(halls, guests, per_address=min(per_address, MOST_USERS // 2), origins=origins)
