"""Changes of accounts by administrators and owners. An order tells the running server about each change."""

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Literal

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from parlour.store import tokens as token_rows
from parlour.store.admin_orders import give
from parlour.store.chat_messages import delete_chat_of
from parlour.store.database import Database
from parlour.store.leagues import leave_leagues
from parlour.store.model_calls import delete_models_of
from parlour.store.name_skeletons import keys, keys_soon
from parlour.store.ratings import delete_ratings
from parlour.store.schema import accounts, names, rooms, seats
from parlour.store.seat_texts import delete_texts_of
from parlour.store.statements import Statement

AT_ONCE = 500


class AccountChanges:
    """Changes of existing accounts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def set_state(self, account: int, state: Literal["active", "banned"]) -> bool:
        """Ban or unban an account; False if it does not exist or is deleted."""

        def work(connection: Connection) -> bool:
            query = update(accounts).where(accounts.c.id == account, accounts.c.state != "deleted")
            found = connection.execute(query.values(state=state)).rowcount
            give(connection, "account", str(account))
            return bool(found)

        return await self._database.writer.do(work)

    async def set_admin(self, account: int, admin: bool) -> bool:
        """Grant or revoke administrator rights; False if there is no such account with a password."""

        def work(connection: Connection) -> bool:
            whom = update(accounts).where(accounts.c.id == account, accounts.c.password.is_not(None))
            return bool(connection.execute(whom.values(admin=admin)).rowcount)

        return await self._database.writer.do(work)

    async def set_password(self, account: int, hash: str, *, instead_of: str | None = None) -> list[int] | None:
        """Change a password and revoke all tokens of the account; returns their ids.

        None, and no change, if the account has no password or its hash is not `instead_of`."""

        def work(connection: Connection) -> list[int] | None:
            whom = update(accounts).where(accounts.c.id == account, accounts.c.password.is_not(None))
            if instead_of is not None:
                whom = whom.where(accounts.c.password == instead_of)
            if not connection.execute(whom.values(password=hash)).rowcount:
                return None
            give(connection, "account", str(account))
            return token_rows.end_all(connection, account)

        return await self._database.writer.do(work)

    async def renew_hash(self, account: int, before: str, hash: str) -> None:
        """Replace the hash of the same password, unless the password was changed meanwhile."""
        whom = update(accounts).where(accounts.c.id == account, accounts.c.password == before)
        await self._database.writer.do(lambda connection: connection.execute(whom.values(password=hash)))

    async def end_tokens(self, account: int) -> list[int]:
        """Revoke all tokens of an account."""

        def work(connection: Connection) -> list[int]:
            give(connection, "account", str(account))
            return token_rows.end_all(connection, account)

        return await self._database.writer.do(work)

    async def delete(self, account: int) -> bool:
        """Delete an account; False if it does not exist. Its row stays without name and password, because matches refer
        to it. Its chat messages are deleted. Its name becomes free unless the account has a seat in a match."""
        return await self._database.writer.do(partial(_delete, account))

    async def holder(self, name: str) -> int | None:
        """An account whose name is equal to this one or looks like it."""
        wanted = await keys_soon(name)  # one or two
        [rows] = await self._database.look({"one_key": wanted[0], "other_key": wanted[-1]}, _HOLDER)
        return rows[0][0] if rows else None

    async def fill_names(self) -> None:
        """Add the missing name keys of accounts from older stores. If several names look alike, all keep their names
        and the oldest account gets the key."""
        last, ids = 0, [0]
        while ids:
            last = ids[-1]
            try:
                ids = await self._database.writer.do(partial(_fill, last))
            except IntegrityError:  # another process does the same
                ids = [last]


def take_names(connection: Connection, account: int, wanted: Sequence[str]) -> None:
    """Raises IntegrityError if another account has one of them."""
    connection.execute(insert(names), [{"key": key, "account": account} for key in wanted])


def _fill(after: int, connection: Connection) -> list[int]:
    nameless = ~exists().where(names.c.account == accounts.c.id)
    query = select(accounts.c.id, accounts.c.name).where(accounts.c.id > after, accounts.c.password.is_not(None))
    rows = connection.execute(query.where(nameless).order_by(accounts.c.id).limit(AT_ONCE)).all()
    for id, name in rows:
        wanted = keys(name)
        taken = {*connection.scalars(select(names.c.key).where(names.c.key.in_(wanted)))}
        if free := [key for key in wanted if key not in taken]:
            take_names(connection, id, free)
    return [id for id, _ in rows]


def _delete(account: int, connection: Connection) -> bool:
    nobody = {"name": f"deleted-{account}-{secrets.token_hex(4)}", "password": None, "admin": False, "state": "deleted"}
    whom = update(accounts).where(accounts.c.id == account, accounts.c.state != "deleted")
    if not connection.execute(whom.values(nobody)).rowcount:
        return False
    give(connection, "account", str(account))
    token_rows.end_all(connection, account)
    delete_chat_of(connection, [account])
    connection.execute(update(rooms).where(rooms.c.owner == account).values(owner=None))
    delete_texts_of(connection, account)
    delete_models_of(connection, account)
    leave_leagues(connection, account)
    delete_ratings(connection, account)
    if not connection.scalar(select(exists().where(seats.c.account == account))):
        connection.execute(delete(names).where(names.c.account == account))
        _fill(0, connection)  # another account of an older store may get the key now
    return True


_HOLDER = Statement(
    select(names.c.account).where(names.c.key.in_([bindparam("one_key"), bindparam("other_key")])).limit(1)
)
