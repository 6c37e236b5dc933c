"""Carry out the orders of administrators.

The API and `parlour admin` change the store and add an order in the same transaction. The server reads orders every
second, and at once after a request to its own API. So commands work with and without a running server.
"""

import asyncio
from contextlib import suppress

from parlour.protocol.errors import RequestError
from parlour.protocol.reports import tell
from parlour.server.accounts import BANNED, Doorkeeper
from parlour.server.ops.logs import RepeatedWork
from parlour.store.admin_orders import Order
from parlour.store.store import FINISHED, Store
from parlour.tables.arena import Arena

CHECK_S = 1.0
"""How often orders are read and tokens in use are checked."""
DELETED = ("deleted", "this account is deleted")


class Administration:
    """Applies changes of the store to connections and matches."""

    def __init__(self, store: Store, arena: Arena, doorkeeper: Doorkeeper) -> None:
        self._store = store
        self._arena = arena
        self._door = doorkeeper
        self._one = asyncio.Lock()
        self._stopping: set[str] = set()
        """Matches whose stop has been logged."""
        self._work = RepeatedWork("administration")

    async def run(self) -> None:
        """Run until cancelled; errors are logged."""
        while True:
            with self._work.going_on(what="expiry"):
                self._door.end_expired()
            with self._work.going_on(what="orders"):
                await self.carry_out()
            await asyncio.sleep(CHECK_S)

    async def carry_out(self) -> None:
        """Carry out all orders. An order is deleted when it is done; a failing one does not block the others."""
        async with self._one:
            done = []
            for order in await self._store.orders.open():
                with self._work.going_on(what=f"order {order.id}", without_store=False):
                    if await self._carry_out_one(order):
                        done.append(order.id)
            if done:
                await self._store.orders.done(done)

    async def delete_account(self, id: int) -> bool:
        """Delete an account for good and end everything it does; False if there is none."""
        if not await self._store.people.delete(id):
            return False
        await self.carry_out()
        tell("account deleted", account=id)
        return True

    async def _carry_out_one(self, order: Order) -> bool:
        """Carry out an order; False if it is not finished yet."""
        if order.kind == "stop":
            return await self._stop(order.subject)
        await self._apply_account(int(order.subject))
        return True

    async def _apply_account(self, id: int) -> None:
        """Apply a change of an account: end the connections and matches that it is no longer allowed."""
        account = await self._store.account_of(id)
        if account is not None and account.state == "active":
            self._door.barred.discard(id)
            revoked = await self._store.revoked_tokens(id)
            self._door.end({*revoked}, "bad_token", "the token was revoked")
            return
        if account is None:  # a guest that was deleted meanwhile
            return
        why = BANNED if account.state == "banned" else DELETED
        self._door.barred.add(id)
        await self._arena.evict(id)
        if account.state == "deleted":
            self._arena.logs.forget(id)
        self._door.end_visits(lambda visit: visit.account == id, *why)
        tell("account barred", account=id, why=why[0])

    async def _stop(self, id: str) -> bool:
        """Stop a match or table; False if it has not ended yet."""
        if id in self._arena.open:
            with suppress(RequestError):  # its match has just begun
                await self._arena.drop(id)
        if (live := self._arena.playing.get(id)) is not None:
            live.stop()  # repeated every second, because some games ask their players once more before they end
            if id not in self._stopping:
                self._stopping.add(id)
                tell("match stopped", match=id)
            return False
        stored = await self._store.match(id)
        if stored is not None and stored.state not in FINISHED:
            return False  # the match has failed, and is stopped when it is resumed
        self._stopping.discard(id)
        return True
