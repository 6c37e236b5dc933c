"""Orders to the running server, so that changes of the store reach open connections and matches."""

from typing import Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select

from parlour.protocol.records import now_ms
from parlour.store.database import Database
from parlour.store.schema import orders

Kind: TypeAlias = Literal["account", "stop"]


class Order(Struct, frozen=True):
    """Reload an account, or stop a match."""

    id: int
    kind: Kind
    subject: str
    created_ms: int


def give(connection: Connection, kind: Kind, subject: str) -> None:
    """Add an order in the transaction of the change."""
    connection.execute(insert(orders).values(kind=kind, subject=subject, created_ms=now_ms()))


class Orders:
    """The orders that no server has carried out yet."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def give(self, kind: Kind, subject: str) -> None:
        await self._database.writer.do(lambda connection: give(connection, kind, subject))

    async def open(self) -> list[Order]:
        """Oldest first."""
        return [Order(*row) for row in await self._database.rows(select(orders).order_by(orders.c.id))]

    async def done(self, ids: list[int]) -> None:
        """Delete orders that have been carried out."""
        gone = delete(orders).where(orders.c.id.in_(ids))
        await self._database.writer.do(lambda connection: connection.execute(gone))
