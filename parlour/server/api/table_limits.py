"""How many unfinished tables accounts and guests may have."""

import asyncio
import math
from collections import Counter

from msgspec import Struct

from parlour.protocol.errors import RequestError
from parlour.protocol.records import Account
from parlour.server.net.addresses import counted_address
from parlour.server.settings import Settings
from parlour.tables.arena import Arena

MOST_OF_GUESTS = 500
"""How many unfinished tables all guests may have together."""
GUESTS_WAIT_S = 3600.0
"""How long a table of a guest waits at most."""


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
        self.lock = asyncio.Lock()
        """Held while a table is checked and created, or two simultaneous requests could exceed the limit."""

    async def check(self, account: Account, address: str) -> None:
        """RequestError if the account may not create another table."""
        if account.password is None and not self._per_guest:
            raise RequestError(403, "scope_needed", "guests may not create tables here")
        await self._check(account, address, self._per_guest)

    async def check_rematch(self, account: Account, address: str) -> None:
        """`check` for a rematch. A guest may have one even if guests may not create tables."""
        await self._check(account, address, max(1, self._per_guest))

    async def _check(self, account: Account, address: str, per_guest: int) -> None:
        address = counted_address(address)
        tables, is_guest = (await self._unfinished()).values(), account.password is None
        most = per_guest if is_guest else self._per_account
        if sum(table.account == account.id for table in tables) >= most:
            raise RequestError(409, "too_many_tables", f"you have {most} unfinished tables")
        if is_guest and sum(table.is_guest and table.address == address for table in tables) >= self._per_account:
            words = f"guests at your address have {self._per_account} unfinished tables"
            raise RequestError(409, "too_many_tables", words)
        if is_guest and sum(table.is_guest for table in tables) >= MOST_OF_GUESTS:
            raise RequestError(503, "too_many", "guests have too many unfinished tables; try again later")

    async def add(self, table: str, account: Account, address: str) -> None:
        """Count a new table."""
        (await self._unfinished())[table] = OwnedTable(account.id, account.password is None, counted_address(address))

    async def most_used(self, *, by_guests: bool) -> int:
        """The number of unfinished tables of the account, or of the guest, that has most of them."""
        owners = Counter(each.account for each in (await self._unfinished()).values() if each.is_guest is by_guests)
        return max(owners.values(), default=0)

    async def _unfinished(self) -> dict[str, OwnedTable]:
        if self._tables is None:
            store = self._arena.store
            owners = {match.id: match.owner for match in await store.unfinished() if match.owner is not None}
            guests = await store.guests(owners.values())
            self._tables = {id: OwnedTable(owner, owner in guests, "") for id, owner in owners.items()}
        for id in [*self._tables]:
            if id not in self._arena.open and id not in self._arena.playing:
                del self._tables[id]
        return self._tables
