"""How many unfinished tables accounts and guests may have."""

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias

from msgspec import Struct

from parlour.protocol.errors import RequestError
from parlour.protocol.records import Account
from parlour.server.net.addresses import counted_address
from parlour.server.settings import Settings
from parlour.tables.arena import Arena
from parlour.transports.limits import GUESTS_WAIT_S, TABLES_OF_GUESTS

CountTable: TypeAlias = Callable[[str], None]
"""Called with the id of a table that was created, so that it is counted until it is finished."""


def longest_wait_s(account: Account) -> float:
    """How long a table of this account may wait for its seats to be filled."""
    return GUESTS_WAIT_S if account.password is None else math.inf


class OwnedTable(Struct, frozen=True):
    """The owner of an unfinished table."""

    account: int
    is_guest: bool
    address: str
    """Where a guest created it from; empty for tables from before the server started."""


class TableLimits:
    """Counts the unfinished tables of accounts and guests."""

    def __init__(self, arena: Arena, settings: Settings) -> None:
        self._arena = arena
        self._per_account = settings.tables_per_account
        self._per_guest = settings.tables_per_guest
        self._tables: dict[str, OwnedTable] | None = None
        """Unfinished tables by id; None until they are first read from the store."""
        self._reading = asyncio.Lock()
        """Held while they are read."""
        self._creating: list[OwnedTable] = []
        """Tables that are being stored. They count, or simultaneous requests could exceed the limit."""

    @asynccontextmanager
    async def creating(self, account: Account, address: str, *, is_rematch: bool = False) -> AsyncIterator[CountTable]:
        """A block that creates a table and calls the function; RequestError if the account may not have another one. A
        guest may have one rematch even if guests may not create tables."""
        per_guest = max(1, self._per_guest) if is_rematch else self._per_guest
        if account.password is None and not per_guest:
            raise RequestError(403, "scope_needed", "guests may not create tables here")
        new = OwnedTable(account.id, account.password is None, counted_address(address))
        tables = await self._unfinished()
        self._check(new, [*tables.values(), *self._creating], per_guest)
        self._creating.append(new)
        try:
            yield lambda table: tables.update({table: new})
        finally:
            self._creating.remove(new)

    def _check(self, new: OwnedTable, tables: Sequence[OwnedTable], per_guest: int) -> None:
        most = per_guest if new.is_guest else self._per_account
        if sum(table.account == new.account for table in tables) >= most:
            raise RequestError(409, "too_many_tables", f"you have {most} unfinished tables")
        of_guests = [table for table in tables if table.is_guest] if new.is_guest else []
        if sum(table.address == new.address for table in of_guests) >= self._per_account:
            words = f"guests at your address have {self._per_account} unfinished tables"
            raise RequestError(409, "too_many_tables", words)
        if len(of_guests) >= TABLES_OF_GUESTS:
            raise RequestError(503, "too_many", "guests have too many unfinished tables; try again later")

    async def most_used(self, *, by_guests: bool) -> int:
        """The number of unfinished tables of the account, or of the guest, that has most of them."""
        owners = Counter(each.account for each in (await self._unfinished()).values() if each.is_guest is by_guests)
        return max(owners.values(), default=0)

    async def _unfinished(self) -> dict[str, OwnedTable]:
        async with self._reading:
            if self._tables is None:
                store = self._arena.store
                owners = {match.id: match.owner for match in await store.unfinished() if match.owner is not None}
                guests = await store.guests(owners.values())
                self._tables = {id: OwnedTable(owner, owner in guests, "") for id, owner in owners.items()}
        for id in [*self._tables]:
            if id not in self._arena.open and id not in self._arena.playing:
                del self._tables[id]
        return self._tables
