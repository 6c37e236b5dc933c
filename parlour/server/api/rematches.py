"""Seat the players of a finished match at its rematch."""

import asyncio

from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Joining, Seated
from parlour.protocol.records import Account, StoredMatch, StoredSeat
from parlour.protocol.reports import tell
from parlour.referee.transcript import commitment
from parlour.server.api.table_limits import TableLimits, longest_wait_s
from parlour.server.joining import ClientDesk, take_seat
from parlour.store.store import Token
from parlour.tables.arena import Arena
from parlour.tables.stored_tables import no_rematch


class Rematches:
    """Opens rematches, and seats their players."""

    def __init__(self, arena: Arena, client_desk: ClientDesk, limits: TableLimits) -> None:
        self._arena = arena
        self._store = arena.store
        self._client_desk = client_desk
        self._limits = limits
        self._opening = asyncio.Lock()
        """Held while a table is found or created: two players that ask at once get the same one."""

    async def take_seat(self, before: StoredMatch, own: Token, data: Joining, address: str) -> Seated:
        """Take the account's seat at the rematch, which is opened if there is none."""
        account = own.account
        had = _own_seat(before, account)
        if before.state in ("open", "running"):
            raise RequestError(409, "not_over", "there is a rematch when the match is over")
        id = await self._opened(before, account, address)
        try:
            name = await self._client_desk.shown(account, had.name or account.name)
            return await take_seat(self._arena, id, own, data, name=name)
        except RequestError as e:
            if e.code not in ("no_such_table", "begun"):
                raise
        return await self._seated(id, account)  # the account has a seat already, and the match has begun

    async def _opened(self, before: StoredMatch, account: Account, address: str) -> str:
        """The table or match of the rematch."""
        async with self._opening:
            now = await self._store.match(before.id)
            if now is not None and now.rematch is not None:
                return now.rematch
            await self._check_players(before)
            async with self._limits.creating(account, address, is_rematch=True) as count:
                try:
                    table = await self._arena.create_rematch(before, account, longest_wait_s(account))
                except RequestError as e:
                    raise e if e.status in (409, 503) else no_rematch(e.words) from None
                count(table.id)
        tell("rematch", match=table.id, game=before.game, of=before.id)
        return table.id

    async def _check_players(self, before: StoredMatch) -> None:
        if before.state == "dropped":
            raise no_rematch("it never began")
        gone = await self._store.tokenless(seat.account for seat in before.seats if seat.account is not None)
        if gone:
            names = ", ".join(seat.name or "" for seat in before.seats if seat.account in gone)
            raise no_rematch(f"these players cannot return: {names}")

    async def _seated(self, id: str, account: Account) -> Seated:
        stored = await self._store.match(id)
        if stored is None or stored.state == "dropped":
            raise RequestError(409, "begun", "the table of the rematch was dropped just now; try again")
        return Seated(id, _own_seat(stored, account).seat, commitment(await self._store.seed(id)))


def _own_seat(match: StoredMatch, account: Account) -> StoredSeat:
    if (seat := match.seat_of(account.id)) is None:
        raise RequestError(403, "not_yours", "you had no seat in this match")
    return seat
