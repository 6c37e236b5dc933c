"""Methods of the store that are functions on a connection: each call is one transaction in another thread."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection

from parlour.store.database import Database


class StorePart:
    """A part of the store. Its methods with `reads` or `writes` are called without the connection, and awaited."""

    def __init__(self, database: Database) -> None:
        self._database = database


P = ParamSpec("P")
T = TypeVar("T")
Part = TypeVar("Part", bound=StorePart)
Work: TypeAlias = Callable[Concatenate[Part, Connection, P], T]
Method: TypeAlias = Callable[Concatenate[Part, P], Coroutine[Any, Any, T]]


def reads(work: Work[Part, P, T]) -> Method[Part, P, T]:
    """A method that reads; see `Database.fetch`."""

    @wraps(work)
    async def method(self: Part, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.fetch(lambda connection: work(self, connection, *args, **kwargs))

    return method


def writes(work: Work[Part, P, T]) -> Method[Part, P, T]:
    """A method that writes, and may be called again before it is durable; see `Batcher.do`."""

    @wraps(work)
    async def method(self: Part, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.writer.do(lambda connection: work(self, connection, *args, **kwargs))

    return method
