"""Stores for tests, and matches to put into them."""

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import Connection, Executable

from parlour.protocol.forms import MatchState
from parlour.protocol.records import StoredMatch, StoredSeat, now_ms
from parlour.referee.transcript import match_name, new_seed
from parlour.store.store import Store
from tests import turned


def kept(url: str, work: Callable[[Store], Awaitable[Any]]) -> Any:
    """Do something with the store there, which is closed afterwards."""

    async def opened() -> Any:
        store = await Store.open(url)
        try:
            return await work(store)
        finally:
            await store.close()

    return turned.run(opened())


def table(seed: bytes, *seats: StoredSeat, state: MatchState = "open", created_ms: int | None = None) -> StoredMatch:
    return StoredMatch(
        id=match_name(seed),
        game="forsale",
        state=state,
        terms="{}",
        owner=None,
        key_hash=None,
        waits_until_ms=None,
        created_ms=now_ms() if created_ms is None else created_ms,
        ended_ms=None,
        seats=seats or tuple(open_seat(seat) for seat in range(3)),
    )


def open_seat(seat: int) -> StoredSeat:
    return StoredSeat(seat, "open", "", None, None, "")


async def scalar(store: Store, query: Executable) -> Any:
    """The first value that a query finds in the tables themselves."""
    return await store._database.fetch(lambda connection: connection.scalar(query))


async def executed(store: Store, *statements: Executable) -> None:
    """Change the tables themselves, in one transaction."""

    def work(connection: Connection) -> None:
        for statement in statements:
            connection.execute(statement)

    await store.writer.do(work)


async def add(store: Store, *seats: StoredSeat, **more: Any) -> str:
    """A new table; gives its id."""
    seed = new_seed()
    match = table(seed, *seats, **more)
    await store.add_match(match, seed)
    return match.id


async def running(store: Store) -> str:
    """A match that has begun; gives its id."""
    id = await add(store)
    await store.begin_match(id, [StoredSeat(seat, "open", "", None, f"p{seat}", "") for seat in range(3)])
    return id
