"""How many unfinished tables an account may have."""

import asyncio

from parlour.protocol.errors import RequestError
from parlour.store.store import Account
from parlour.tables.arena import Arena


class TableLimits:
    """Counts the unfinished tables of each account."""

    def __init__(self, arena: Arena, most: int) -> None:
        self._arena = arena
        self._most = most
        self._owners: dict[str, int] | None = None
        """Owners of unfinished tables; None until they are first read from the store."""
        self.lock = asyncio.Lock()
        """Held while a table is checked and created, or two simultaneous requests could exceed the limit."""

    async def check(self, account: Account, most: int | None = None) -> None:
        """RequestError if the account has `most` unfinished tables, or as many as the settings allow."""
        most, owners = self.most(account) if most is None else most, await self._owned()
        if sum(owner == account.id for owner in owners.values()) >= most:
            raise RequestError(409, "too_many_tables", f"you have {most} unfinished tables")

    def most(self, account: Account) -> int:
        """How many unfinished tables the account may have."""
        return self._most

    async def add(self, table: str, owner: Account) -> None:
        """Count a new table."""
        (await self._owned())[table] = owner.id

    async def _owned(self) -> dict[str, int]:
        if self._owners is None:
            stored = await self._arena.store.unfinished()
            self._owners = {match.id: match.owner for match in stored if match.owner is not None}
        for id in [*self._owners]:
            if id not in self._arena.open and id not in self._arena.playing:
                del self._owners[id]
        return self._owners
