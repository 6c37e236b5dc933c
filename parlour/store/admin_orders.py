"""Orders to the running server, so that changes of the store reach open connections and matches."""

from typing import Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select

from parlour.protocol.records import now_ms
from parlour.store.schema import orders
from parlour.store.transactions import StorePart, writes

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


class Orders(StorePart):
    """The orders that no server has carried out yet."""

    @writes
    def give(self, connection: Connection, kind: Kind, subject: str) -> None:
        give(connection, kind, subject)

    async def open(self) -> list[Order]:
        """Oldest first."""
        return [Order(*row) for row in await self._database.rows(select(orders).order_by(orders.c.id))]

    @writes
    def done(self, connection: Connection, ids: list[int]) -> None:
        """Delete orders that have been carried out."""
        connection.execute(delete(orders).where(orders.c.id.in_(ids)))
