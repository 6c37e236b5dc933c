"""Start an arena: bind the ports, lock the store, resume its matches, then accept clients.

A host of one game is an arena without accounts, whose store is deleted at the end.
"""

import asyncio
import contextlib
import logging
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path

from msgspec.structs import replace

from parlour.protocol.reports import tell, tell_bug
from parlour.server.api.page import FOLDER
from parlour.server.main import Serving, served
from parlour.server.net.ports import bound
from parlour.server.settings import Settings
from parlour.store.database import locked
from parlour.store.failures import StoreGone, words_of
from parlour.store.lock import StoreLock
from parlour.store.store import Store
from parlour.tables.house import HousePlan
from parlour.transports.limits import CONNECTIONS, HOST_CONNECTIONS

MANY = 1_000_000
"""Stands for limits that protect a public server and are not needed here."""
LONG_S = 86400.0
PRIVATE_LIMIT_S = 3600.0
"""Time limit for an answer if no other player waits for it."""


class LockLost(Exception):
    """The lock was lost, so another server may have the store."""


@asynccontextmanager
async def started(settings: Settings) -> AsyncIterator[tuple[Serving, "asyncio.Task[str]"]]:
    """A server with a locked store, and a task that ends with the reason when the lock is lost.

    From then on the store refuses all access; leave the block. CannotListen and StoreInUse are raised before the store
    is changed. LockLost is raised if the lock is lost during the start."""
    with closing(bound(settings)) as ports:
        lock = await locked(settings.store)
        try:
            store = await Store.open(settings.store, lock)
            watch = asyncio.create_task(_fenced_when_lost(store, lock))
            try:
                async with served(settings, store, ports) as serving:
                    yield serving, watch
            except StoreGone as e:
                if not watch.done():
                    raise
                raise LockLost(watch.result()) from e
            finally:
                watch.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await watch
                await store.close()
        finally:
            await lock.release()


async def _fenced_when_lost(store: Store, lock: StoreLock) -> str:
    try:
        why = await lock.lost()
    except Exception as e:  # without a watch the lock cannot be trusted
        tell_bug("lock", e)
        why = f"it cannot be watched: {words_of(e)}"
    store.fence(f"the lock of the store was lost: {why}")
    tell("store lost", logging.ERROR, words=why)
    return why


@asynccontextmanager
async def private(wait_s: float) -> AsyncIterator[Serving]:
    """An arena for one agent on this machine, until the block ends; then its store is deleted. Quick matches wait so
    long for other players. There is nearly no time limit."""
    settings = Settings(port=0, listeners={}, quick_s=wait_s, return_s=LONG_S, mcp=False, log="error")
    async with _temporary("mcp", settings) as serving:
        serving.arena.person_s = PRIVATE_LIMIT_S
        yield serving


@asynccontextmanager
async def hosted(
    plan: HousePlan,
    listeners: Mapping[str, int],
    *,
    address: str = "127.0.0.1",
    tcp_port: int = 0,
    web_port: int = 0,
    page_folder: Path = FOLDER,
) -> AsyncIterator[Serving]:
    """Serve one game as the plan says until the block ends; then its store is deleted. `listeners`: see Settings."""
    seating = plan.terms.game.hosting.seating
    most = CONNECTIONS if seating == "open" else HOST_CONNECTIONS
    settings = Settings(
        address=address,
        port=web_port,
        tcp_port=tcp_port,
        listeners={**listeners},
        hello_s=max(0.001, plan.waits.name_s) if seating == "sign_up" else plan.terms.handshake_s,
        return_s=plan.return_s,
        tables_per_guest=0,
        connections=most,
        connections_per_address=most,
        tries_a_minute=MANY,
        guests_a_minute=MANY,
        message_depth=MANY,
        messages_a_second=MANY,
        requests_a_second=MANY,
        idle_s=LONG_S,
        log="error",
    )
    async with _temporary("host", settings, page_folder, plan) as serving:
        yield serving


@asynccontextmanager
async def _temporary(
    name: str, settings: Settings, page_folder: Path = FOLDER, plan: HousePlan | None = None
) -> AsyncIterator[Serving]:
    """A server whose store is deleted at the end."""
    with tempfile.TemporaryDirectory(prefix=f"parlour-{name}-") as folder:
        settings = replace(settings, store=f"sqlite:///{folder}/{name}.db")
        store = await Store.open(settings.store, is_lasting=False)
        try:
            async with served(settings, store, page_folder=page_folder, plan=plan) as serving:
                yield serving
        finally:
            await store.close()
