"""Orders to the running server: how commands that change the store reach open connections and matches."""

from typing import Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select

from parlour.store.clock import now_ms
from parlour.store.database import Database
from parlour.store.schema import orders

Kind: TypeAlias = Literal["account", "stop"]


class Order(Struct, frozen=True):
    """Look at this account again, or stop this match."""

    id: int
    kind: Kind
    subject: str
    created_ms: int


def give(connection: Connection, kind: Kind, subject: str) -> None:
    """As part of the change that the server is to notice."""
    connection.execute(insert(orders).values(kind=kind, subject=subject, created_ms=now_ms()))


class Orders:
    """Those that no server has carried out yet."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def give(self, kind: Kind, subject: str) -> None:
        await self._database.do(lambda connection: give(connection, kind, subject))

    async def open(self) -> list[Order]:
        """The oldest first."""
        async with self._database.read() as connection:
            return [Order(*row) for row in await connection.execute(_OPEN)]

    async def done(self, ids: list[int]) -> None:
        """These have been carried out."""
        gone = delete(orders).where(orders.c.id.in_(ids))
        await self._database.do(lambda connection: connection.execute(gone))


_OPEN = select(orders).order_by(orders.c.id)
