"""Changes of accounts by administrators and owners. An order tells the running server about each change."""

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Literal

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from parlour.protocol.records import Account
from parlour.store import tokens as token_rows
from parlour.store.admin_orders import give
from parlour.store.chat_messages import delete_chat_of
from parlour.store.leagues import leave_leagues
from parlour.store.name_skeletons import keys, keys_in_thread
from parlour.store.ratings import delete_ratings
from parlour.store.schema import accounts, model_budgets, model_calls, names, rooms, seats
from parlour.store.seat_texts import SEAT_TEXTS
from parlour.store.statements import Statement
from parlour.store.transactions import StorePart, writes

AT_ONCE = 500


class AccountChanges(StorePart):
    """Changes of existing accounts."""

    @writes
    def set_state(self, connection: Connection, account: int, state: Literal["active", "banned"]) -> bool:
        """Ban or unban an account; False if it does not exist or is deleted."""
        query = update(accounts).where(accounts.c.id == account, accounts.c.state != "deleted")
        found = connection.execute(query.values(state=state)).rowcount
        give(connection, "account", str(account))
        return bool(found)

    @writes
    def set_admin(self, connection: Connection, account: int, admin: bool) -> bool:
        """Grant or revoke administrator rights; False if there is no such account with a password."""
        whom = update(accounts).where(accounts.c.id == account, accounts.c.password.is_not(None))
        return bool(connection.execute(whom.values(admin=admin)).rowcount)

    @writes
    def set_password(
        self, connection: Connection, account: int, hash: str, *, instead_of: str | None = None
    ) -> list[int] | None:
        """Change a password and revoke all tokens of the account; returns their ids.

        None, and no change, if the account has no password or its hash is not `instead_of`."""
        whom = update(accounts).where(accounts.c.id == account, accounts.c.password.is_not(None))
        if instead_of is not None:
            whom = whom.where(accounts.c.password == instead_of)
        if not connection.execute(whom.values(password=hash)).rowcount:
            return None
        return _end_tokens(connection, account)

    @writes
    def renew_hash(self, connection: Connection, account: int, before: str, hash: str) -> bool:
        """Replace the hash of the same password; False, and no change, if the account has another hash now."""
        whom = update(accounts).where(accounts.c.id == account, accounts.c.password == before)
        return bool(connection.execute(whom.values(password=hash)).rowcount)

    @writes
    def end_tokens(self, connection: Connection, account: Account) -> list[int]:
        """Revoke all tokens of an account that has logged in. PasswordChanged if it has another password now."""
        token_rows.check_password(connection, account)
        return _end_tokens(connection, account.id)

    @writes
    def delete(self, connection: Connection, account: int) -> bool:
        """Delete an account; False if it does not exist. Its row stays without name and password, because matches refer
        to it. Its chat messages are deleted. Its name becomes free unless the account has a seat in a match."""
        name = f"deleted-{account}-{secrets.token_hex(4)}"
        whom = update(accounts).where(accounts.c.id == account, accounts.c.state != "deleted")
        if not connection.execute(whom.values(name=name, password=None, admin=False, state="deleted")).rowcount:
            return False
        _end_tokens(connection, account)
        delete_chat_of(connection, [account])
        connection.execute(update(rooms).where(rooms.c.owner == account).values(owner=None))
        for table in (*SEAT_TEXTS, model_calls, model_budgets):
            connection.execute(delete(table).where(table.c.account == account))
        leave_leagues(connection, account)
        delete_ratings(connection, account)
        if not connection.scalar(select(exists().where(seats.c.account == account))):
            connection.execute(delete(names).where(names.c.account == account))
            _fill(connection, 0)  # another account of an older store may get the key now
        return True

    async def holder(self, name: str) -> int | None:
        """An account whose name is equal to this one or looks like it."""
        wanted = await keys_in_thread(name)  # one or two
        [rows] = await self._database.lookup({"one_key": wanted[0], "other_key": wanted[-1]}, _HOLDER)
        return rows[0][0] if rows else None

    async def fill_names(self) -> None:
        """Add the missing name keys of accounts from older stores. If several names look alike, all keep their names
        and the oldest account gets the key."""
        last, ids = 0, [0]
        while ids:
            last = ids[-1]
            try:
                ids = await self._database.writer.do(partial(_fill, after=last))
            except IntegrityError:  # another process does the same
                ids = [last]


def take_names(connection: Connection, account: int, wanted: Sequence[str]) -> None:
    """Raises IntegrityError if another account has one of them."""
    connection.execute(insert(names), [{"key": key, "account": account} for key in wanted])


def _fill(connection: Connection, after: int) -> list[int]:
    nameless = ~exists().where(names.c.account == accounts.c.id)
    query = select(accounts.c.id, accounts.c.name).where(accounts.c.id > after, accounts.c.password.is_not(None))
    rows = connection.execute(query.where(nameless).order_by(accounts.c.id).limit(AT_ONCE)).all()
    for id, name in rows:
        wanted = keys(name)
        taken = {*connection.scalars(select(names.c.key).where(names.c.key.in_(wanted)))}
        if free := [key for key in wanted if key not in taken]:
            take_names(connection, id, free)
    return [id for id, _ in rows]


def _end_tokens(connection: Connection, account: int) -> list[int]:
    """Revoke all tokens of an account, and tell the running server."""
    give(connection, "account", str(account))
    return token_rows.end_all(connection, account)


_HOLDER = Statement(
    select(names.c.account).where(names.c.key.in_([bindparam("one_key"), bindparam("other_key")])).limit(1)
)
