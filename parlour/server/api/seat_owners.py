"""Find the seats of an account: their logs, and the bots that are connected."""

from parlour.core import Seat
from parlour.players.remote import RemotePlayer
from parlour.protocol.errors import RequestError
from parlour.protocol.records import StoredMatch
from parlour.protocol.seat_log import OwnSeat
from parlour.server.accounts import Doorkeeper
from parlour.server.api.lookups import NOT_YOURS, check_resumed, found_match, own_seat
from parlour.store.store import Token
from parlour.tables.arena import Arena
from parlour.tables.seat_keeper import Chair
from parlour.tables.seat_log import SeatLog, waiting_log
from parlour.tables.table import Table


class SeatOwners:
    """Finds seats for requests that only their owners may make, before and after the end of the match."""

    def __init__(self, arena: Arena, doorkeeper: Doorkeeper) -> None:
        self._arena = arena
        self._door = doorkeeper

    async def known(self, token: str | None, *, or_admin: bool = False) -> Token:
        """The token, which must have the scope `play`; or `admin`, if that is enough."""
        if or_admin and "admin" in (known := await self._door.valid_token(token)).scopes:
            return known
        return await self._door.allowed(token, "play")

    async def match(self, match: str, token: str | None, *, or_admin: bool = False) -> tuple[StoredMatch, Token]:
        """A stored table or match, and the token."""
        known = await self.known(token, or_admin=or_admin)
        return await found_match(self._arena.store, match), known

    async def seat(self, match: str, token: str | None, *, or_waiting: bool = False) -> tuple[Table, Seat, Token]:
        """The account's seat in a running match, or also at an open table; RequestError if it has none."""
        known = await self.known(token)
        table = self._arena.open.get(match) if or_waiting else None
        if (table := table or self._arena.playing.get(match)) is None:
            check_resumed(self._arena, match)
            raise RequestError(404, "not_playing", "no such match is running")
        if (seat := table.seats.seat_of(known.account.id)) is None:
            raise RequestError(*NOT_YOURS)
        return table, seat, known

    async def log(self, match: str, token: str | None) -> tuple[SeatLog | None, Token]:
        """The log of the account's seat; None if no client was connected, or it is no longer kept."""
        known = await self.known(token)
        log = self._arena.logs.of(match, known.account.id)
        if log is None and (chair := self._waiting(match, known.account.id)) is not None:
            log = waiting_log(chair.player)
        if log is None:
            stored, _ = await self.match(match, token)
            own_seat(stored, known.account.id)
        return log, known

    def _waiting(self, match: str, account: int) -> Chair | None:
        table = self._arena.open.get(match)
        seat = None if table is None else table.seats.seat_of(account)
        return None if table is None or seat is None else table.chairs[seat]

    def seats(self, account: int) -> list[OwnSeat]:
        """The seats of an account whose messages are kept: waiting, running, and just ended ones."""
        waiting = [
            OwnSeat(table.id, table.game.name, seat, "waiting", player.peer.way, True, player.dialect.takes_again)
            for table in self._arena.open.values()
            if (seat := table.seats.seat_of(account)) is not None
            and table.chairs[seat].is_connected
            and (player := table.chairs[seat].player) is not None
        ]
        return [*waiting, *(log.own_seat() for log in self._arena.logs.of_account(account))]

    def is_connected(self, match: str, seat: Seat) -> bool:
        """Whether a client is connected to a seat."""
        table = self._arena.open.get(match) or self._arena.playing.get(match)
        return table is not None and seat < len(table.chairs) and table.chairs[seat].is_connected

    def idle_bot(self, account: int, game: str) -> RemotePlayer | None:
        """A connected client of the account that takes `again` and has nothing to decide now. One that waits for its
        match is preferred, because the clock of another could begin to run."""
        for table in self._arena.open.values():
            seat = table.seats.seat_of(account) if table.game.name == game else None
            if seat is not None and _takes_again(player := table.chairs[seat].player):
                return player
        for live in self._arena.playing.values():
            seat = live.seats.seat_of(account) if live.game.name == game else None
            if seat is None or live.match.end is not None:
                continue
            open, player = live.match.open.get(seat), live.chairs[seat].player
            if (open is None or not open.ask.waits) and _takes_again(player):
                return player
        return None


def _takes_again(player: RemotePlayer | None) -> bool:
    return player is not None and player.peer.gone is None and player.dialect.takes_again
