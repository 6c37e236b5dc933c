"""Requests to models at seats of the arena with their answers, and the budgets of accounts for them."""

from collections.abc import Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, insert, select, update

from parlour.core import Seat
from parlour.players.models.call_records import ModelCall
from parlour.store.schema import accounts, model_budgets, model_calls
from parlour.store.seat_texts import is_there
from parlour.store.transactions import StorePart, reads, writes

_record = msgspec.json.Decoder(ModelCall)


PaidCall: TypeAlias = tuple[int | None, ModelCall]
"""The account that pays for a request to a model, and the request; None: the host pays."""


class ModelBudget(Struct, frozen=True):
    """The limit of an account for models, and the amount that it has spent, in billionths of a dollar."""

    most: int
    spent: int

    @property
    def left(self) -> int:
        return max(0, self.most - self.spent)


class StoredModels(StorePart):
    """Access to the requests of models and to the budgets of accounts. Requests are deleted with their match, and with
    the account."""

    # Requests

    @writes
    def save(self, connection: Connection, calls: Sequence[PaidCall]) -> None:
        """Add to what is stored. Requests of deleted accounts and matches are dropped."""
        m = model_calls.c
        for account, call in calls:
            if is_there(connection, call.match, account):
                last = connection.scalar(select(func.max(m.n)).where(m.match == call.match, m.seat == call.seat))
                own = {"match": call.match, "seat": call.seat, "n": 0 if last is None else last + 1}
                row = {**own, "account": account, "record": msgspec.json.encode(call)}
                connection.execute(insert(model_calls), row)

    async def calls(self, match: str, seat: Seat | None, account: int | None) -> list[ModelCall]:
        """The requests in a match for which this account has paid, in order; None: the host."""
        m = model_calls.c
        query = select(m.record).where(m.match == match, m.account.is_not_distinct_from(account))
        if seat is not None:
            query = query.where(m.seat == seat)
        return [_record.decode(raw) for raw in await self._database.values(query.order_by(m.seat, m.n))]

    async def of(self, account: int) -> list[ModelCall]:
        """All requests that the account has paid for."""
        m = model_calls.c
        query = select(m.record).where(m.account == account).order_by(m.match, m.seat, m.n)
        return [_record.decode(raw) for raw in await self._database.values(query)]

    # Budgets

    @reads
    def budget(self, connection: Connection, account: int, usual: int) -> ModelBudget:
        """The budget of an account. `usual`: the limit of accounts for which none was set; guests have none."""
        return _budget(connection, account, usual)

    @writes
    def set_most(self, connection: Connection, account: int, most: int | None) -> None:
        """Set the limit of an account; None: the usual one."""
        _ensure(connection, account)
        connection.execute(update(model_budgets).where(model_budgets.c.account == account).values(most=most))

    @writes
    def spend(self, connection: Connection, account: int, usual: int, nanos: int) -> ModelBudget | None:
        """Take an amount from the budget; the budget, and no change, if there is not so much left."""
        _ensure(connection, account)
        before = _budget(connection, account, usual)
        if nanos and before.spent + nanos > before.most:
            return before
        _add(connection, account, nanos)
        return None

    @writes
    def put_back(self, connection: Connection, account: int, nanos: int) -> None:
        """Give back the part of an amount that a request has not cost."""
        _add(connection, account, -nanos)


def _budget(connection: Connection, account: int, usual: int) -> ModelBudget:
    b = model_budgets.c
    row = connection.execute(select(b.most, b.spent).where(b.account == account)).first()
    most, spent = (None, 0) if row is None else (row.most, row.spent)
    if most is None:
        is_guest = connection.scalar(select(accounts.c.password).where(accounts.c.id == account)) is None
        most = 0 if is_guest else usual
    return ModelBudget(most, spent)


def _ensure(connection: Connection, account: int) -> None:
    there = connection.scalar(select(model_budgets.c.account).where(model_budgets.c.account == account))
    if there is None:
        connection.execute(insert(model_budgets), {"account": account, "most": None, "spent": 0})


def _add(connection: Connection, account: int, nanos: int) -> None:
    b = model_budgets.c
    connection.execute(update(model_budgets).where(b.account == account).values(spent=b.spent + nanos))
